import { bucket, defineTable, desc, hashPrefix, kuduHash, timestamp } from 'rowkey'
import { compareKeys, type TableSchema, type Value } from 'rowkey/adapter'
import * as codec from 'rowkey/codec'
import { keyLayout, type ColumnType, type Salt } from 'rowkey/codec'
import { describe, expect, test } from 'vitest'
import { followedKinds, kinds, lastKinds } from '../../../packages/rowkey/src/conformance/oracle/kinds.js'
import { columnOf, type OracleColumn } from '../../../packages/rowkey/src/conformance/oracle/layout.js'
import { isOutside, keyColumns, type KeyColumn } from '../src/keys.js'
import { saltingOf } from '../src/salting/salting.js'
import { sqlType } from '../src/values.js'

type Stored = ReturnType<KeyColumn['write']>

const schemaOf = (column: OracleColumn, salt: readonly Salt[] = []): TableSchema =>
  defineTable('t', { columns: { [column.name]: column.type }, key: [column.name], salt } as never)

/** Values as the core has them, each once: a key has one zero. */
function valuesOf({ name, type, kind, nulls }: OracleColumn, { layout }: TableSchema): readonly Value[] {
  const keys = keyLayout([[name, type]])
  const given = [...kind.pool, ...(nulls === undefined ? [] : [null])]
  const bytes = new Map(given.map((value) => [codec.toHex(keys.encode({ [name]: value })), value] as const))
  return [...bytes.keys()].map((hex) => layout.column(0).decode(codec.fromHex(hex)))
}

/** As Kudu orders them. */
function byKudu(a: Stored, b: Stored): number {
  if (typeof a === 'string' || typeof b === 'string') return Buffer.compare(Buffer.from(a as string), Buffer.from(b as string))
  if (a instanceof Uint8Array || b instanceof Uint8Array) return Buffer.compare(a as Uint8Array, b as Uint8Array)
  return a < b ? -1 : a > b ? 1 : 0
}

const forms = [...kinds, ...followedKinds, ...lastKinds].flatMap((kind) => {
  const isWhole = followedKinds.includes(kind) || lastKinds.includes(kind)
  const directions = lastKinds.includes(kind) ? [false] : [false, true]
  const nulls = isWhole ? [undefined] : ([undefined, 'first', 'last'] as const)
  return directions.flatMap((isDesc) =>
    nulls.map(
      (each) =>
        [`${isDesc ? 'desc ' : ''}${kind.name}${each === undefined ? '' : `, nulls ${each}`}`, columnOf('k', kind, isDesc, each)] as const,
    ),
  )
})

describe.each(forms)('%s', (_, column) => {
  const schema = schemaOf(column)
  const [key] = keyColumns(schema) as [KeyColumn]
  const values = valuesOf(column, schema)
  const { layout } = schema
  const isHeld = (value: Value): boolean => isOutside(key, key.write(value)) === undefined

  test('what is stored for a value is that value when it is read', () => {
    for (const value of values) {
      const stored = key.write(value)
      const answered = typeof stored === 'number' && /INT64|MICROS/.test(key.kudu.type) ? BigInt(stored) : stored // as the client reads it
      if (isHeld(value)) expect(key.read(answered), String(value)).toEqual(value)
    }
  })

  test('stored values are in the order of the key, and each is followed by the next', () => {
    for (const a of values) {
      const [stored, next] = [key.write(a), key.next(key.write(a))]
      expect(next === undefined || byKudu(stored, next) < 0, String(a)).toBe(true)
      for (const b of values) {
        const order = compareKeys(layout.column(0).encode(a), layout.column(0).encode(b))
        expect(Math.sign(byKudu(stored, key.write(b))), `${String(a)} and ${String(b)}`).toBe(Math.sign(order))
        if (order < 0 && isHeld(a) && isHeld(b))
          expect(next !== undefined && byKudu(next, key.write(b)) <= 0, `next of ${String(a)}`).toBe(true)
      }
    }
  })

  test('a stored value of another type is none', () => {
    const others: readonly Stored[] = key.form === 'bytes' || key.kudu.type === 'BINARY' ? ['text', 1, 1n] : [true, Uint8Array.of(1)]
    for (const given of others) expect(key.read(given)).toBeUndefined()
  })
})

const written: readonly (readonly [ColumnType, Stored, readonly Stored[]])[] = [
  [codec.uint8(), 255, [256, -1]],
  [desc(codec.uint8()), -256, [-257, 0]],
  [codec.uint32(), 0n, [-1n, 2n ** 32n]],
  [desc(codec.uint32()), -1n, [0n, -(2n ** 32n) - 1n]],
  [timestamp('ms'), 1000n, [1001n, -1n]],
  [codec.fixedBytes(2), Uint8Array.of(1, 2), [Uint8Array.of(1), Uint8Array.of(1, 2, 3)]],
  [codec.bool(), Uint8Array.of(1), [Uint8Array.of(), Uint8Array.of(2)]],
]
test.each(written)('%o: what another program has written is read if it is a value of the column', (type, good, bad) => {
  const [key] = keyColumns(defineTable('t', { columns: { k: type }, key: ['k'] })) as [KeyColumn]
  expect(key.read(good)).toBeDefined()
  for (const each of bad) expect(key.read(each)).toBeUndefined()
})

