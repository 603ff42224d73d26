import { text, uint16 } from 'rowkey/codec'
import { lmdb } from '@rowkey/lmdb'
import { createMapper, defineTable } from 'rowkey'
import { Cancellation, type Mutation, type Outcome } from 'rowkey/adapter'
import { afterAll, expect, test } from 'vitest'
import { drain, open, schemaWith, strong } from '../../../test/kit/schemas.js'
import { scratchFolder } from '../../../test/kit/folder.js'

const folder = scratchFolder()
afterAll(folder.remove)

const now = 0
const kept = () => schemaWith({ name: 'kept', key: [['k', uint16()]], values: ['v'] })
const fast = (name: string) => lmdb(folder.path(name), { sync: false })
const put = (schema: Mutation['schema'], k: number, v = 'x'): Mutation => ({ schema, kind: 'put', row: [k, v] })
const count = (outcomes: readonly Outcome[], kind: Outcome['kind']) => outcomes.filter((outcome) => outcome.kind === kind).length

test('a large batch lets others in between, and keeps its order and its outcomes', async () => {
  const { store, schema, table } = await open(kept(), fast('large'))
  const batch = Array.from({ length: 20_000 }, (_, i): Mutation => put(schema, i % 15_000, String(i)))
  batch[9000] = { schema, kind: 'update', row: [60_000, 'not there'], set: [1] }
  const ended: string[] = []
  const noted = async (name: string, mutations: readonly Mutation[]) => {
    const outcomes = await store.write(mutations, { now })
    ended.push(name)
    return outcomes
  }
  const large = noted('large', batch)
  const small = noted('small', [put(schema, 50_000)])
  const outcomes = await large
  await small
  expect(ended).toEqual(['small', 'large'])
  expect(outcomes).toHaveLength(20_000)
  expect(outcomes[9000]).toEqual({ kind: 'missing' })
  expect(count(outcomes, 'applied')).toBe(19_999)
  expect(table.get([[0], [4999], [5000], [8999]], strong)).toEqual([
    [0, '15000'],
    [4999, '19999'],
    [5000, '5000'],
    [8999, '8999'],
  ])
  expect(await store.write([], { now })).toEqual([])
  await store.close()
})

test('WRITE-23: a write that is called after a large batch comes after all of it', async () => {
  const Rows = defineTable('ordered', { columns: { k: uint16(), v: text() }, key: ['k'] })
  const db = createMapper(fast('ordered'))
  await db.ensureTables([Rows])
  const rows = db.repository(Rows)
  const batch = Array.from({ length: 5000 }, (_, k) => ({ k, v: 'batch' }))
  await Promise.all([rows.putMany(batch), rows.put({ k: 4999, v: 'put' }), rows.delete({ k: 4998 })])
  expect(await rows.getMany([{ k: 4997 }, { k: 4998 }, { k: 4999 }])).toEqual([{ k: 4997, v: 'batch' }, undefined, { k: 4999, v: 'put' }])
  await db.close()
})

test('what an abort comes before in a large batch is unprocessed, what was applied says so', async () => {
  const { store, schema, table } = await open(kept(), fast('aborted'))
  const stop = new AbortController()
  const batch = Array.from({ length: 20_000 }, (_, k): Mutation => put(schema, k))
  const large = store.write(batch, { now, cancellation: new Cancellation({ signal: stop.signal }) })
  await store.write([put(schema, 50_000)], { now })
  stop.abort()
  const outcomes = await large
  const [applied, left] = [count(outcomes, 'applied'), count(outcomes, 'unprocessed')]
  expect(applied + left).toBe(20_000)
  expect(applied).toBeGreaterThan(0)
  expect(left).toBeGreaterThan(0)
  expect(outcomes.slice(0, applied).every(({ kind }) => kind === 'applied')).toBe(true)
  expect(await drain(table.fullScan(undefined, strong), 1000)).toHaveLength(applied + 1)
  await store.close()
})

test('close() waits for all of a large batch, whatever ends before', async () => {
  const { store, schema } = await open(kept(), fast('closed'))
  const large = store.write(
    Array.from({ length: 20_000 }, (_, k) => put(schema, k)),
    { now },
  )
  const small = store.write([put(schema, 50_000)], { now })
  await store.close()
  expect(count(await large, 'applied')).toBe(20_000)
  expect(count(await small, 'applied')).toBe(1)
})

test('a deadline that has come leaves everything unprocessed, whatever is in the batch', async () => {
  const path = 'deadline'
  const { store, schema, table } = await open(kept(), fast(path))
  const long = await open(schemaWith({ name: 'long', key: [['t', text()]] }), store)
  const mutations: readonly Mutation[] = [
    put(schema, 1),
    { schema: long.schema, kind: 'put', row: ['x'.repeat(3000)] },
    { schema, kind: 'update', row: [2, 'not there'], set: [1] },
  ]
  const outcomes = async (ms: number, atomic: object) => {
    const cancellation = new Cancellation({ deadline: ms, clock: () => 0 })
    return (await store.write(mutations, { now, cancellation, ...atomic })).map(({ kind }) => kind)
  }
  for (const ms of [0, -1]) {
    for (const atomic of [{}, { atomic: 'a' }]) expect(await outcomes(ms, atomic)).toEqual(['unprocessed', 'unprocessed', 'unprocessed'])
  }
  expect(table.get([[1]], strong)).toEqual([undefined])
  expect(await outcomes(3_600_000, { atomic: 'a' })).toEqual(['unprocessed', 'failed', 'missing'])
  expect(await outcomes(3_600_000, {})).toEqual(['applied', 'failed', 'missing'])
  await store.close()
})
