import { isRowkeyError, keyLayout, rowLayout, toHex, type ColumnType, type Row, type Value } from '#codec'
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { property } from '../../../../test/kit/property.js'
import { anyColumn } from './random-columns.js'
import { anyLayout, keysInOrder, nameOf, prefixOf, type Key, type RandomLayout } from './random-layouts.js'
import { byBoundBytes, sign } from './reference-order.js'

const rowsOf = ({ layout, keys }: RandomLayout): Row[] => keys.map((key) => layout.decodeRow(layout.encode(key)))
const startsWith = (bytes: Uint8Array, prefix: Uint8Array): boolean => toHex(bytes).startsWith(toHex(prefix))

describe('one column', () => {
  const twoValues = anyColumn.chain((column) => fc.tuple(fc.constant(column), column.value, column.value))

  property('KEY-2: no encoding begins another one', twoValues, ([{ type, order }, a, b]) => {
    const { encode } = rowLayout([{ name: 'c', type }], 0, []).column(0)
    const [x, y] = [a, b].map((value) => encode(canonical(type, value)))
    expect(startsWith(x as Uint8Array, y as Uint8Array)).toBe(order(a, b) === 0)
  })

  property('KEY-3: bytes, compare() and values agree in order and in equality', twoValues, ([{ type, order }, a, b]) => {
    const { encode, compare } = rowLayout([{ name: 'c', type }], 0, []).column(0)
    const [x, y] = [canonical(type, a), canonical(type, b)] as const
    expect(sign(Buffer.compare(encode(x), encode(y)))).toBe(sign(order(a, b)))
    expect(sign(compare(x, y))).toBe(sign(order(a, b)))
  })
})

function canonical(type: ColumnType, value: unknown): Value {
  const layout = keyLayout([['c', type]])
  return layout.decodeRow(layout.encode({ c: value }))[0] as Value
}

describe('whole keys', () => {
  property('KEY-31: decode(encode(key)) is the key', anyLayout, ({ layout, keys }) => {
    for (const key of keys) expect(layout.decode(layout.encode(key))).toEqual(key)
  })

  property('KEY-3: keys sort by bucket, then by columns', anyLayout, (given) => {
    const { layout, keys } = given
    const rows = rowsOf(given)
    for (const [i, a] of keys.entries()) {
      for (const [j, b] of keys.entries()) {
        const [x, y] = [rows[i] as Row, rows[j] as Row]
        const columns = sign(keysInOrder(given, a, b))
        expect(sign(layout.rows.compareRows(x, y))).toBe(columns)
        const buckets = Buffer.compare(layout.rows.partition(layout.rows.bucketOf(x), x), layout.rows.partition(layout.rows.bucketOf(y), y))
        expect(sign(Buffer.compare(layout.encode(a), layout.encode(b)))).toBe(buckets === 0 ? columns : buckets)
      }
    }
  })

  property('KEY-1: a rowkey is P ‖ K wherever the partition ends', fc.tuple(anyLayout, fc.nat(4)), ([given, cut]) => {
    const { layout, columns, salts, keys } = given
    const partitionLength = Math.min(cut, columns.length)
    const rows = rowLayout(
      columns.map(({ type }, i) => ({ name: nameOf(i), type })),
      partitionLength,
      salts,
    )
    for (const [i, row] of rowsOf(given).entries()) {
      const whole = layout.encode(keys[i] as Key)
      const bucket = rows.bucketOf(row)
      expect(toHex(rows.partition(bucket, row.slice(0, partitionLength))) + toHex(rows.sortKey(row))).toBe(toHex(whole))
      const { bytes, partitionBytes } = rows.encodeKey([...row, 'a value column'])
      expect(toHex(bytes)).toBe(toHex(whole))
      expect(toHex(bytes.subarray(0, partitionBytes))).toBe(toHex(rows.partition(bucket, row)))
      const into: Value[] = []
      rows.decode(whole, into)
      expect(into).toEqual(row)
    }
  })

  property('the positional twins equal the object forms', anyLayout, (given) => {
    for (const [i, row] of rowsOf(given).entries()) {
      const { layout, keys } = given
      const whole = layout.encode(keys[i] as Key)
      expect(toHex(layout.encodeRow(row))).toBe(toHex(whole))
      expect(layout.decodeRow(whole)).toEqual(row)
      const target = new Uint8Array(whole.length)
      expect(layout.encodeRowInto(target, 0, row)).toBe(whole.length)
      expect(toHex(target)).toBe(toHex(whole))
      row.forEach((value, at) => {
        const column = layout.rows.column(at)
        expect(column.decode(column.encode(value))).toEqual(value)
      })
    }
  })

  property(
    'encodeInto writes its range and nothing else',
    fc.tuple(anyLayout, fc.nat(20), fc.constantFrom(0x00, 0xaa, 0xff)),
    ([{ layout, keys }, offset, fill]) => {
      for (const key of keys) {
        const whole = layout.encode(key)
        const target = new Uint8Array(offset + whole.length + 9).fill(fill)
        expect(layout.encodeInto(target, offset, key)).toBe(offset + whole.length)
        const expected = new Uint8Array(target.length).fill(fill)
        expected.set(whole, offset)
        expect(toHex(target)).toBe(toHex(expected))
        const short = new Uint8Array(offset + whole.length - 1).fill(fill)
        expect(() => layout.encodeInto(short, offset, key)).toThrow(RangeError)
        expect(short.every((byte) => byte === fill)).toBe(true)
      }
    },
  )
})

