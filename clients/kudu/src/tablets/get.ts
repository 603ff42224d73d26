// Tested by client.test.ts and ranges.test.ts.
import { scan, type ColumnPredicatePB, type ColumnSchemaPB } from '../proto/messages.js'
import { checkList, inside, Refusal, refusing } from '../refusal.js'
import type { Row, RowValues } from '../requests.js'
import { cellOf, keyValue, orderedOf } from '../rows/keys.js'
import { checkRowNames, layoutOf, type CellColumn } from '../rows/layout.js'
import { partitionKey } from '../rows/partition-key.js'
import type { ReadRow } from '../rows/row-batch.js'
import type { KuduTable, TableColumn } from '../table.js'
import type { Waiting } from '../transport/waiting.js'
import type { Tablets } from './context.js'
import type { LocatedTablet } from './partition-map.js'
import { batchOf, columnarLayout, readMode } from './reads.js'
import { projectionOf } from './scan-plan.js'
import { wireColumn, wireSchema } from './wire-columns.js'

/** A row that is asked for. */
interface Wanted {
  readonly partition: Uint8Array
  readonly columnPredicates: readonly ColumnPredicatePB[]
}

/** The columns that are asked for. */
interface Projection {
  readonly columns: readonly TableColumn[]
  readonly projectedColumns: readonly ColumnSchemaPB[]
}

/** Requests that one tablet has at a time: a server queues about 50. */
const width = 32

/** The row with a key, or undefined. */
export async function get(
  tablets: Tablets,
  table: KuduTable,
  key: Row | RowValues,
  columns: readonly string[] | undefined,
  waiting: Waiting,
): Promise<ReadRow | undefined> {
  const [projection, wanted] = refusing(waiting.call, () => [projectionFor(table, columns), inside('key', () => wantedRow(table, key))])
  return read(tablets, table, projection, wanted, performance.now(), waiting)
}

/** The rows with these keys, in their order. */
export async function getMany(
  tablets: Tablets,
  table: KuduTable,
  keys: readonly (Row | RowValues)[],
  columns: readonly string[] | undefined,
  waiting: Waiting,
): Promise<(ReadRow | undefined)[]> {
  const since = performance.now()
  const { locations } = tablets
  const [projection, wanted] = refusing(waiting.call, () => {
    checkList('keys', keys)
    return [projectionFor(table, columns), Array.from(keys, (key, index) => inside(`keys[${index}]`, () => wantedRow(table, key)))]
  })
  const rows = Array.from<ReadRow | undefined>({ length: keys.length })
  const queues = new Map<string, number[]>()
  for (const [index, { partition }] of wanted.entries()) {
    const part = locations.remembered(table, partition, since) ?? (await locations.find(table, partition, since, waiting))
    if (part.tablet === undefined) continue
    const queue = queues.get(part.tablet.id)
    if (queue === undefined) queues.set(part.tablet.id, [index])
    else queue.push(index)
  }
  let hasFailed = false
  const work = async (queue: readonly number[], from: number): Promise<void> => {
    for (let place = from; place < queue.length && !hasFailed; place += width) {
      const index = queue[place] as number
      rows[index] = await read(tablets, table, projection, wanted[index] as Wanted, since, waiting)
    }
  }
  const workers = [...queues.values()].flatMap((queue) =>
    Array.from({ length: Math.min(width, queue.length) }, (_, from) => work(queue, from)),
  )
  await Promise.all(
    workers.map((worker) =>
      worker.catch((error: unknown) => {
        hasFailed = true
        throw error
      }),
    ),
  )
  return rows
}

function projectionFor(table: KuduTable, names: readonly string[] | undefined): Projection {
  const columns = projectionOf(table, names)
  return { columns, projectedColumns: names === undefined ? wireSchema(table).columns : columns.map(wireColumn) }
}

function wantedRow(table: KuduTable, key: Row | RowValues): Wanted {
  if (typeof key !== 'object' || (key as object | null) === null || ArrayBuffer.isView(key))
    throw new Refusal('', 'is no key. Give an object with the columns of the key, or an array with a value of each')
  const layout = layoutOf(table.columns)
  const columnPredicates: ColumnPredicatePB[] = []
  for (let position = 0; position < layout.keyColumns; position++) {
    const column = layout.columns[position] as CellColumn
    columnPredicates.push({ column: column.name, equality: { value: cellOf(column, orderedOf(column, keyValue(key, column))) } })
  }
  checkAlone(table, key)
  return { partition: partitionKey(table, key).bytes, columnPredicates }
}

/** Refuses a key that has more than it needs: whoever gives it expects that it counts. */
function checkAlone(table: KuduTable, key: Row | RowValues): void {
  const layout = layoutOf(table.columns)
  if (Array.isArray(key)) {
    const index = key.findIndex((value, position) => position >= layout.keyColumns && value !== undefined)
    if (index >= 0) throw new Refusal('', `has a value at ${index}. A key has the columns of the key alone`)
    return
  }
  const row = key as Row
  checkRowNames(layout, row)
  for (const name in row) {
    if ((layout.positions.get(name) ?? 0) >= layout.keyColumns && row[name] !== undefined)
      throw new Refusal(name, 'is set. A key has the columns of the key alone')
  }
}

/** A row by equality of its key, which the server turns into a look at one place. */
async function read(
  { leaders, clock }: Tablets,
  table: KuduTable,
  { columns, projectedColumns }: Projection,
  { partition, columnPredicates }: Wanted,
  since: number,
  waiting: Waiting,
): Promise<ReadRow | undefined> {
  const request = (tablet: LocatedTablet) => ({
    newScanRequest: {
      tabletId: tablet.id,
      limit: 1n,
      projectedColumns,
      columnPredicates,
      readMode,
      propagatedTimestamp: clock.latest,
      rowFormatFlags: columnarLayout,
    },
    callSeqId: 0,
    batchSizeBytes,
  })
  const reached = await leaders.call(scan, { table, key: partition, id: undefined, isRead: true, since, request }, waiting)
  if (reached === undefined) return undefined
  const { message, sidecars } = reached
  clock.see(message.propagatedTimestamp)
  clock.see(message.snapTimestamp)
  const batch = batchOf(columns, message, sidecars, waiting)
  return batch.length === 0 ? undefined : batch.row(0)
}

const batchSizeBytes = 2 ** 20
