import {
  bucket,
  desc,
  hashPrefix,
  int64,
  keyLayout,
  paddedText,
  reversed,
  separatedText,
  text,
  timestamp,
  toHex,
  uint64,
} from '@rowkey/codec'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

interface Vector {
  readonly values: readonly string[]
  readonly hex: string
  readonly floorMod?: number
}
interface Group {
  readonly id: string
  readonly recipe: string
  readonly vectors: readonly Vector[]
}

const file = JSON.parse(readFileSync(new URL('./vectors/idioms.json', import.meta.url), 'utf8')) as { groups: readonly Group[] }
const vectors = (id: string): readonly Vector[] => {
  const found = file.groups.find((group) => group.id === id)?.vectors ?? []
  expect(found.length).toBeGreaterThan(0)
  return found
}
/** Text is escaped and ended in our keys and raw in the guides'. */
const ended = (raw: string): string => raw.replaceAll(/../g, (byte) => (byte === '00' ? '0001' : byte)) + '0000'
const first = ({ values }: Vector): string => values[0] as string

describe('vendor idioms, against bytes that Java wrote', () => {
  test('KEY-24: md5(userid).substring(0, 4)', () => {
    const layout = keyLayout([['user', text()]], { salt: hashPrefix({ of: 'user', digits: 4 }) })
    for (const vector of vectors('md5-prefix/4')) {
      expect(toHex(layout.encode({ user: first(vector) }))).toBe(vector.hex.slice(0, 8) + ended(vector.hex.slice(8)))
    }
  })

  test('KEY-18: reverse(text)', () => {
    const layout = keyLayout([['user', reversed(text())]])
    for (const vector of vectors('reverse')) {
      expect(toHex(layout.encode({ user: first(vector) }))).toBe(ended(vector.hex))
      expect(layout.decode(layout.encode({ user: first(vector) }))).toEqual({ user: first(vector) })
    }
  })

  test('KEY-18: reverse(integer)', () => {
    const layout = keyLayout([['id', reversed(int64())]])
    for (const vector of vectors('reverse-int')) expect(toHex(layout.encode({ id: BigInt(first(vector)) }))).toBe(ended(vector.hex))
  })

  test('KEY-10: Long.MAX_VALUE - ts', () => {
    const layout = keyLayout([['at', desc(int64())]])
    const instants = keyLayout([['at', desc(timestamp('ms', { as: 'bigint' }))]])
    for (const vector of vectors('max-minus-ts/binary')) {
      const at = BigInt(first(vector))
      expect(toHex(layout.encode({ at }))).toBe(vector.hex)
      if (at <= 8_640_000_000_000_000n) expect(toHex(instants.encode({ at }))).toBe(vector.hex)
    }
  })

  test('KEY-11: Bytes.toBytes(long) of what is not negative', () => {
    const layout = keyLayout([['at', uint64()]])
    for (const vector of vectors('ts/binary')) expect(toHex(layout.encode({ at: BigInt(first(vector)) }))).toBe(vector.hex)
  })

  test('KEY-23: ts % 16 in a byte', () => {
    const layout = keyLayout([['at', uint64()]], { salt: bucket({ of: 'at', modulo: 16 }) })
    for (const vector of vectors('bucket/16/byte')) expect(toHex(layout.encode({ at: BigInt(first(vector)) }))).toBe(vector.hex)
  })

  test('KEY-23: Math.floorMod for what is negative', () => {
    const { rows } = keyLayout([['at', int64()]], { salt: bucket({ of: 'at', modulo: 10 }) })
    for (const vector of vectors('bucket/negative')) expect(rows.bucketOf([BigInt(first(vector))])).toBe(vector.floorMod)
  })

  test("KEY-16: rpad(host, 20, 'x'); what would collide or be cut is refused", () => {
    const layout = keyLayout([['host', paddedText(20, { with: 'x' })]])
    let refused = 0
    for (const vector of vectors('rpad/20')) {
      const host = first(vector)
      if (host.length > 20 || host.endsWith('x')) {
        expect(() => layout.encode({ host })).toThrow(/^INVALID_VALUE/)
        refused++
      } else expect(toHex(layout.encode({ host }))).toBe(vector.hex)
    }
    expect(refused).toBeGreaterThan(0)
  })

  test('KEY-1: rpad(id) followed by Long.MAX_VALUE - ts', () => {
    const layout = keyLayout([
      ['id', paddedText(20, { with: 'x' })],
      ['at', desc(int64())],
    ])
    for (const vector of vectors('combined/rpad,max-minus-ts')) {
      expect(toHex(layout.encode({ id: first(vector), at: BigInt(vector.values[1] as string) }))).toBe(vector.hex)
    }
  })

  test("KEY-17: host + '_'", () => {
    const layout = keyLayout([
      ['host', separatedText('_')],
      ['event', separatedText('_')],
    ])
    expect(Buffer.from(layout.encode({ host: 'web-1', event: 'login' })).toString()).toBe('web-1_login_')
  })
})
