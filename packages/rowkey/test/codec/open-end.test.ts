import { isRowkeyError, keyLayout, rowLayout, toHex, type Bound, type Row, type Value } from '#codec'
import fc from 'fast-check'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect } from 'vitest'
import { property } from '../../../../test/kit/property.js'
import { anyOpenLayout, keyOf, nameOf, type OpenLayout } from './random-open-layouts.js'
import { byBoundBytes, sign } from './reference-order.js'

// Layouts whose last column, or the one before columns of fixed width, has no end of its own. What other layouts promise column by column, these
// promise byte by byte.

const rowsOf = ({ layout, rows }: OpenLayout): Row[] => rows.map((row) => layout.decodeRow(layout.encode(keyOf(row))))
const startsWith = (bytes: Uint8Array, prefix: Uint8Array): boolean => toHex(bytes).startsWith(toHex(prefix))
const edges = ['before', 'after'] as const

/** Used so often that it is compiled. */
function compiled({ types, salts, rows }: OpenLayout): OpenLayout['layout'] {
  const layout = keyLayout(
    types.map((type, i) => [nameOf(i), type] as const),
    { salt: salts },
  )
  for (let i = 0; i < 1001; i++) layout.encode(keyOf(rows[0] ?? []))
  return layout
}

describe('keys without an end of their own', () => {
  property('KEY-31 KEY-42: decode(encode(key)) is the key', anyOpenLayout, ({ layout, rows }) => {
    for (const row of rows) expect(layout.decode(layout.encode(keyOf(row)))).toEqual(keyOf(row))
  })

  property(
    'KEY-41 KEY-42: two keys have the same bytes exactly when they are the same, and compareRows is the order of the bytes',
    anyOpenLayout,
    (given) => {
      const { layout } = given
      const { bucketOf, compareRows } = layout.rows
      const rows = rowsOf(given)
      for (const a of rows) {
        for (const b of rows) {
          if (bucketOf(a) !== bucketOf(b)) continue
          const bytes = sign(Buffer.compare(layout.encodeRow(a), layout.encodeRow(b)))
          expect(sign(compareRows(a, b))).toBe(bytes)
          expect(bytes === 0).toBe(isDeepStrictEqual(a, b))
        }
      }
    },
  )

  property('generated code and the interpreter agree', anyOpenLayout, (given) => {
    const fast = compiled(given)
    const slow = given.interpreted
    const rows = rowsOf(given)
    for (const [i, row] of rows.entries()) {
      const key = keyOf(given.rows[i] ?? [])
      expect(toHex(fast.encode(key))).toBe(toHex(slow.encode(key)))
      expect(fast.decode(slow.encode(key))).toEqual(key)
      expect(toHex(fast.encodeRow(row))).toBe(toHex(slow.encodeRow(row)))
      expect(fast.decodeRow(slow.encodeRow(row))).toEqual(row)
      const into = new Uint8Array(200).fill(0xaa)
      expect(toHex(into.subarray(0, fast.encodeInto(into, 0, key)))).toBe(toHex(slow.encode(key)))
      for (const other of rows) expect(sign(fast.rows.compareRows(row, other))).toBe(sign(slow.rows.compareRows(row, other)))
    }
  })

  property('KEY-1: a rowkey is P ‖ K', anyOpenLayout, (given) => {
    const { layout } = given
    for (const row of rowsOf(given)) {
      const { bytes, partitionBytes } = layout.rows.encodeKey(row)
      expect(toHex(bytes)).toBe(toHex(layout.rows.partition(layout.rows.bucketOf(row), row)) + toHex(layout.rows.sortKey(row)))
      expect(toHex(bytes.subarray(partitionBytes))).toBe(toHex(layout.rows.sortKey(row)))
      row.forEach((value, at) => {
        const column = layout.rows.column(at)
        expect(column.decode(column.encode(value))).toEqual(value)
      })
    }
  })

  const lengths = fc.tuple(anyOpenLayout, fc.nat(4), fc.nat(4))

  property(
    'KEY-26 KEY-43: the bounds of a prefix hold the keys that start with its bytes; those of a whole key hold that key',
    lengths,
    ([given, cut]) => {
      const { rowkeyBound, bucketOf, rowkey, sortKey, sortKeyBound } = given.layout.rows
      const rows = rowsOf(given)
      const length = Math.min(cut, given.types.length)
      for (const row of rows) {
        const bucket = bucketOf(row)
        const prefix = row.slice(0, length)
        const [before, after] = edges.map((edge) => rowkeyBound(bucket, { prefix, edge }))
        const [kBefore, kAfter] = edges.map((edge) => sortKeyBound({ prefix, edge }))
        for (const other of rows) {
          if (bucketOf(other) !== bucket) continue
          const bytes = rowkey(other)
          const isInside = length === row.length ? toHex(bytes) === toHex(rowkey(row)) : startsWith(bytes, before as Uint8Array)
          expect(byBoundBytes(before as Uint8Array, bytes) <= 0 && byBoundBytes(bytes, after as Uint8Array | null) < 0).toBe(isInside)
          const k = sortKey(other)
          expect(byBoundBytes(kBefore as Uint8Array, k) <= 0 && byBoundBytes(k, kAfter as Uint8Array | null) < 0).toBe(isInside)
        }
      }
    },
  )

  property('KEY-28 KEY-43: compareBounds never contradicts the bytes, and is an order', lengths, ([given, m, n]) => {
    const { compareBounds, rowkeyBound } = given.layout.rows
    const bounds = rowsOf(given).flatMap((row) =>
      [row, row.slice(0, m), row.slice(0, n)].flatMap((prefix) => edges.map((edge): Bound => ({ prefix, edge }))),
    )
    const wrong: unknown[] = []
    const must = (holds: boolean, ...what: readonly Bound[]): void => {
      if (!holds) wrong.push(what)
    }
    for (const a of bounds) {
      for (const b of bounds) {
        const order = sign(compareBounds(a, b))
        const bytes = sign(byBoundBytes(rowkeyBound(0, a), rowkeyBound(0, b)))
        must(bytes === 0 || order === bytes, a, b)
        must(sign(compareBounds(b, a)) + order === 0, a, b)
        if (given.layout.rows.splitColumn === undefined) continue
        // A whole row is a key too.
        const row = { ...a, prefix: a.prefix.length < given.types.length ? a.prefix : [...a.prefix, 'value'] }
        must(sign(compareBounds(row, b)) === order, row, b)
      }
    }
    const sorted = bounds.toSorted(compareBounds)
    for (const [i, a] of sorted.entries()) for (const b of sorted.slice(i + 1)) must(compareBounds(a, b) <= 0, a, b)
    expect(wrong).toEqual([])
  })

  property('the first columns alone are a layout, as in cursors', anyOpenLayout, (given) => {
    for (const row of rowsOf(given)) {
      for (let length = 1; length <= row.length; length++) {
        const first = rowLayout(
          given.types.slice(0, length).map((type, i) => ({ name: nameOf(i), type })),
          0,
          [],
        )
        const into: Value[] = []
        first.decode(first.sortKey(row.slice(0, length)), into)
        expect(into).toEqual(row.slice(0, length))
      }
    }
  })
})