describe('bounds', () => {
  property('KEY-26: before(p) ≤ key < after(p) exactly for the keys that start with p', fc.tuple(anyLayout, fc.nat(4)), ([given, cut]) => {
    const { layout, columns, keys } = given
    const length = Math.min(cut, columns.length)
    const rows = rowsOf(given)
    keys.forEach((p, i) => {
      const bucket = layout.rows.bucketOf(rows[i] as Row)
      const before = layout.bound(prefixOf(p, length), 'before', bucket)
      const after = layout.bound(prefixOf(p, length), 'after', bucket)
      keys.forEach((key, j) => {
        const bytes = layout.encode(key)
        const inside = byBoundBytes(before, bytes) <= 0 && byBoundBytes(bytes, after) < 0
        expect(inside).toBe(layout.rows.bucketOf(rows[j] as Row) === bucket && keysInOrder(given, p, key, length) === 0)
      })
    })
  })

  property(
    'KEY-28: compareBounds never contradicts the bytes',
    fc.tuple(anyLayout, fc.nat(4), fc.nat(4), fc.nat(4)),
    ([given, m, n, partition]) => {
      const { columns } = given
      const rows = rowLayout(
        columns.map(({ type }, i) => ({ name: nameOf(i), type })),
        Math.min(partition, columns.length),
        given.salts,
      )
      const edges = ['before', 'after'] as const
      const prefixes = rowsOf(given).flatMap((row) => [row.slice(0, m), row.slice(0, n)])
      const bounds = prefixes.flatMap((prefix) => edges.map((edge) => ({ prefix, edge })))
      for (const a of bounds) {
        for (const b of bounds) {
          const order = sign(rows.compareBounds(a, b))
          const bytes = sign(byBoundBytes(rows.rowkeyBound(0, a), rows.rowkeyBound(0, b)))
          if (bytes !== 0) expect(order).toBe(bytes)
          expect(sign(rows.compareBounds(b, a)) + order).toBe(0)
          if (a.prefix.length === b.prefix.length && a.edge === b.edge) expect(order).toBe(bytes)
        }
      }
    },
  )

  property('K of a bound is its rowkey without P', fc.tuple(anyLayout, fc.nat(4)), ([given, cut]) => {
    const { columns } = given
    const partitionLength = Math.min(cut, columns.length)
    const rows = rowLayout(
      columns.map(({ type }, i) => ({ name: nameOf(i), type })),
      partitionLength,
      given.salts,
    )
    for (const row of rowsOf(given)) {
      const bucket = rows.bucketOf(row)
      const p = toHex(rows.partition(bucket, row))
      for (let length = partitionLength; length <= columns.length; length++) {
        const bound = { prefix: row.slice(0, length), edge: 'before' } as const
        expect(toHex(rows.rowkeyBound(bucket, bound) as Uint8Array)).toBe(p + toHex(rows.sortKeyBound(bound) as Uint8Array))
        const rest = rows.sortKeyBound({ ...bound, edge: 'after' })
        if (rest !== null) expect(toHex(rows.rowkeyBound(bucket, { ...bound, edge: 'after' }) as Uint8Array)).toBe(p + toHex(rest))
      }
    }
  })
})

describe('damaged keys', () => {
  const telling = fc.oneof(fc.constantFrom(0, 1, 2, 0x5f, 0x7f, 0x80, 0xc0, 0xed, 0xf0, 0xfe, 0xff), fc.nat(255))
  const damage = fc.oneof(
    fc.record({ kind: fc.constant('set' as const), at: fc.nat(200), byte: telling }),
    fc.record({ kind: fc.constant('cut' as const), at: fc.nat(200), byte: fc.constant(0) }),
    fc.record({ kind: fc.constant('add' as const), at: fc.nat(200), byte: fc.nat(255) }),
    fc.record({ kind: fc.constant('drop' as const), at: fc.nat(200), byte: fc.constant(0) }),
  )

  property(
    'KEY-31: a damaged key is MALFORMED_KEY, or the exact bytes of another key',
    fc.tuple(anyLayout, fc.array(damage, { minLength: 1, maxLength: 3 })),
    ([{ layout, keys }, damages]) => {
      for (const key of keys) {
        let bytes = [...layout.encode(key)]
        for (const { kind, at, byte } of damages) {
          const where = bytes.length === 0 ? 0 : at % bytes.length
          if (kind === 'set' && bytes.length > 0) bytes[where] = byte
          else if (kind === 'cut') bytes = bytes.slice(0, where)
          else if (kind === 'add') bytes.splice(where, 0, byte)
          else bytes.splice(where, 1)
        }
        const damaged = Uint8Array.from(bytes)
        try {
          expect(toHex(layout.encode(layout.decode(damaged)))).toBe(toHex(damaged))
        } catch (error) {
          if (!isRowkeyError(error, 'MALFORMED_KEY')) throw error
        }
        expect([...damaged]).toEqual(bytes)
      }
    },
  )

  property('KEY-31: random bytes too', fc.tuple(anyLayout, fc.uint8Array({ maxLength: 40 })), ([{ layout }, bytes]) => {
    try {
      expect(toHex(layout.encode(layout.decode(bytes)))).toBe(toHex(bytes))
    } catch (error) {
      if (!isRowkeyError(error, 'MALFORMED_KEY')) throw error
    }
  })

  property('KEY-31: no beginning of a key is a key', anyLayout, ({ layout, keys }) => {
    for (const key of keys) {
      const bytes = layout.encode(key)
      for (let end = 0; end < bytes.length; end++) expect(() => layout.decode(bytes.subarray(0, end))).toThrow(/^MALFORMED_KEY/)
    }
  })
})
