import { kudu } from '@rowkey/kudu'
import { KuduClient } from '@rowkey/kudu-client'
import type { KuduConnection } from '@rowkey/servers'
import type { Contest, Contestant } from '../../duel/contestant.js'
import { sampleGroups } from '../model.js'
import { operationNames, partyOf, type Stored, type Way } from '../party.js'
import { pace } from '../pace.js'
import { adapterWay, filled, repositoryWay } from '../rowkey-ways.js'
import { byHand } from './hand.js'

const stored: Stored = { groups: sampleGroups(20, 500), spread: sampleGroups(1, 2000)[0] ?? [] }

const party =
  <G, F>(way: (client: KuduClient) => Promise<Way<G, F>>) =>
  async (connection: unknown): Promise<Contestant> => {
    const { masters } = connection as KuduConnection
    return partyOf(await way(new KuduClient({ masters: [...masters] })), stored)
  }

const open = (client: KuduClient) => filled(kudu(client, { hash: 4 }), stored)

/** Kudu does not read backwards. */
function forwards<G, F>({ reverse: _, ...way }: Way<G, F>): Way<G, F> {
  return way
}

export const kuduContest: Contest = {
  id: 'kudu',
  title: 'Kudu, 10,000 rows of 10 hosts in 4 hash partitions',
  base: 'client by hand',
  operations: Object.values(operationNames).filter((name) => name !== operationNames.reverse),
  allocation: false,
  wall: true,
  pace,
  server: 'kudu',
  parties: new Map([
    ['client by hand', party((client) => byHand(client, stored))],
    ['adapter', party(async (client) => forwards(await adapterWay(await open(client))))],
    ['repository', party(async (client) => forwards(repositoryWay(await open(client))))],
  ]),
}
