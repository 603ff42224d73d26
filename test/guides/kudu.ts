import { kuduStore } from '@rowkey/kudu'
import {
  bool,
  bytes,
  date,
  decimal,
  defineTable,
  desc,
  float32,
  float64,
  int16,
  int32,
  int64,
  int8,
  kuduHash,
  nullable,
  text,
  timestamp,
  type Mapper,
  type Model,
} from 'rowkey'
import { expect } from 'vitest'
import { codeOf, type AddLine } from './line.js'

/** A table as Kudu creates it. */
interface Native {
  readonly columns: readonly { readonly name: string; readonly type: string; readonly isKey: boolean; readonly isNullable?: boolean }[]
  readonly hash: readonly { readonly columns: readonly string[]; readonly buckets: number }[]
}

const nativeOf = (db: Pick<Mapper, 'ddl'>, model: Model): Native =>
  (db.ddl(model) as { statements: readonly Native[] }).statements.at(-1) as Native

const findings = (db: Pick<Mapper, 'ddl'>, model: Model): readonly string[] =>
  (db.ddl(model) as { warnings: readonly { code: string; column?: string }[] }).warnings.map(
    ({ code, column }) => `${code} ${column ?? ''}`,
  )

/** What the guide asks of Kudu alone: the other stores have nothing like it. */
export function kudu(add: AddLine): void {
  const line = (title: string, run: Parameters<AddLine>[1]): void => add(title, run, {}, ['kudu'])

  line('G-53 G-54 G-55: every column has its own type in Kudu, and only those outside the key may be null', async (store) => {
    const Typed = defineTable('typed', {
      columns: {
        host: text(),
        day: date(),
        at: desc(timestamp('us')),
        i8: int8(),
        i16: int16(),
        i32: int32(),
        i64: nullable(int64()),
        f32: nullable(float32()),
        f64: float64(),
        flag: nullable(bool()),
        ms: timestamp('ms'),
        price: nullable(decimal(9, 2)),
        raw: nullable(bytes()),
      },
      key: ['host', 'day', 'at'],
    })
    const db = await store.create([Typed])
    const { columns } = nativeOf(db, Typed)
    expect(Object.fromEntries(columns.map(({ name, type }) => [name, type]))).toEqual({
      host: 'STRING',
      day: 'DATE',
      at: 'INT64', // descending: minus one minus it
      i8: 'INT8',
      i16: 'INT16',
      i32: 'INT32',
      i64: 'INT64',
      f32: 'FLOAT',
      f64: 'DOUBLE',
      flag: 'BOOL',
      ms: 'UNIXTIME_MICROS',
      price: 'DECIMAL',
      raw: 'BINARY',
    })
    expect(columns.filter(({ isNullable }) => isNullable !== true).map(({ name }) => name)).toEqual(['host', 'day', 'at'])
    const row = {
      host: 'a',
      day: new Date('2024-02-29'),
      at: 1_700_000_000_000_001n,
      i8: -128,
      i16: 32_767,
      i32: -1,
      f64: 0.1,
      ms: new Date(1),
    }
    const [full, nulls] = [
      { ...row, i64: -(2n ** 63n), f32: 0.5, flag: true, price: '-0.01', raw: Uint8Array.of(0, 255) },
      { ...row, at: 1_700_000_000_000_002n, i64: null, f32: null, flag: null, price: null, raw: null },
    ]
    const rows = db.repository(Typed)
    await rows.putMany([full, nulls])
    expect(await rows.scan({ host: 'a' }).toArray()).toEqual([nulls, full]) // the later instant comes first
  })

  line(
    'G-64: a key column that may be null, a boolean or a floating-point number is refused by strict, else kept as bytes and named',
    async (store) => {
      for (const type of [nullable(text()), bool(), float64()] as const) {
        const [columns, key] = [{ id: int64(), odd: type }, ['id', 'odd']] as const
        const Strict = defineTable('strict', { columns, key, stores: { kudu: { strict: true } } })
        expect(await codeOf(() => store.create([Strict]))).toBe('NOT_SUPPORTED')
        const Kept = defineTable('kept', { columns, key })
        const db = await store.create([Kept])
        expect(nativeOf(db, Kept).columns.map((column) => [column.type, column.isNullable === true])).toEqual([
          ['INT64', false],
          ['BINARY', false],
        ])
        expect(findings(db, Kept)).toContain('kudu-key-bytes odd')
      }
    },
  )

  line('G-76: a table that says nothing of its partitions is refused, because there is no default', async (store) => {
    const plain = defineTable('plain', { columns: { id: int64() }, key: ['id'] })
    const salted = defineTable('salted', { columns: { id: int64() }, key: ['id'], salt: kuduHash({ of: 'id', count: 4 }) })
    expect(await codeOf(() => kuduStore.ddl(plain))).toBe('NOT_SUPPORTED')
    expect(kuduStore.ddl(plain, { hash: 8 }).text).toContain('PARTITION BY HASH (`id`) PARTITIONS 8')
    expect(kuduStore.ddl(salted).text).toContain('PARTITION BY HASH (`id`) PARTITIONS 4')
    await store.create([salted])
  })

  line('G-74 G-78 G-89 G-93: two levels of kuduHash are hash partitions of Kudu, and 12 buckets are 12 tablets', async (store) => {
    const Metrics = defineTable('metrics', {
      columns: { host: text(), metric: text(), time: int64(), value: float64() },
      key: ['host', 'metric', 'time'],
      salt: [kuduHash({ of: 'host', count: 4 }), kuduHash({ of: 'metric', count: 3, seed: 42 })],
    })
    const db = await store.create([Metrics])
    expect(nativeOf(db, Metrics).hash).toEqual([
      { columns: ['host'], buckets: 4 },
      { columns: ['metric'], buckets: 3, seed: 42 },
    ])
    const metrics = db.repository(Metrics)
    const rows = Array.from({ length: 240 }, (_, i) => ({ host: `h${i % 20}`, metric: `m${i % 12}`, time: BigInt(i), value: i }))
    await metrics.putMany(rows)
    const tablets = await metrics.parts(100)
    expect(tablets).toHaveLength(12)
    const inTablets = await Promise.all(tablets.map((checkpoint) => metrics.readAll({ checkpoint }).toArray()))
    expect(inTablets.flat().toSorted((a, b) => a.value - b.value)).toEqual(rows)
    // The bucket of the rowkey says in which tablet a row is.
    const buckets = inTablets.map((found) => new Set(found.map((row) => metrics.encodeKey(row)[0])))
    expect(buckets.filter(({ size }) => size > 1)).toEqual([])
  })
}