const telling = fc.constantFrom(0, 1, 0x5f, 0x60, 0x61, 0x37, 0x80, 0xc3, 0xa9, 0xf0, 0xff)
const damage = fc.tuple(fc.constantFrom('set', 'cut', 'add', 'drop'), fc.nat(60), telling)

property(
  'KEY-31: a damaged key is MALFORMED_KEY, or the exact bytes of another key, with generated code too',
  fc.tuple(anyOpenLayout, fc.array(damage, { minLength: 1, maxLength: 3 })),
  ([given, damages]) => {
    const fast = compiled(given)
    for (const row of given.rows) {
      let bytes = [...given.layout.encode(keyOf(row))]
      for (const [kind, at, byte] of damages) {
        const where = bytes.length === 0 ? 0 : at % bytes.length
        if (kind === 'set') bytes[where] = byte
        else if (kind === 'cut') bytes = bytes.slice(0, where)
        else bytes.splice(where, kind === 'drop' ? 1 : 0, ...(kind === 'add' ? [byte] : []))
      }
      const damaged = Uint8Array.from(bytes)
      for (const layout of [given.interpreted, fast]) {
        try {
          expect(toHex(layout.encode(layout.decode(damaged)))).toBe(toHex(damaged))
        } catch (error) {
          if (!isRowkeyError(error, 'MALFORMED_KEY')) throw error
        }
      }
      const problems = [given.interpreted, fast].map((layout) => layout.inspect(damaged).problem?.message)
      expect(problems[0]).toBe(problems[1])
    }
  },
)
