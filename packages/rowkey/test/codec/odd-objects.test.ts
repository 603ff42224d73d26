import { bytes, date, fixedBytes, isColumnType, isRowkeyError, keyLayout, successor, text, timestamp, toHex, uint8, uuid } from '#codec'
import { values } from '#codec/internal'
import { describe, expect, test } from 'vitest'

// What typed callers may well have, and what only looks like it.

function codeOf(run: () => unknown): string {
  try {
    run()
    return 'nothing was refused'
  } catch (error) {
    return isRowkeyError(error) ? error.code : String(error)
  }
}

test('KEY-8: a value may lie in the memory that the key is written to', () => {
  const layout = keyLayout([
    ['kind', uint8()],
    ['id', fixedBytes(4)],
    ['rest', bytes()],
  ])
  const page = new Uint8Array(64)
  for (const offset of [0, 1, 3, 6, 9]) {
    page.set([0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0, 0xff], 2)
    const end = layout.encodeInto(page, offset, { kind: 7, id: page.subarray(2, 6), rest: page.subarray(4, 9) })
    expect(toHex(page.subarray(offset, end))).toBe('07aabbccddccddee0001ff0000')
  }
})

/** `subarray` and `slice` of such a class call its constructor with other arguments than it takes. */
class Pool extends Uint8Array {
  constructor(length: number) {
    super(length)
    this.fill(0)
  }
  static override of(...given: number[]): Pool {
    const pool = new Pool(given.length)
    pool.set(given)
    return pool
  }
}

describe('arrays of a class with a constructor of its own', () => {
  const layout = keyLayout([
    ['a', text()],
    ['u', uuid()],
    ['f', fixedBytes(2)],
    ['b', bytes()],
  ])
  const key = { a: 'x'.repeat(40), u: '00112233-4455-6677-8899-aabbccddeeff', f: Uint8Array.of(1, 2), b: Uint8Array.of(0, 9) }
  const plain = layout.encode(key)

  test('as target, as key and as value', () => {
    const target = new Pool(300)
    const end = layout.encodeInto(target, 50, { ...key, f: Pool.of(1, 2), b: Pool.of(0, 9) })
    expect(toHex(new Uint8Array(target.buffer, 50, end - 50))).toBe(toHex(plain))
    expect(layout.decode(Pool.of(...plain))).toEqual(key)
    expect(layout.inspect(Pool.of(...plain))).toEqual(layout.inspect(plain))
    expect(toHex(successor(Pool.of(1, 2, 0xff)) as Uint8Array)).toBe('0103')
  })
})

test('objects that only look like arrays or Dates are refused with an error of ours', () => {
  const layout = keyLayout([['b', bytes()]])
  const fakes = [
    Object.create(Uint8Array.prototype),
    new Proxy(new Uint8Array(3), {}),
    { [Symbol.toStringTag]: 'Uint8Array', length: 1 },
  ] as Uint8Array[]
  for (const fake of fakes) {
    expect(codeOf(() => layout.encode({ b: fake }))).toBe('INVALID_VALUE')
    expect(codeOf(() => layout.encodeInto(fake, 0, { b: new Uint8Array(1) }))).toBe('INVALID_VALUE')
    expect(codeOf(() => layout.decode(fake))).toBe('MALFORMED_KEY')
  }
  class Tagged extends Date {
    get [Symbol.toStringTag](): string {
      return 'Tagged'
    }
  }
  const times = keyLayout([['at', timestamp('ms')]])
  expect(toHex(times.encode({ at: new Tagged(0) }))).toBe('8000000000000000')
  for (const fake of [Object.create(Date.prototype), { [Symbol.toStringTag]: 'Date', getTime: () => 5 }] as Date[]) {
    expect(codeOf(() => times.encode({ at: fake }))).toBe('INVALID_VALUE')
    expect(codeOf(() => values(date(), 'day').toValue(fake))).toBe('INVALID_VALUE')
  }
})

describe('KEY-26: a prefix is read as encode reads a key', () => {
  class User {
    readonly #name: string
    constructor(name: string) {
      this.#name = name
    }
    get user(): string {
      return this.#name
    }
  }
  const layout = keyLayout([
    ['user', text()],
    ['n', uint8()],
  ])

  test('accessors and inherited columns count', () => {
    expect(toHex(layout.prefix(new User('ann')).from)).toBe('616e6e0000')
    expect(toHex(layout.prefix(Object.create({ user: 'ann' }) as { user: string }).from)).toBe('616e6e0000')
  })

  test('what has no column is not everything, but {} is', () => {
    for (const given of [new Map([['user', 'ann']]), new Date(), [], new (class Empty {})()]) {
      expect(codeOf(() => layout.prefix(given as never))).toBe('INVALID_VALUE')
    }
    expect(layout.prefix({})).toEqual({ from: new Uint8Array(0), to: null })
    expect(layout.prefix(Object.create(null) as object)).toEqual({ from: new Uint8Array(0), to: null })
  })

  test('a column called like a method of every object is not there unless it is', () => {
    const odd = keyLayout([
      ['constructor', text()],
      ['n', uint8()],
    ])
    expect(odd.prefix({} as never)).toEqual({ from: new Uint8Array(0), to: null })
    expect(toHex(odd.prefix({ constructor: 'a' }).from)).toBe('610000')
  })
})

test('copies of types are refused, with the way to change one', () => {
  expect(isColumnType(Object.freeze({ ...text() }))).toBe(false)
  expect(isColumnType(Object.freeze(structuredClone({ ...text() })))).toBe(false)
  expect(codeOf(() => values({ ...text() }, 'a'))).toBe('INVALID_COLUMN_TYPE')
})

test('a layout of 250 columns', () => {
  const columns = Array.from({ length: 250 }, (_, i) => [`c${i}`, uint8()] as const)
  const layout = keyLayout(columns)
  const key = Object.fromEntries(columns.map(([name], i) => [name, i]))
  for (let i = 0; i < 1200; i++) expect(layout.encode(key)[249]).toBe(249)
  expect(layout.decode(layout.encode(key))).toEqual(key)
})
