// Also tested by faults.test.ts.
import type { Operation } from '@rowkey/kudu-client'
import {
  applied,
  atomicScope,
  failed,
  failedBy,
  missing,
  unknown,
  unprocessed,
  type Mutation,
  type Outcome,
  type TableSchema,
  type WriteOptions,
} from 'rowkey/adapter'
import { operationOf } from './changes.js'
import type { Opened, TableContext } from './context.js'
import { kuduStore } from './description.js'
import { getRows } from './get.js'
import { isTableError, outcomeOf, outcomeOfThrown } from './outcomes.js'

/** The table of a schema. */
export type TableOf = (schema: TableSchema) => TableContext

type Settle = (place: number, outcome: Outcome) => void

/** The outcome of each mutation of a batch. When the caller stops waiting, the outcome of what was sent is unknown. */
export async function write(batch: readonly Mutation[], tableOf: TableOf, options: WriteOptions): Promise<readonly Outcome[]> {
  if (options.atomic !== undefined && batch.length > 1) {
    const cause = atomicScope(kuduStore, batch.length, 'they are of several rows', 'Write one row in a call')
    return batch.map(() => failed(cause))
  }
  const outcomes = new Array<Outcome>(batch.length).fill(unprocessed)
  const { cancellation } = options
  if (cancellation?.isOver === true) return outcomes
  const settle: Settle = (place, outcome) => {
    outcomes[place] = outcome
  }
  const work = writeTables(batch, settle, tableOf, options)
  if (cancellation === undefined) await work
  else {
    await cancellation.race(work).catch(async (error: unknown) => {
      if (!cancellation.isOver) throw error
      await new Promise((resolve) => setImmediate(resolve)) // until then, what was not sent has its outcome
    })
  }
  return [...outcomes] // as they are now, whatever is answered later
}

async function writeTables(batch: readonly Mutation[], settle: Settle, tableOf: TableOf, options: WriteOptions): Promise<void> {
  const tables = new Map<TableContext, number[]>()
  for (let place = 0; place < batch.length; place++) {
    const table = tableOf((batch[place] as Mutation).schema)
    const places = tables.get(table)
    if (places === undefined) tables.set(table, [place])
    else places.push(place)
  }
  await Promise.all(Array.from(tables, ([table, places]) => writeTable(table, batch, places, settle, options)))
}

/** The mutations of one table: one call of the client, which makes a request for each tablet. */
async function writeTable(
  table: TableContext,
  batch: readonly Mutation[],
  places: readonly number[],
  settle: Settle,
  options: WriteOptions,
): Promise<void> {
  let opened: Opened
  try {
    opened = await (places.some((place) => isWhole(batch[place] as Mutation)) ? table.openedForPut() : table.opened())
  } catch (error) {
    for (const place of places) settle(place, outcomeOfThrown(error))
    return
  }
  const operations: Operation[] = []
  const sent: number[] = []
  const idle: number[] = []
  for (const place of places) {
    const mutation = batch[place] as Mutation
    try {
      const operation = operationOf(table, opened, mutation)
      if (operation === undefined) idle.push(place)
      else {
        operations.push(operation)
        sent.push(place)
      }
    } catch (cause) {
      settle(place, failedBy(cause))
    }
  }
  if (options.cancellation?.isOver === true) return
  for (const place of sent) settle(place, unanswered)
  const errors = operations.length === 0 ? [] : await send(table, opened, operations, options)
  // Even a column that the schema does not have makes servers refuse a write, if it is gone: the table is looked at again.
  const gone = errors.some(isTableError) ? await table.whyGone() : undefined
  sent.forEach((place, i) => {
    const error = errors[i]
    settle(place, gone !== undefined && isTableError(error) ? failed(gone) : outcomeOf(batch[place] as Mutation, error))
  })
  await present(table, batch, idle, settle, options)
}

const isWhole = ({ kind }: Mutation): boolean => kind === 'put'

const unanswered: Outcome = unknown(undefined)

/** The error of each operation; undefined for those that are applied. */
async function send(
  table: TableContext,
  { table: found }: Opened,
  operations: readonly Operation[],
  { cancellation }: WriteOptions,
): Promise<readonly unknown[]> {
  const aborting = new AbortController()
  const leave = cancellation?.onOver(() => aborting.abort(cancellation.reason))
  try {
    // Not raced with its end: the client says whether what nobody waits for any more was sent.
    const options = cancellation === undefined ? undefined : { signal: aborting.signal }
    return (await table.client.write(found, operations, options)).errors
  } catch (error) {
    return operations.map(() => error)
  } finally {
    leave?.()
  }
}

/** Updates that set nothing: whether their rows exist. */
async function present(
  table: TableContext,
  batch: readonly Mutation[],
  idle: readonly number[],
  settle: Settle,
  options: WriteOptions,
): Promise<void> {
  if (idle.length === 0) return
  try {
    const keys = idle.map((place) => (batch[place] as Mutation).row)
    const rows = await getRows(table, keys, { consistency: 'strong', columns: [], cancellation: options.cancellation })
    idle.forEach((place, i) => settle(place, rows[i] === undefined ? missing : applied))
  } catch (error) {
    for (const place of idle) settle(place, outcomeOfThrown(error))
  }
}
