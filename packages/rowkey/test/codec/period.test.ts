import { desc, fromHex, keyLayout, period, text, timestamp, toHex, uint32, type Every } from '#codec'
import { periodOf, type Periods } from '#codec/internal'
import { describe, expect, test } from 'vitest'

// Made by a Python program from the definition: text and two NULs, a date as 4 bytes, an hour and the instant as 8, all with the sign bit turned.
const golden: readonly [every: Every, offset: string | undefined, at: string, isDesc: boolean, bytes: string][] = [
  ['day', undefined, '2026-12-31T23:59:59.999Z', false, '61000080005152800001a2ce8bd3ff00000007'],
  ['day', '+08:00', '2026-12-31T23:59:59.999Z', true, '6100007fffaeac7ffffe5d31742c0000000007'],
  ['hour', '-03:30', '2027-01-01T00:29:59.999Z', false, '610000800001a2ce705cc0800001a2cea74b3f00000007'],
  ['week', undefined, '2027-01-03T23:00:00Z', false, '6100008000514f800001a2ddc7f98000000007'],
  ['week', undefined, '1969-12-31T23:59:59.999Z', true, '61000080000002800000000000000000000007'],
  ['month', undefined, '2024-02-29T12:00:00Z', false, '61000080004d2a8000018df4bc560000000007'],
  ['month', '+08:00', '2024-02-29T16:00:00Z', false, '61000080004d478000018df598100000000007'],
  ['year', undefined, '1969-12-31T23:59:59.999Z', false, '6100007ffffe937fffffffffffffff00000007'],
  ['year', undefined, '1600-02-29T00:00:00Z', true, '61000080020fe380000a9d5db6bbff00000007'],
]

describe('the bytes of a period', () => {
  test.each(golden)('%s %s of %s, desc %s', (every, offset, at, isDesc, bytes) => {
    const type = period(every, { of: 'at', ...(offset === undefined ? {} : { offset }) })
    const instant = timestamp('ms')
    const { from } = periodOf(type, instant) as Periods
    const value = from(Date.parse(at)) as number
    const begin = new Date(every === 'hour' ? value : value * 86_400_000)
    const layout = keyLayout([
      ['host', text()],
      ['period', isDesc ? desc(type) : type],
      ['at', isDesc ? desc(instant) : instant],
      ['seq', uint32()],
    ])
    const key = { host: 'a', period: begin, at: new Date(at), seq: 7 }
    expect(toHex(layout.encode(key))).toBe(bytes)
    expect(layout.decode(fromHex(bytes))).toEqual(key)
  })
})

describe('period()', () => {
  test('the first and the last instant have one, and numbers have no gaps', () => {
    for (const every of ['hour', 'day', 'week', 'month', 'year'] as const)
      for (const offset of [undefined, '+18:00', '-18:00']) {
        const { from, number, at } = periodOf(period(every, { of: 'at', ...(offset === undefined ? {} : { offset }) }), timestamp('ms')) as Periods // prettier-ignore
        for (const ms of [-8.64e15, -8.64e15 + 1, 0, 8.64e15 - 1, 8.64e15]) {
          const value = from(ms)
          expect(Number.isInteger(value)).toBe(true)
          expect(at(number(value))).toBe(value)
        }
      }
  })

  test.each([
    ['another length', () => period('minute' as Every, { of: 'at' }), "give 'hour', 'day', 'week', 'month' or 'year'"],
    ['no source', () => period('day', {} as { of: string }), 'of is undefined. Name the column'],
    ['no options', () => period('day', undefined as unknown as { of: string }), 'of is undefined'],
    ['a zone', () => period('day', { of: 'at', offset: 'Europe/Berlin' }), 'not a time zone: the days of a zone differ in length'],
    ['no offset', () => period('day', { of: 'at', offset: '+00:00' }), 'offset is'],
    ['a wide offset', () => period('day', { of: 'at', offset: '+18:01' }), 'offset is'],
    ['another form', () => period('day', { of: 'at', as: 'text' as 'Date' }), "Give 'Date' or 'number'."],
    ['another option', () => period('day', { of: 'at', zone: 'UTC' } as { of: string }), 'zone'],
  ])('refuses %s', (_, make, message) => {
    expect(make).toThrow(message)
  })

  test.each([
    ['hour', '2026-01-01T00:30:00Z', undefined],
    ['day', '2026-01-01T00:30:00Z', undefined],
    ['week', '2026-01-01', 'a Monday'],
    ['month', '2026-01-02', 'the first day of a month'],
    ['year', '2026-02-01', 'the first day of a year'],
  ] as const)('a value is the beginning of a %s', (every, given, expected) => {
    const layout = keyLayout([['p', period(every, { of: 'at' })]])
    expect(() => layout.encode({ p: new Date(given) })).toThrow(expected ?? 'cannot hold')
  })
})
