import { cassandra } from '@rowkey/cassandra'
import type { CassandraConnection } from '@rowkey/servers'
import type { Client } from 'cassandra-driver'
import type { Contest, Contestant } from '../../duel/contestant.js'
import { sampleGroups } from '../model.js'
import { operationNames, partyOf, type Stored, type Way } from '../party.js'
import { pace } from '../pace.js'
import { adapterWay, filled, repositoryWay } from '../rowkey-ways.js'
import { driverMapper } from './driver-mapper.js'
import { byHand } from './hand.js'
import { connect } from './keyspace.js'

const stored: Stored = { groups: sampleGroups(20, 500), spread: sampleGroups(1, 2000)[0] ?? [] }

const party =
  <G, F>(way: (client: Client) => Promise<Way<G, F>>) =>
  async (connection: unknown): Promise<Contestant> =>
    partyOf(await way(await connect(connection as CassandraConnection)), stored)

const open = (client: Client) => filled(cassandra(client), stored)

export const cassandraContest: Contest = {
  id: 'cassandra',
  title: "Cassandra, 10,000 rows of 10 hosts, in tables with writes: 'plain'",
  base: 'driver by hand',
  operations: Object.values(operationNames),
  allocation: false,
  wall: true,
  pace,
  server: 'cassandra',
  parties: new Map([
    ['driver by hand', party((client) => byHand(client, stored))],
    ['adapter', party(async (client) => adapterWay(await open(client)))],
    ['repository', party(async (client) => repositoryWay(await open(client)))],
    ['Mapper of the driver', party((client) => driverMapper(client, stored))],
  ]),
}
