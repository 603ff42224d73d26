import { hbase } from '@rowkey/hbase'
import { HBaseClient } from '@rowkey/hbase-client'
import type { HBaseConnection } from '@rowkey/servers'
import type { Contest, Contestant } from '../../duel/contestant.js'
import { sampleGroups } from '../model.js'
import { operationNames, partyOf, type Stored, type Way } from '../party.js'
import { pace } from '../pace.js'
import { adapterWay, filled, repositoryWay } from '../rowkey-ways.js'
import { byHand } from './hand.js'

const stored: Stored = { groups: sampleGroups(20, 500), spread: sampleGroups(1, 2000)[0] ?? [] }

const party =
  <G, F>(way: (client: HBaseClient) => Promise<Way<G, F>>) =>
  async (connection: unknown): Promise<Contestant> => {
    const { host, gateways } = connection as HBaseConnection
    return partyOf(await way(new HBaseClient({ host, port: gateways.unframed })), stored)
  }

const open = (client: HBaseClient) => filled(hbase(client), stored)

export const hbaseContest: Contest = {
  id: 'hbase',
  title: 'HBase by its gateway, 10,000 rows of 10 hosts',
  base: 'client by hand',
  operations: Object.values(operationNames),
  allocation: false,
  wall: true,
  pace,
  server: 'hbase',
  parties: new Map([
    ['client by hand', party((client) => byHand(client, stored))],
    ['adapter', party(async (client) => adapterWay(await open(client)))],
    ['repository', party(async (client) => repositoryWay(await open(client)))],
  ]),
}
