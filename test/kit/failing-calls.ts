import type { Adapter, TableSchema } from 'rowkey/adapter'
import { createMapper, defineTable, int32, isRowkeyError, nullable, text, uint32 } from 'rowkey'

/** What a client does once instead of a call: throws an error of this kind. */
export type Failure = () => Error

/** Called by a client before each call: returns the error with which this one fails. */
export type Turn = () => Error | undefined

/** A call of the application that ended with something else than a typed error. */
export interface RawError {
  readonly call: string
  readonly error: unknown
}

/**
 * Runs each step again and again: the first time the client's first call fails, then the second one, until the step makes no further call; so in each of
 * the ways given. `open` returns an adapter whose client asks `turn` before each call.
 *
 * @returns what was thrown and is no error of rowkey, and how many errors of rowkey a failed call became
 */
export async function failEachCall(
  failures: readonly Failure[],
  open: (turn: Turn) => Promise<{ readonly adapter: Adapter; readonly close: () => unknown }>,
  steps: (adapter: Adapter, prefix: string) => readonly Step[] = stepsOf,
): Promise<{ readonly raw: readonly RawError[]; readonly typed: number }> {
  const raw: RawError[] = []
  let typed = 0
  for (const failure of failures) {
    let calls = 0
    let failing: number | undefined
    const { adapter, close } = await open(() => (calls++ === failing ? failure() : undefined))
    for (const [call, run, before] of steps(adapter, `f${process.pid}x${Date.now().toString(36)}_`)) {
      for (let at = 0; ; at++) {
        failing = undefined
        await before?.()
        failing = at
        calls = 0
        try {
          await run()
        } catch (error) {
          if (!isRowkeyError(error)) raw.push({ call: `call ${at} in ${call}`, error })
          else if (calls > at) typed++
        }
        if (calls <= at) break
      }
    }
    await close()
  }
  return { raw, typed }
}

/** A call of the application and its name; `before` undoes what the last run of it did, so that it makes all of its calls again. */
export type Step = readonly [name: string, run: () => unknown, before?: () => unknown]

const modelOf = (name: string): TableSchema =>
  defineTable(name, { columns: { id: uint32(), a: nullable(text()), n: int32() }, key: ['id'], ttl: '1h' })

/** Everything that an application can ask of a store. */
export function stepsOf(adapter: Adapter, prefix: string): readonly Step[] {
  let now = Date.now()
  const db = createMapper(adapter, { prefix, retry: { attempts: 1 }, clock: () => now })
  const Rows = modelOf('rows')
  const rows = db.repository(Rows) as never as Repository
  const row = (id: number, a: string | null = 'a'): object => ({ id, a, n: id })
  const create = (): Promise<unknown> => db.ensureTables([Rows])
  const drop = (): Promise<unknown> => db.dropTables([Rows])
  return [
    ['ensureTables', create, async () => (await create(), drop())], // what a failed call has created in part cannot be dropped
    ['put', () => rows.put(row(1))],
    ['put a null', () => rows.put(row(2, null))],
    ['insert', () => rows.insert(row(3))],
    ['putMany', () => rows.putMany([row(4), row(5), row(6, null)])],
    ['update', () => rows.update({ id: 1 }, { a: 'b' })],
    ['update if', () => rows.update({ id: 1 }, { a: 'c' }, { if: { a: 'b' } })],
    ['upsert', () => rows.upsert(row(7))],
    ['increment', () => rows.increment({ id: 1 }, { n: 1 })],
    ['atomic', () => db.write([rows.ops.put(row(8))], { atomic: true })],
    ['get', () => rows.get({ id: 1 })],
    ['getMany', () => rows.getMany([{ id: 1 }, { id: 2 }])],
    ['scan', () => rows.scan({ id: { gte: 1, lt: 4 } }, { unbounded: true }).toArray()],
    ['filtered', () => rows.scan({ a: 'a' }, { unbounded: true }).toArray()],
    ['count', () => rows.scan({}, { unbounded: true }).count()],
    ['readAll', () => rows.readAll().toArray()],
    ['parts', () => rows.parts(3)],
    ['locate', () => rows.locate?.({ id: 1 })],
    ['delete', () => rows.delete({ id: 1 })],
    ['deleteMany', () => rows.deleteMany([{ id: 2 }, { id: 3 }])],
    ['tableId', async () => adapter.tableId?.(Rows, (await adapter.describeTable(`${prefix}rows`)) ?? ({} as never))],
    ['purgeExpired', () => ((now += 7_200_000), db.purgeExpired(Rows)), () => rows.putMany([row(1), row(2), row(3)])],
    ['dropTables', drop, create],
    ['ensureTables again', create],
    ['the last dropTables', drop],
    ['close', () => db.close()],
  ]
}

type Call = (...given: unknown[]) => Promise<unknown>
type Query = (...given: unknown[]) => { toArray(): Promise<unknown>; count(): Promise<unknown> }
type Calls = 'put' | 'insert' | 'putMany' | 'update' | 'upsert' | 'increment' | 'get' | 'getMany' | 'parts' | 'delete' | 'deleteMany'

/** A repository whose model the compiler does not know. */
type Repository = Readonly<Record<Calls, Call>> & {
  readonly ops: { put(row: object): never }
  readonly locate?: Call
  scan: Query
  readAll: Query
}
