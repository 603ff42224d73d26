import { isRowkeyError, keyLayout, rowLayout, text, toHex, type KeyLayout, type Row } from '#codec'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { property } from '../../../../../test/kit/property.js'
import { anyLayout, nameOf, type RandomLayout } from '../random-layouts.js'

// Generated code against the closures: the same results and the very same errors, also for what no typed caller would give.

const closuresOf = ({ columns, salts }: RandomLayout): KeyLayout =>
  keyLayout(
    columns.map(({ type }, i) => [nameOf(i), type] as const),
    { salt: salts, codegen: 'never' },
  )

/** What came out, as something to compare; -0 and NaN are told apart by toEqual. */
function outcome(run: () => unknown): unknown {
  try {
    const result = run()
    return result instanceof Uint8Array ? toHex(result) : result
  } catch (error) {
    if (isRowkeyError(error)) return { message: error.message, details: error.details }
    return { name: (error as Error).name, message: (error as Error).message }
  }
}

const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, NaN, -0, 0, 1, -1, 0.5, Infinity, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 63), 8.64e15 + 1),
  fc.constantFrom<unknown>(0n, -1n, 2n ** 63n, 2n ** 64n, -(2n ** 63n) - 1n, 8_640_000_000_000_001n),
  fc.constantFrom<unknown>('', 'a', '\ud800', 'a\udc00', `${'a'.repeat(40)}\ud800`, '\0'.repeat(40), 'é'.repeat(3000), '1', '-0'),
  fc.constantFrom<unknown>(true, false, {}, [], [1], new Date(NaN), new Date(5), new Date(86_400_000), Object.create(Date.prototype)),
  fc.constantFrom<unknown>(
    new Uint8Array(0),
    new Uint8Array(5),
    Buffer.from([0, 1]),
    new Uint16Array(2),
    new Uint8ClampedArray(5),
    () => 1,
  ),
  fc.anything(),
)

property('on good keys, from objects and from rows, into bytes and into targets', anyLayout, (given) => {
  const { layout, keys } = given
  const closures = closuresOf(given)
  for (const key of keys) {
    const bytes = closures.encode(key)
    const row = closures.decodeRow(bytes)
    expect(toHex(layout.encode(key))).toBe(toHex(bytes))
    expect(toHex(layout.encodeRow(row))).toBe(toHex(bytes))
    expect(layout.decode(bytes)).toStrictEqual(closures.decode(bytes))
    expect(layout.decodeRow(bytes)).toStrictEqual(row)
    // Ample room, no room to spare, one byte too few.
    for (const length of [3 * bytes.length + 100, bytes.length + 3, bytes.length + 2]) {
      const [one, other] = [new Uint8Array(length).fill(0xaa), new Uint8Array(length).fill(0xaa)]
      expect(outcome(() => layout.encodeInto(one, 3, key))).toEqual(outcome(() => closures.encodeInto(other, 3, key)))
      expect(toHex(one)).toBe(toHex(other))
      expect(outcome(() => layout.encodeRowInto(one, 0, row))).toEqual(outcome(() => closures.encodeRowInto(other, 0, row)))
      expect(toHex(one)).toBe(toHex(other))
    }
  }
})

property(
  'on keys with one bad value, an odd offset, or something else than a key',
  fc.tuple(anyLayout, fc.nat(), junk, junk),
  ([given, at, bad, odd]) => {
    const { layout, keys, columns } = given
    const closures = closuresOf(given)
    const [key = {}] = keys
    const name = nameOf(at % columns.length)
    const wrong = { ...key, [name]: bad }
    const row: unknown[] = [...closures.decodeRow(closures.encode(key))]
    row[at % columns.length] = bad
    for (const each of [layout, closures]) each.encode(key)
    expect(outcome(() => layout.encode(wrong))).toEqual(outcome(() => closures.encode(wrong)))
    expect(outcome(() => layout.encodeRow(row as Row))).toEqual(outcome(() => closures.encodeRow(row as Row)))
    expect(outcome(() => layout.encodeInto(new Uint8Array(9999), odd as number, key))).toEqual(
      outcome(() => closures.encodeInto(new Uint8Array(9999), odd as number, key)),
    )
    expect(outcome(() => layout.encodeInto(odd as Uint8Array, 0, key))).toEqual(
      outcome(() => closures.encodeInto(odd as Uint8Array, 0, key)),
    )
    expect(outcome(() => layout.encode(odd as typeof key))).toEqual(outcome(() => closures.encode(odd as typeof key)))
    expect(outcome(() => layout.encodeRow(odd as Row))).toEqual(outcome(() => closures.encodeRow(odd as Row)))
    expect(outcome(() => layout.decode(odd as Uint8Array))).toEqual(outcome(() => closures.decode(odd as Uint8Array)))
    const extra = { ...key, [`${name}x`]: bad }
    expect(outcome(() => layout.encode(extra))).toEqual(outcome(() => closures.encode(extra)))
  },
)

const damage = fc.record({
  cut: fc.option(fc.nat(), { freq: 3 }),
  changes: fc.array(fc.tuple(fc.nat(), fc.constantFrom(0, 1, 2, 0x7f, 0x80, 0xbf, 0xc0, 0xe0, 0xed, 0xf4, 0xfe, 0xff)), { maxLength: 3 }),
  more: fc.uint8Array({ maxLength: 2 }),
})

property('KEY-31: on damaged keys', fc.tuple(anyLayout, fc.array(damage, { minLength: 1, maxLength: 8 })), ([given, damages]) => {
  const { layout, keys } = given
  const closures = closuresOf(given)
  for (const key of keys) {
    for (const { cut, changes, more } of damages) {
      const good = closures.encode(key)
      const bytes = Uint8Array.from([...good.subarray(0, cut === null ? good.length : cut % (good.length + 1)), ...more])
      for (const [at, byte] of changes) if (bytes.length > 0) bytes[at % bytes.length] = byte
      expect(outcome(() => layout.decode(bytes))).toStrictEqual(outcome(() => closures.decode(bytes)))
      expect(outcome(() => layout.decodeRow(bytes))).toStrictEqual(outcome(() => closures.decodeRow(bytes)))
    }
  }
})

property('compareRows, rest and decode of the positional layout', fc.tuple(anyLayout, fc.nat(4)), ([given, cut]) => {
  const { columns, salts, keys, layout } = given
  const make = (codegen: 'auto' | 'never') =>
    rowLayout(
      columns.map(({ type }, i) => ({ name: nameOf(i), type })),
      Math.min(cut, columns.length),
      salts,
      { codegen },
    )
  const [generated, closures] = [make('auto'), make('never')]
  const rows = keys.map((key) => layout.decodeRow(layout.encode(key)))
  for (const a of rows) {
    expect(toHex(generated.rowkey(a))).toBe(toHex(closures.rowkey(a)))
    const { bytes, partitionBytes } = generated.encodeKey(a)
    expect([toHex(bytes), partitionBytes]).toEqual([toHex(closures.rowkey(a)), closures.encodeKey(a).partitionBytes])
    expect(toHex(generated.sortKey([...a, 'a value column']))).toBe(toHex(closures.sortKey(a)))
    for (const b of rows) expect(Math.sign(generated.compareRows(a, b))).toBe(Math.sign(closures.compareRows(a, b)))
  }
})

test('this folder does run generated code', () => {
  const made = vi.spyOn(globalThis, 'Function')
  keyLayout([['a', text()]])
  expect(made).toHaveBeenCalledTimes(1)
})
