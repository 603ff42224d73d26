import { KuduError } from '../error.js'
import type { Masters } from '../masters.js'
import { getTableLocations, getTableStatistics, listTablets } from '../proto/messages.js'
import type { TableStatistics, TabletStatistics } from '../requests.js'
import type { Waiting } from '../transport/waiting.js'

const pageSize = 1_000
/** A tablet server that does not answer is passed over. */
const attemptTimeout = 5_000

/** How large a table and its tablets are. Masters before Kudu 1.19 do not tell of tablets: then the tablet servers are asked. */
export async function statisticsOf(masters: Masters, tableId: string, waiting: Waiting): Promise<TableStatistics> {
  const request = { table: { tableId }, includeTabletStatistics: true }
  const { liveRowCount, onDiskSize, tabletStatistics } = await masters.call(getTableStatistics, request, waiting)
  const told = tabletStatistics.map(({ tabletId = '', liveRowCount: rows, onDiskSize: bytes }) => ({
    id: tabletId,
    rows: countOf(rows),
    bytes: countOf(bytes),
  }))
  const tablets = told.length > 0 ? told : await askServers(masters, tableId, waiting)
  return { rows: countOf(liveRowCount), bytes: countOf(onDiskSize), tablets }
}

async function askServers(masters: Masters, tableId: string, waiting: Waiting): Promise<readonly TabletStatistics[]> {
  const leaders = await leadersOf(masters, tableId, waiting)
  const sizes = new Map<string, bigint | undefined>()
  const ask = async (address: string): Promise<void> => {
    try {
      const { message } = await masters.connections.call(address, listTablets, { needSchemaInfo: false }, waiting, {
        timeout: attemptTimeout,
      })
      for (const { tabletStatus, role } of message.statusAndSchema)
        if (role === 'LEADER') sizes.set(tabletStatus.tabletId, tabletStatus.estimatedOnDiskSize)
    } catch (error) {
      if (!(error instanceof KuduError) || waiting.isOver) throw error
    }
  }
  const addresses = new Set([...leaders.values()].filter((address) => address !== undefined))
  await Promise.all([...addresses].map(ask))
  return [...leaders.keys()].map((id) => ({ id, rows: undefined, bytes: countOf(sizes.get(id)) }))
}

/** The address of the leader of each tablet, in the order of their partitions. */
async function leadersOf(masters: Masters, tableId: string, waiting: Waiting): Promise<ReadonlyMap<string, string | undefined>> {
  const leaders = new Map<string, string | undefined>()
  for (let start: Uint8Array = new Uint8Array(); ;) {
    const { tabletLocations, tsInfos } = await masters.call(
      getTableLocations,
      { table: { tableId }, maxReturnedLocations: pageSize, internTsInfosInResponse: true, keyStart: { hashKey: start } },
      waiting,
    )
    const known = leaders.size
    for (const { tabletId, internedReplicas } of tabletLocations) {
      const leader = internedReplicas.find(({ role }) => role === 'LEADER')
      const at = leader === undefined ? undefined : tsInfos[leader.tsInfoIdx]?.rpcAddresses[0]
      leaders.set(tabletId, at === undefined ? undefined : `${at.host}:${at.port}`)
    }
    start = tabletLocations.at(-1)?.partition?.partitionKeyEnd ?? new Uint8Array()
    if (start.length === 0 || leaders.size === known) return leaders
  }
}

/** Tables from before they were counted have less than nothing. */
const countOf = (count: bigint | undefined): number | undefined => (count === undefined || count < 0n ? undefined : Number(count))
