import { KuduError, type KuduErrorCode, type Operation } from '@rowkey/kudu-client'
import { date, defineTable, int32, kuduHash, nullable, text, timestamp } from 'rowkey'
import { Cancellation, type Mutation, type Outcome } from 'rowkey/adapter'
import { afterEach, expect, test, vi } from 'vitest'
import { adapterOver, catalogOf, tableOf, type Answers } from './fake.js'

const Rows = defineTable('rows', {
  columns: { id: int32(), a: nullable(text()), b: nullable(int32()) },
  key: ['id'],
  salt: kuduHash({ of: 'id', count: 2 }),
})

type Change = Mutation extends infer M ? (M extends Mutation ? Omit<M, 'schema'> : never) : never
const of = (change: Change): Mutation => ({ schema: Rows, ...change })
const put = (id: number, a: string | null = 'a'): Mutation => of({ kind: 'put', row: [id, a, null] })
const insert = (id: number): Mutation => of({ kind: 'insert', row: [id, 'a', 1] })
const update = (id: number, set: readonly number[] = [1]): Mutation => of({ kind: 'update', row: [id, 'a', null], set })
const remove = (id: number): Mutation => of({ kind: 'delete', row: [id] })
const lost = (code: KuduErrorCode, isSent: boolean, more: object = {}): KuduError => new KuduError(code, 'it fails', { isSent, ...more })

const done: Answers['write'] = (operations) => Promise.resolve({ errors: operations.map(() => undefined) })
const there = (): ReturnType<Answers['openTable']> => Promise.resolve(tableOf(Rows))

function open(answers: Partial<Answers>) {
  const adapter = adapterOver({ openTable: there, write: done, ...answers })
  adapter.table(Rows, catalogOf(Rows))
  return adapter
}

afterEach(() => vi.restoreAllMocks())
function later(): void {
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 1500)
}

const kinds = (outcomes: readonly Outcome[]): readonly string[] => outcomes.map(({ kind }) => kind)

test('what is sent for each mutation: a put sets all columns, an update those that it names, a delete the key', async () => {
  const sent: Operation[] = []
  const adapter = open({
    openTable: () => Promise.resolve(tableOf(Rows, [{ name: 'newer', type: 'STRING', isKey: false, isNullable: true }])),
    write(operations) {
      sent.push(...operations)
      return done(operations)
    },
  })
  await adapter.write([put(1, null), insert(2), update(3), remove(4)], { now: 0 })
  expect(sent).toEqual([
    { type: 'upsert', row: [1, null, null, null] },
    { type: 'insert', row: [2, 'a', 1, null] },
    { type: 'update', row: [3, 'a', undefined, undefined] },
    { type: 'deleteIgnore', row: [4, undefined, undefined, undefined] },
  ])
})

test('each mutation of a batch has the outcome of its operation, and all of one table are one call', async () => {
  let calls = 0
  const errors = new Map<number, KuduError>([
    [1, lost('CONNECTION_LOST', true)],
    [2, lost('UNREACHABLE', false)],
    [3, lost('NO_PARTITION', false)],
    [4, lost('INVALID_ARGUMENT', false)],
  ])
  const adapter = open({
    write(operations) {
      calls++
      return Promise.resolve({ errors: operations.map(({ row }) => errors.get((row as readonly number[])[0] as number)) })
    },
  })
  const batch = Array.from({ length: 500 }, (_, i) => put((i * 7) % 500))
  const outcomes = await adapter.write(batch, { now: 0 })
  const expected = ['applied', 'unknown', 'unprocessed', 'failed', 'failed']
  expect(kinds(outcomes)).toEqual(batch.map(({ row }) => expected[row[0] as number] ?? 'applied'))
  expect(calls).toBe(1)
})

test('rows that exist and rows that do not are what insert and update tell, and no fault of others', async () => {
  const outcome = async (mutation: Mutation, error: KuduError): Promise<string> =>
    kinds(await open({ write: () => Promise.resolve({ errors: [error] }) }).write([mutation], { now: 0 }))[0] as string
  const present = lost('ALREADY_PRESENT', true, { status: 'ALREADY_PRESENT' })
  const absent = lost('NOT_FOUND', true, { status: 'NOT_FOUND' })
  expect(await outcome(insert(1), present)).toBe('conflict')
  expect(await outcome(update(1), absent)).toBe('missing')
  // Kudu never says so of these.
  expect(await outcome(put(1), present)).toBe('unknown')
  expect(await outcome(remove(1), absent)).toBe('unknown')
})

test('a call that throws is the outcome of all that were in it, and of no others', async () => {
  const Other = defineTable('others', { columns: { id: int32() }, key: ['id'] })
  const adapter = open({
    openTable: there,
    write: (operations) => (operations.length > 1 ? Promise.reject(lost('TIMEOUT', true)) : done(operations)),
  })
  adapter.table(Other, { ...catalogOf(Other) })
  const outcomes = await adapter.write([put(1), put(2), { schema: Other, kind: 'delete', row: [1] }], { now: 0 })
  expect(kinds(outcomes)).toEqual(['unknown', 'unknown', 'applied'])
})

