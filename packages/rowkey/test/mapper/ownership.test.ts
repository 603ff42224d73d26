import type { Row } from '#store/adapter'
import { bytes, int32, json, nullable, text, timestamp, type Json } from '#codec'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { defineTable } from '#model'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { refusalOf } from '../../../../test/kit/refusal.js'
import { wrapped } from '../../../../test/kit/wrapped.js'

const Things = defineTable('things', {
  columns: { id: bytes(), at: timestamp('ms'), n: int32(), raw: nullable(bytes()), tags: nullable(json()), note: nullable(text()) },
  key: ['id', 'at', 'n'],
})

const fresh = (n = 0) => ({
  id: new Uint8Array([1, 2]),
  at: new Date(1000),
  n,
  raw: new Uint8Array([7, 8]),
  tags: { a: [1] } as Json,
  note: 'x',
})
type Thing = ReturnType<typeof fresh>
const keyOf = ({ id, at, n }: Pick<Thing, 'id' | 'at' | 'n'>) => ({ id, at, n })

/** Changes everything about a row that can be changed in place. */
function spoil(row: Partial<Thing> | undefined): void {
  row?.id?.fill(99)
  row?.at?.setTime(99)
  row?.raw?.fill(99)
  if (row?.tags !== undefined) (row.tags as { a: number[] }).a.push(99)
  if (row !== undefined) for (const name of Object.keys(row)) Reflect.deleteProperty(row, name)
}

async function open(rows: Thing[] = []) {
  const db = createMapper(memory())
  await db.ensureTables([Things])
  const things = db.repository(Things)
  await things.putMany(rows)
  return things
}

test('ROW-2: input that is changed after the call reaches no stored row', async () => {
  const things = await open()
  const writes: ((row: Thing) => Promise<unknown>)[] = [
    (row) => things.insert(row),
    (row) => things.put(row),
    (row) => {
      const rows = [row]
      const done = things.putMany(rows)
      rows.length = 0
      return done
    },
  ]
  for (const write of writes) {
    const row = fresh()
    const done = write(row)
    spoil(row) // before the promise settles: what counts is the call
    await done
    expect(await things.get(keyOf(fresh()))).toEqual(fresh())
    await things.delete(keyOf(fresh()))
  }
})

test('ROW-2: keys and patches that are changed after the call play no part', async () => {
  const things = await open([fresh(0), fresh(1), fresh(2)])
  const key = keyOf(fresh(0))
  const patch = { raw: new Uint8Array([5]), tags: { a: [2] } as Json }
  const updated = things.update(key, patch)
  spoil(key)
  spoil(patch)
  await updated
  expect(await things.get(keyOf(fresh(0)))).toEqual({ ...fresh(0), raw: new Uint8Array([5]), tags: { a: [2] } })

  const asked = [keyOf(fresh(1)), keyOf(fresh(2))]
  const found = things.getMany(asked)
  asked.forEach(spoil)
  asked.length = 0
  expect(await found).toEqual([fresh(1), fresh(2)])

  const gone = [keyOf(fresh(1))]
  const deleted = things.deleteMany(gone)
  gone.forEach(spoil)
  gone.push(keyOf(fresh(2)))
  await deleted
  expect((await things.scan({ id: fresh().id }).toArray()).map(({ n }) => n)).toEqual([0, 2])
})

test('ROW-2: what reads give can be changed without changing the store', async () => {
  const rows = [fresh(0), fresh(1), fresh(2)]
  const things = await open(rows.map(({ n }) => fresh(n)))
  const where = { id: fresh().id }
  const reads: (() => Promise<readonly (Partial<Thing> | undefined)[]>)[] = [
    async () => [(await things.get(keyOf(fresh(1)))) as Thing],
    async () => [(await things.getOrThrow(keyOf(fresh(1)))) as Thing],
    async () => (await things.getMany([keyOf(fresh(0)), keyOf(fresh(1))])) as Thing[],
    async () => (await things.scan(where).toArray()) as Thing[],
    async () => (await things.scan(where).page()).rows as Thing[],
    async () => (await things.scan(where, { filter: () => true }).page()).rows as Thing[],
    async () => (await things.scan(where, { select: ['id', 'raw', 'tags', 'at'] }).toArray()) as Partial<Thing>[],
    async () => (await things.scan({ id: fresh().id, at: fresh().at, n: { in: [0, 2] } }).toArray()) as Thing[],
    async () => {
      const all: Thing[] = []
      for await (const row of things.scan(where)) all.push(row as Thing)
      return all
    },
    async () => [(await things.put(fresh(1))).key as Thing],
    async () => [things.decodeKey(things.encodeKey(keyOf(fresh(1)))) as Thing],
  ]
  for (const read of reads) {
    for (const row of await read()) spoil(row)
    expect(await things.scan(where).toArray()).toEqual(rows)
  }
})

