import { bucket, createMapper, defineTable, int32, kuduHash, nullable, text, type TableSchema } from 'rowkey'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { checkpointOf, comparePlaces, stretchOf } from '../src/splits.js'
import { createByHand } from './by-hand.js'
import { connect, type Connected } from './connected.js'

const columns = { host: text(), n: int32(), note: nullable(text()) }
const key = ['host', 'n'] as const
const hash = { hash: [{ columns: ['host'], buckets: 4 }] }
const Salted = defineTable('salted', { columns, key, salt: kuduHash({ of: 'host', count: 4 }) })
const Ranged = defineTable('ranged', { columns, key, salt: kuduHash({ of: 'host', count: 4 }) })
const ranges = { range: ['n'], ranges: [{ to: { n: 100 } }, { from: { n: 100 }, to: { n: 200 } }, { from: { n: 200 } }] }
const tables: readonly (readonly [TableSchema, number])[] = [
  [Salted, 4],
  [Ranged, 12],
  [defineTable('columned', { columns, key, salt: bucket({ of: 'host', count: 5 }) }), 5],
  [defineTable('unsalted', { columns, key }), 2],
]

test('a checkpoint is a place, a key and an end; what is none is CURSOR_INVALID', () => {
  const place = (range: string, ...buckets: number[]) => ({ buckets, range: Uint8Array.from(Buffer.from(range, 'hex')) })
  for (const stretch of [
    { from: undefined, after: undefined, upTo: undefined },
    { from: place('80000001', 1, 2), after: Uint8Array.of(0, 255), upTo: place('', 3, 0) },
    { from: place(''), after: undefined, upTo: undefined },
  ]) {
    expect(stretchOf(checkpointOf(stretch))).toEqual(stretch)
  }
  for (const bad of ['', '.', 'x', '..x', '1:0..', '1:..2:0', '4294967296:..', '1:.0.', '1:00.00', ' ..', '..\n']) {
    expect(() => stretchOf(bad), bad).toThrow('CURSOR_INVALID')
  }
})

test('places are in the order of partitions', () => {
  const places = [
    [0, 0, ''],
    [0, 0, '01'],
    [0, 1, ''],
    [1, 0, ''],
    [2, 0, ''],
    [10, 0, ''],
  ] as const
  const of = ([a, b, range]: (typeof places)[number]) => ({ buckets: [a, b], range: Uint8Array.from(Buffer.from(range, 'hex')) })
  for (const [i, a] of places.entries())
    for (const [j, b] of places.entries()) expect(Math.sign(comparePlaces(of(a), of(b)))).toBe(Math.sign(i - j))
})

withServer('kudu', (connection) => {
  let server: Connected
  beforeAll(async () => {
    server = await connect(connection)
    await createByHand(server, Ranged, { ...hash, ...ranges })
  })
  afterAll(() => server.dispose())

  const rows = Array.from({ length: 300 }, (_, n) => ({ host: `h${n % 17}`, n, note: 'x'.repeat(n % 40) }))
  const wanted = rows.map(({ n }) => n)
  const numbersOf = (found: readonly { readonly n: number }[]): readonly number[] => found.map(({ n }) => n).toSorted((a, b) => a - b)

  describe.each(tables.map(([schema, tablets]) => [schema.name, schema, tablets] as const))('%s', (_, schema, tablets) => {
    const model = schema as typeof Salted
    test('parts together have every row once, at most as many as tablets', async () => {
      const db = createMapper(server.adapter)
      await db.ensureTables([model])
      const repository = db.repository(model)
      await repository.putMany(rows)
      for (const count of [1, 2, 3, 5, 100]) {
        const parts = await repository.parts(count)
        expect(parts).toHaveLength(Math.min(count, tablets))
        const found: { readonly n: number }[] = []
        for (const checkpoint of parts) found.push(...(await repository.readAll({ checkpoint }).toArray()))
        expect(numbersOf(found)).toEqual(wanted)
      }
    })

    test('a full scan goes on after each of its checkpoints, and ends where its part does', async () => {
      const { adapter } = server
      const catalog = await adapter.ensureTable(model)
      const store = adapter.table(model, catalog)
      const strong = { consistency: 'strong' } as const
      for (const begin of [undefined, ...((await store.splits?.(2, strong)) ?? [])]) {
        const whole = await drain(begin)
        let left = whole.length
        let checkpoint = begin
        for (let round = 0; left > 0; round++) {
          const source = store.fullScan(checkpoint, strong)
          const page = await source.next(1 + (round % 13))
          source.close()
          left -= page?.rows.length ?? 0
          ;({ checkpoint } = page as { readonly checkpoint: string })
          expect(await drain(checkpoint)).toHaveLength(left)
        }
      }
      async function drain(checkpoint: string | undefined): Promise<readonly unknown[]> {
        const source = store.fullScan(checkpoint, strong)
        const found: unknown[] = []
        for (let page = await source.next(64); page !== undefined; page = await source.next(64)) found.push(...page.rows)
        return found
      }
    })
  })

  test('a checkpoint in a range that was dropped goes on with the next one', async () => {
    const db = createMapper(server.adapter)
    const Dropping = defineTable('dropping', { columns, key })
    await createByHand(server, Dropping, ranges)
    await db.ensureTables([Dropping])
    const repository = db.repository(Dropping)
    await repository.putMany(rows)
    const store = server.adapter.table(Dropping, await server.adapter.ensureTable(Dropping))
    let checkpoint: string | undefined
    for (let read = 0; read < 150;) {
      const page = await store.fullScan(checkpoint, { consistency: 'strong' }).next(10)
      read += page?.rows.length ?? 0
      checkpoint = page?.checkpoint
    }
    const table = await server.client.openTable(`${server.database}.dropping`)
    await server.client.alterTable(table, [{ dropRange: { from: { n: 100 }, to: { n: 200 } } }])
    const rest = store.fullScan(checkpoint, { consistency: 'strong' })
    const found: number[] = []
    for (let page = await rest.next(1000); page !== undefined; page = await rest.next(1000))
      found.push(...page.rows.map((row) => row[1] as number))
    expect(found.toSorted((a, b) => a - b)).toEqual(wanted.slice(200))
  })
})