test('an update that sets nothing is missing if its row is, and is not sent', async () => {
  const adapter = open({
    getMany: (keys) => Promise.resolve(keys.map((key) => ((key as readonly number[])[0] === 1 ? { id: 1 } : undefined))),
  })
  const outcomes = await adapter.write([update(1, []), update(2, [])], { now: 0 })
  expect(kinds(outcomes)).toEqual(['applied', 'missing'])
})

test('several rows are no atomic batch; one row is', async () => {
  const adapter = open({})
  expect(await adapter.write([put(1), put(2)], { now: 0, atomic: 't' })).toMatchObject([
    { kind: 'failed', cause: { code: 'ATOMIC_SCOPE' } },
    { kind: 'failed' },
  ])
  expect(kinds(await adapter.write([put(1)], { now: 0, atomic: 't' }))).toEqual(['applied'])
})

test('no row is put if the columns of its table cannot be read, and rows are updated and deleted', async () => {
  let isThere = true
  const adapter = open({ openTable: () => (isThere ? there() : Promise.reject(lost('TIMEOUT', false))) })
  await adapter.write([put(1)], { now: 0 })
  isThere = false
  expect(kinds(await adapter.write([put(1), remove(2)], { now: 0 }))).toEqual(['applied', 'applied'])
  later()
  expect(kinds(await adapter.write([put(1), remove(2)], { now: 0 }))).toEqual(['unprocessed', 'unprocessed'])
  expect(kinds(await adapter.write([remove(1), update(2)], { now: 0 }))).toEqual(['applied', 'applied'])
})

test('a day that a DATE cannot hold fails alone, and names its column', async () => {
  const Days = defineTable('days', {
    columns: { d: date({ as: 'number' }), at: timestamp('ms', { as: 'number' }), v: nullable(date({ as: 'number' })) },
    key: ['d', 'at'],
  })
  const adapter = adapterOver({ openTable: () => Promise.resolve(tableOf(Days)), write: done })
  adapter.table(Days, catalogOf(Days))
  const of = (d: number, v: number | null): Mutation => ({ schema: Days, kind: 'put', row: [d, 0, v] })
  const outcomes = await adapter.write([of(0, null), of(-719_163, null), of(0, 2_932_897), of(2_932_896, -719_162)], { now: 0 })
  expect(outcomes).toMatchObject([
    { kind: 'applied' },
    { kind: 'failed', cause: { code: 'INVALID_VALUE', details: { column: 'd' } } },
    { kind: 'failed', cause: { code: 'INVALID_VALUE', details: { column: 'v' } } },
    { kind: 'applied' },
  ])
})

test('what was not sent when the caller stops waiting is unprocessed and never sent, and what was sent is unknown', async () => {
  const sent: string[] = []
  let answer: (result: unknown) => void = () => undefined
  const held = <T>(call: string, result: T) => {
    sent.push(call)
    return new Promise<T>((resolve) => (answer = () => resolve(result)))
  }
  const stopped = async (adapter: ReturnType<typeof open>): Promise<readonly Outcome[]> => {
    const aborting = new AbortController()
    const outcomes = adapter.write([put(1), remove(2)], { now: 0, cancellation: new Cancellation({ signal: aborting.signal }) })
    await new Promise((resolve) => setTimeout(resolve, 5))
    aborting.abort()
    return outcomes
  }
  expect(kinds(await stopped(open({ openTable: () => held('openTable', tableOf(Rows)) })))).toEqual(['unprocessed', 'unprocessed'])
  answer(undefined)
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(sent).toEqual(['openTable'])
  expect(kinds(await stopped(open({ write: () => held('write', { errors: [] }) })))).toEqual(['unknown', 'unknown'])
  expect(sent).toEqual(['openTable', 'write'])
  // The client tells whether it had sent anything, also if a deadline ends the wait.
  for (const [isSent, kind] of [
    [true, 'unknown'],
    [false, 'unprocessed'],
  ] as const) {
    const adapter = open({
      write: (_, options) => new Promise((_, reject) => options?.signal?.addEventListener('abort', () => reject(lost('ABORTED', isSent)))),
    })
    const outcomes = await adapter.write([put(1)], { now: 0, cancellation: new Cancellation({ deadline: Date.now() + 20 }) })
    expect(kinds(outcomes)).toEqual([kind])
  }
  const over = new AbortController()
  over.abort()
  expect(kinds(await open({}).write([put(1)], { now: 0, cancellation: new Cancellation({ signal: over.signal }) }))).toEqual([
    'unprocessed',
  ])
})
