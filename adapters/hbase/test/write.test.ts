import { hbase } from '@rowkey/hbase'
import { HBaseClient, HBaseError, type HBaseErrorCode } from '@rowkey/hbase-client'
import { Cancellation, type Mutation, type Outcome } from 'rowkey/adapter'
import { defineTable, int32, nullable, text } from 'rowkey'
import { afterEach, expect, test, vi } from 'vitest'

const Rows = defineTable('rows', { columns: { id: int32(), a: nullable(text()) }, key: ['id'] })
const catalog = { format: 1, schema: Rows.toJSON(), valueColumns: ['a'], store: { id: 'x' } } as const

const put = (id: number, a: string | null = 'a'): Mutation => ({ schema: Rows, kind: 'put', row: [id, a] })
const insert = (id: number): Mutation => ({ schema: Rows, kind: 'insert', row: [id, 'a'] })
const remove = (id: number): Mutation => ({ schema: Rows, kind: 'delete', row: [id] })
const idOf = (row: Uint8Array): number => Buffer.from(row).readInt32BE() ^ -0x8000_0000
const lost = (code: HBaseErrorCode, isSent: boolean, more: object = {}): HBaseError => new HBaseError(code, 'it fails', { isSent, ...more })

/** An adapter with an open table, over a client whose calls with these rows end as `answer` says. */
function adapterOver(answer: (call: string, ids: readonly number[]) => Promise<unknown>) {
  const client = new HBaseClient()
  const define = (call: string, value: (...given: never[]) => Promise<unknown>): void => void Object.defineProperty(client, call, { value })
  for (const call of ['putMany', 'deleteMany']) {
    define(call, (_table: string, rows: readonly { readonly row: Uint8Array }[]) => answer(call, rows.map(({ row }) => idOf(row)))) // prettier-ignore
  }
  for (const call of ['put', 'delete', 'checkAndPut', 'checkAndMutate']) {
    define(call, (_table: string, { row }: { readonly row: Uint8Array }) => answer(call, [idOf(row)]))
  }
  define('mutateRow', (_table: string, row: Uint8Array) => answer('mutateRow', [idOf(row)]))
  define('get', () => answer('get', []))
  define('tableExists', () => Promise.resolve(true))
  const adapter = hbase(client)
  adapter.table(Rows, catalog)
  return adapter
}

/** From here on the adapter believes no list of columns that it has read before. */
function later(): void {
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 2000)
}
afterEach(() => vi.restoreAllMocks())

const kinds = (outcomes: readonly Outcome[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { kind } of outcomes) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

test('each mutation of a batch has the outcome of the request that it was in, and is in one', async () => {
  const told = new Map<number, Outcome['kind']>()
  const requests = new Map<string, number>()
  const adapter = adapterOver((call, ids) => {
    const nth = (requests.get(call) ?? 0) + 1
    requests.set(call, nth)
    const end = (kind: Outcome['kind'], error?: Error): Promise<unknown> => {
      for (const id of ids) {
        expect(told.has(id), `${id} is sent twice`).toBe(false)
        told.set(id, kind)
      }
      return error === undefined ? Promise.resolve(true) : Promise.reject(error)
    }
    if (call === 'putMany' && nth === 2) return end('unknown', lost('CONNECTION_LOST', true))
    if (call === 'deleteMany' && nth === 1) return end('unprocessed', lost('UNREACHABLE', false))
    if (call === 'mutateRow' && nth % 2 === 0) return end('failed', lost('SERVER', true, { canRetry: false, serverMessage: 'no' }))
    return end('applied')
  })
  const count = 7001
  const batch = Array.from({ length: count }, (_, i) => {
    const id = (i * 2003) % count
    return i % 5 === 1 ? put(id, null) : i % 5 === 3 ? remove(id) : put(id)
  })
  const outcomes = await adapter.write(batch, { now: 0 })
  expect(told.size).toBe(count)
  expect(outcomes.map(({ kind }) => kind)).toEqual(batch.map(({ row }) => told.get(row[0] as number)))
  expect(kinds(outcomes)).toMatchObject({ unknown: 1000, unprocessed: 1000, failed: 700 })
  expect([requests.get('putMany'), requests.get('deleteMany')]).toEqual([5, 2])
})

test('a client that throws instead of rejecting leaves those of its request unknown, and no others', async () => {
  let requests = 0
  const adapter = adapterOver((call) => {
    if (call === 'putMany' && ++requests === 2) throw new Error('a client of others')
    return Promise.resolve()
  })
  const outcomes = await adapter.write([...Array.from({ length: 2500 }, (_, id) => put(id)), remove(2500)], { now: 0 })
  expect(kinds(outcomes)).toEqual({ applied: 1501, unknown: 1000 })
  expect(outcomes[1000]?.kind).toBe('unknown')
})

test('the columns to clear are read once for a batch; if they cannot be, no row is put, and rows are deleted', async () => {
  const calls: string[] = []
  const adapter = adapterOver((call) => {
    calls.push(call)
    return call === 'get' ? Promise.reject(lost('CONNECTION_LOST', true)) : Promise.resolve()
  })
  later()
  const outcomes = await adapter.write([...Array.from({ length: 100 }, (_, id) => put(id)), remove(100), remove(101)], { now: 0 })
  expect(kinds(outcomes)).toEqual({ unprocessed: 100, applied: 2 })
  // A read whose connection was lost is made once more.
  expect(calls).toEqual(['get', 'get', 'deleteMany'])
})

test('what was not sent when the caller stops waiting is unprocessed, and never sent', async () => {
  const sent: string[] = []
  let answer: (result: unknown) => void = () => undefined
  const adapter = adapterOver((call) => {
    sent.push(call)
    return new Promise((resolve) => (answer = resolve))
  })
  later()
  const stopped = async (batch: readonly Mutation[]): Promise<readonly Outcome[]> => {
    const aborting = new AbortController()
    const outcomes = adapter.write(batch, { now: 0, cancellation: new Cancellation({ signal: aborting.signal }) })
    await new Promise((resolve) => setTimeout(resolve, 5))
    aborting.abort()
    return outcomes
  }
  const unsent = await stopped([...Array.from({ length: 50 }, (_, id) => put(id)), remove(50)])
  expect(kinds(unsent)).toEqual({ unprocessed: 51 })
  expect(kinds(await stopped([put(1)]))).toEqual({ unprocessed: 1 })
  answer({ row: undefined, cells: [] })
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(sent.splice(0)).toEqual(['get'])

  vi.restoreAllMocks()
  expect(kinds(await stopped([...Array.from({ length: 50 }, (_, id) => put(id)), remove(50)]))).toEqual({ unknown: 51 })
  const conditional = await stopped(Array.from({ length: 100 }, (_, id) => insert(id)))
  expect(kinds(conditional)).toEqual({ unknown: 64, unprocessed: 36 })
  expect(sent.filter((call) => call.startsWith('check'))).toHaveLength(64)
})