test('ROW-2: a filter that changes the row it sees changes that object only', async () => {
  const things = await open([fresh(0), fresh(1)])
  const where = { id: fresh().id }
  await things.scan(where, { filter: (row) => (row.raw?.fill(99), true) }).toArray()
  expect(await things.scan(where).toArray()).toEqual([fresh(0), fresh(1)])
})

test('SCAN-1: a scan takes predicate and options as they were when it was made', async () => {
  const things = await open([fresh(0), fresh(1), fresh(2), { ...fresh(3), raw: new Uint8Array([9]) }])
  const make = () => {
    const where = { id: { in: [fresh().id] }, at: { gte: fresh().at, lt: new Date(2000) }, n: { in: [0, 1, 3] }, raw: fresh().raw }
    const order: { id: 'asc' | 'desc'; at: 'asc' | 'desc' } = { id: 'desc', at: 'desc' }
    const options = { limit: 2, select: ['n' as const], order, filter: ({ n }: { n: number }) => n < 9 }
    const scan = things.scan(where, options)
    where.id.in.forEach((id) => id.fill(99))
    where.id.in.length = 0
    where.at.gte.setTime(99_999)
    where.at.lt = new Date(0)
    where.n.in.push(2)
    where.raw.fill(99)
    Object.assign(where, { nope: 1 })
    options.limit = 1
    options.select.length = 0
    order.at = 'asc'
    options.filter = () => false
    return scan
  }
  const expected = [{ n: 1 }, { n: 0 }]
  expect(await make().toArray()).toEqual(expected)
  expect((await make().page()).rows).toEqual(expected)
  expect(await make().count()).toBe(2)
  expect(make().explain()).toMatchObject({ kind: 'SCAN', ranges: 1, reverse: true })
  const iterated = []
  for await (const row of make()) iterated.push(row)
  expect(iterated).toEqual(expected)
})

test('SCAN-1: operands that change while a scan runs do not move it', async () => {
  const rows = Array.from({ length: 600 }, (_, n) => ({ ...fresh(n), id: new Uint8Array([n % 2]) }))
  const things = await open(rows)
  const ids = [new Uint8Array([0]), new Uint8Array([1])]
  const seen: number[] = []
  for await (const { n } of things.scan({ id: { in: ids } })) {
    seen.push(n)
    ids.forEach((id) => id.fill(99))
  }
  expect(seen).toHaveLength(600)
})

test('PAGE-3: bytes as a Buffer and as a Uint8Array are the same predicate', async () => {
  const things = await open([fresh(0), fresh(1), fresh(2)])
  const { cursor = '' } = await things.scan({ id: Buffer.from([1, 2]) }).page({ size: 1 })
  expect((await things.scan({ id: new Uint8Array([1, 2]) }).page({ cursor })).rows.map(({ n }) => n)).toEqual([1, 2])
})

test('ROW-2: bytes of another realm are copied too', async () => {
  const things = await open()
  const foreign = runInNewContext('new Uint8Array([7, 8])') as Uint8Array
  await things.put({ ...fresh(), raw: foreign })
  foreign.fill(99)
  expect((await things.get(keyOf(fresh())))?.raw).toEqual(new Uint8Array([7, 8]))
})

test('ROW-1: rows below the mapper are positional and canonical', async () => {
  const written: Row[] = []
  const db = createMapper(wrapped(memory(), { write: (batch, inner) => (written.push(...batch.map(({ row }) => row)), inner()) }))
  await db.ensureTables([Things])
  const things = db.repository(Things)
  await things.put({ note: 'x', tags: { b: 1 }, n: -0, at: new Date(5), id: Buffer.from([1]), raw: null })
  await things.update({ n: 0, at: new Date(5), id: new Uint8Array([1]) }, { raw: new Uint8Array([2]) })
  await things.delete({ n: 0, at: new Date(5), id: new Uint8Array([1]) })
  const key = [new Uint8Array([1]), 5, 0]
  expect(written).toEqual([[...key, 'x', null, '{"b":1}'], [...key, null, new Uint8Array([2]), null], key])
  expect(Object.is(written[0]?.[2], 0)).toBe(true)
  expect(Buffer.isBuffer(written[0]?.[0])).toBe(false)
})

test('ROW-2: the details of an error are nobody’s row', async () => {
  const things = await open([fresh()])
  const { details } = await refusalOf(() => things.insert(fresh()))
  spoil(details['key'] as Thing)
  expect(await things.get(keyOf(fresh()))).toEqual(fresh())
})