const typeOf = (type: ColumnType): string => {
  const [{ kudu, form }] = keyColumns(defineTable('t', { columns: { k: type }, key: ['k'] })) as [KeyColumn]
  return `${form} ${sqlType(kudu)}`
}

test.each([
  [codec.int8(), 'native TINYINT', 'turned INT'],
  [codec.int16(), 'native SMALLINT', 'turned INT'],
  [codec.int32(), 'native INT', 'turned INT'],
  [codec.int64(), 'native BIGINT', 'turned BIGINT'],
  [codec.int64({ as: 'number' }), 'native BIGINT', 'turned BIGINT'],
  [codec.uint8(), 'native SMALLINT', 'turned INT'],
  [codec.uint16(), 'native INT', 'turned INT'],
  [codec.uint32(), 'native BIGINT', 'turned BIGINT'],
  [codec.uint64(), 'bytes BINARY', 'bytes BINARY'],
  [timestamp('ms'), 'native TIMESTAMP', 'turned BIGINT'],
  [timestamp('us'), 'native TIMESTAMP', 'turned BIGINT'],
  [timestamp('ns'), 'native BIGINT', 'turned BIGINT'],
  [codec.date(), 'native DATE', 'turned INT'],
  [codec.decimal(9, 2), 'native DECIMAL(9, 2)', 'bytes BINARY'],
  [codec.decimal(38), 'native DECIMAL(38, 0)', 'bytes BINARY'],
  [codec.text(), 'native STRING', 'bytes BINARY'],
  [codec.bytes(), 'native BINARY', 'bytes BINARY'],
  [codec.fixedBytes(4), 'native BINARY', 'bytes BINARY'],
  [codec.uuid(), 'native STRING', 'bytes BINARY'],
  [codec.uuid({ order: 'time' }), 'bytes BINARY', 'bytes BINARY'],
  [codec.bool(), 'bytes BINARY', 'bytes BINARY'],
  [codec.float64(), 'bytes BINARY', 'bytes BINARY'],
  [codec.digits(codec.uint32(), { width: 10 }), 'bytes BINARY', 'bytes BINARY'],
  [codec.reversed(codec.text()), 'bytes BINARY', 'bytes BINARY'],
] as readonly (readonly [ColumnType, string, string])[])('%o is %s, and descending %s', (type, ascending, descending) => {
  expect([typeOf(type), typeOf(desc(type)), typeOf(codec.nullable(type))]).toEqual([ascending, descending, 'bytes BINARY'])
})

test('a DATE has the years 1 to 9999', () => {
  const [key] = keyColumns(schemaOf(columnOf('k', { name: 'date', type: codec.date(), pool: [], compare: () => 0 }, false, undefined))) as [
    KeyColumn,
  ]
  expect([-719_163, -719_162, 0, 2_932_896, 2_932_897].map((day) => isOutside(key, day))).toEqual([
    'before',
    undefined,
    undefined,
    undefined,
    'after',
  ])
  expect(key.next(2_932_896)).toBeUndefined()
})

describe('how a salt is kept', () => {
  const columns = {
    a: codec.text(),
    n: codec.int32(),
    at: timestamp('ms'),
    us: timestamp('us'),
    back: desc(codec.int32()),
    d: codec.decimal(38, 3),
  }
  const salted = (...salt: Salt[]): string =>
    saltingOf(defineTable('t', { columns, key: ['a', 'n', 'at', 'us', 'back', 'd'], salt } as never))
  test.each([
    ['none', []],
    ['hash', [kuduHash({ of: 'a', count: 4 })]],
    ['hash', [kuduHash({ of: ['a', 'n'], count: 4 }), kuduHash({ of: 'us', count: 3, seed: 7 })]],
    ['hash', [kuduHash({ of: 'd', count: 4 })]],
    // It hashes milliseconds as an INT64, and the column has microseconds.
    ['column', [kuduHash({ of: 'at', count: 4 })]],
    ['column', [kuduHash({ of: ['a', 'at'], count: 4 })]],
    // It hashes the number, and the column has minus one minus it.
    ['column', [kuduHash({ of: 'back', count: 4 })]],
    ['column', [kuduHash({ of: 'a', count: 4 }), kuduHash({ of: 'back', count: 4 })]],
    ['column', [bucket({ of: 'a', count: 4 })]],
    ['column', [hashPrefix({ of: 'a', digits: 2 })]],
    ['column', [kuduHash({ of: 'a', count: 4 }), bucket({ of: 'n', count: 4 })]],
  ])('%s: %o', (salting, salt) => {
    expect(salted(...salt)).toBe(salting)
  })
})
