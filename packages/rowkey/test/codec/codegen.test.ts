import { bucket, desc, keyLayout, nullable, text, timestamp, toHex, uint32, type KeyLayout } from '#codec'
import { afterEach, describe, expect, test, vi } from 'vitest'

const columns = [
  ['host', text()],
  ['at', desc(timestamp('ms'))],
  ['n', nullable(uint32())],
] as const
const salt = bucket({ of: 'host', count: 16 })
const key: { host: string; at: Date; n: number | null } = { host: 'wéb', at: new Date(1.7e12), n: 7 }
const hex = '0677c3a9620000' + '7ffffe74301a97ff' + '0100000007'

afterEach(() => {
  vi.restoreAllMocks()
  vi.resetModules()
})

/** As code is made by `new Function` only, this sees all of it. */
const watch = () => vi.spyOn(globalThis, 'Function')

const calls: readonly (readonly [string, (layout: KeyLayout<typeof key>) => unknown])[] = [
  ['encode', (layout) => toHex(layout.encode(key))],
  ['encodeInto', (layout) => layout.encodeInto(new Uint8Array(100), 0, key)],
  ['decode', (layout) => layout.decode(Uint8Array.from(Buffer.from(hex, 'hex')))],
  ['encodeRow', (layout) => toHex(layout.encodeRow(['wéb', 1.7e12, 7]))],
  ['encodeRowInto', (layout) => layout.encodeRowInto(new Uint8Array(100), 0, ['wéb', 1.7e12, 7])],
  ['decodeRow', (layout) => layout.decodeRow(Uint8Array.from(Buffer.from(hex, 'hex')))],
  ['compareRows', (layout) => layout.rows.compareRows(['a', 5, null], ['a', 5, 1])],
]

describe('code is made once a layout is hot, and changes nothing', () => {
  test.each(calls)('%s', (_, call) => {
    const layout = keyLayout(columns, { salt })
    const made = watch()
    const first = call(layout)
    for (let i = 0; i < 300; i++) expect(call(layout)).toEqual(first)
    expect(made).not.toHaveBeenCalled()
    for (let i = 0; i < 1000; i++) expect(call(layout)).toEqual(first)
    expect(made.mock.calls.filter(([...names]) => names.length > 2)).toHaveLength(1)
    const bad = { ...key, n: -1 }
    for (let i = 0; i < 10; i++) expect(() => layout.encode(bad)).toThrow("INVALID_VALUE: column 'n' cannot hold -1.")
  })

  test("never with codegen: 'never'", () => {
    const layout = keyLayout(columns, { salt, codegen: 'never' })
    const made = watch()
    for (let i = 0; i < 3000; i++) expect(toHex(layout.encode(key))).toBe(hex)
    expect(made).not.toHaveBeenCalled()
  })

  test('another codegen is refused', () => {
    expect(() => keyLayout(columns, { codegen: 'always' as 'auto' })).toThrow(
      "INVALID_LAYOUT: codegen cannot be \"always\". Use 'auto' or 'never'.",
    )
  })
})

test('a call taken from a layout before it is compiled goes on beside the one that replaces it, and both say what is wrong', () => {
  const layout = keyLayout(columns, { salt })
  const early = { encode: layout.encode, encodeInto: layout.encodeInto, decode: layout.decode }
  for (let i = 0; i < 1100; i++) early.encode(key)
  const late = { encode: layout.encode, encodeInto: layout.encodeInto, decode: layout.decode }
  expect([late.encode === early.encode, late.encodeInto === early.encodeInto, late.decode === early.decode]).toEqual([false, false, false])
  for (const { encode, encodeInto, decode } of [early, late]) {
    expect(toHex(encode(key))).toBe(hex)
    expect(encodeInto(new Uint8Array(hex.length / 2), 0, key)).toBe(hex.length / 2)
    expect(decode(encode(key))).toEqual(key)
    expect(() => encode({ ...key, n: -1 })).toThrow("column 'n' cannot hold -1")
    expect(() => encodeInto([] as never, 0, key)).toThrow('encodeInto() takes a Uint8Array')
    expect(() => decode(new Uint8Array([6]))).toThrow('it ends too early')
  }
  expect(Object.isFrozen(layout)).toBe(true)
})

describe('a layout works as part of another object, before and after it is compiled', () => {
  type Layout = KeyLayout<typeof key>
  test.each<[string, (layout: Layout) => Layout]>([
    ['a spread', (layout) => ({ ...layout })],
    ['Object.assign', (layout) => Object.assign({}, layout)],
    ['a Proxy', (layout) => new Proxy(layout, {})],
    [
      'a Proxy that calls Reflect',
      (layout) => new Proxy(layout, { get: (target, name, proxy): unknown => Reflect.get(target, name, proxy) }),
    ],
    ['Object.create', (layout) => Object.create(layout) as Layout],
  ])('%s', (_, wrap) => {
    const layout = keyLayout(columns, { salt })
    const early = wrap(layout)
    const results = calls.map(([, call]) => call(layout))
    expect(calls.map(([, call]) => call(early))).toEqual(results)
    for (let i = 0; i < 1100; i++) layout.encode(key)
    for (const wrapped of [early, wrap(layout)]) {
      expect(calls.map(([, call]) => call(wrapped))).toEqual(results)
      expect(() => wrapped.encode({ ...key, n: -1 })).toThrow("column 'n' cannot hold -1")
      expect(wrapped.decode(wrapped.encode(key))).toEqual(key)
    }
  })
})

test('a host that forbids it is asked once in a process, and closures go on', async () => {
  const made = watch().mockImplementation(() => {
    throw new EvalError('Code generation from strings disallowed for this context')
  })
  const { keyLayout: fresh } = await import('#codec')
  const layouts = [fresh(columns, { salt }), fresh(columns, { salt })]
  for (let i = 0; i < 3000; i++) for (const layout of layouts) expect(toHex(layout.encode(key))).toBe(hex)
  expect(made).toHaveBeenCalledTimes(1)
})

test('a host that forbids it later on: closures from then on', () => {
  const hot = keyLayout(columns, { salt })
  for (let i = 0; i < 1500; i++) hot.encode(key)
  const late = keyLayout(columns, { salt })
  watch().mockImplementation(() => {
    throw new EvalError('Code generation from strings disallowed for this context')
  })
  for (let i = 0; i < 3000; i++) expect(toHex(late.encode(key))).toBe(hex)
  expect(toHex(hot.encode(key))).toBe(hex)
})

test('a getter that encodes with the same layout does not get in its way', () => {
  const layout = keyLayout([
    ['a', text()],
    ['b', text()],
  ])
  const inner = { a: 'x'.repeat(20), b: 'y'.repeat(20) }
  const outer = {
    a: 'first',
    get b(): string {
      return toHex(layout.encode(inner)).slice(0, 4)
    },
  }
  for (let i = 0; i < 2500; i++) expect(layout.encode(outer)).toEqual(layout.encode({ a: 'first', b: '7878' }))
})
