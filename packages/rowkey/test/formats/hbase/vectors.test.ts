import { compareKeys, toHex } from '#codec'
import { bytesDecimal, bytesDouble, bytesFloat, bytesInt, bytesLong, bytesShort, bytesString, type BytesForm } from '#formats/hbase'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

interface Vector {
  readonly values: readonly [{ readonly t: string; readonly v: string; readonly bits?: string }]
  readonly hex: string
  readonly rank: number
}
interface Group {
  readonly id: string
  readonly vectors: readonly Vector[]
}

const { groups } = JSON.parse(readFileSync(new URL('../vectors/hbase.json', import.meta.url), 'utf8')) as { groups: readonly Group[] }

const forms: Readonly<Record<string, BytesForm<unknown>>> = {
  'bytes/long': bytesLong,
  'bytes/int': bytesInt,
  'bytes/short': bytesShort,
  'bytes/double': bytesDouble,
  'bytes/float': bytesFloat,
  'bytes/string': bytesString,
  'bytes/decimal': bytesDecimal,
}

function valueOf(id: string, [{ t, v }]: Vector['values']): unknown {
  const value = t === 'int' ? (id === 'bytes/long' ? BigInt(v) : Number(v)) : t.startsWith('float') ? Number(v) : v
  return value
}

/** NaN with bits of its own: JavaScript cannot hold them. */
const isForeign = ({ values: [{ v, bits }] }: Vector): boolean => v === 'NaN' && bits !== '7fc00000' && bits !== '7ff8000000000000'

test('there is a form for each group', () => expect(groups.map(({ id }) => id)).toEqual(Object.keys(forms)))

describe.each(groups)('$id', ({ id, vectors }) => {
  const { encode, decode, ordered } = forms[id] as BytesForm<unknown>
  const common = vectors.filter((vector) => !isForeign(vector))

  test('the bytes, both ways', () => {
    for (const { values, hex } of common) {
      const value = valueOf(id, values)
      expect(toHex(encode(value))).toBe(hex)
      expect(decode(encode(value))).toBe(value) // Object.is: -0 stays -0
    }
  })

  test('says whether its bytes sort like its values', () => {
    const inOrder = common.toSorted((a, b) => a.rank - b.rank)
    const steps = inOrder.slice(1).map((vector, i) => {
      const before = inOrder[i] as Vector
      expect(compareKeys(encode(valueOf(id, before.values)), encode(valueOf(id, vector.values)))).toBeLessThan(0)
      return compare(before.values[0].v, vector.values[0].v)
    })
    expect(steps.every((step) => step < 0)).toBe(ordered)
  })

  function compare(a: string, b: string): number {
    return id === 'bytes/string' ? Buffer.compare(Buffer.from(a), Buffer.from(b)) : Number(a) - Number(b)
  }
})

test('bytes/float: NaN has one form here and the payload of another is refused, not lost', () => {
  const foreign = groups.flatMap(({ vectors }) => vectors.filter(isForeign))
  expect(foreign.map(({ hex }) => hex)).toEqual(['7fc00001'])
  expect(() => bytesFloat.decode(Uint8Array.from(Buffer.from('7fc00001', 'hex')))).toThrow(/^MALFORMED_KEY/)
  expect(toHex(bytesFloat.encode(NaN))).toBe('7fc00000')
})
