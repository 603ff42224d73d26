import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ceiling, epochNanoseconds, isoNanoseconds, isoText, ticksOf, unitOf, units, type Unit } from '../../examples/src/start/instant.js'
import { timeReader } from '../../examples/src/start/time-column.js'

describe('ISO 8601', () => {
  test.each([
    ['2026-01-31', Date.UTC(2026, 0, 31)],
    ['2024-02-29 23:59', Date.UTC(2024, 1, 29, 23, 59)],
    ['2026-01-01T24:00:00Z', Date.UTC(2026, 0, 2)],
    ['2026-01-01T24:00', Date.UTC(2026, 0, 2)],
    ['2026-03-01T00:30:00+02:00', Date.UTC(2026, 1, 28, 22, 30)],
    ['2026-01-01T00:00:00-0530', Date.UTC(2026, 0, 1, 5, 30)],
    ['2026-01-01T00:00:00+05', Date.UTC(2025, 11, 31, 19)],
    ['2026-01-01T00:00:00.5', Date.UTC(2026, 0, 1, 0, 0, 0, 500)],
    ['2026-01-01T00:00:00,123000-00:30', Date.UTC(2026, 0, 1, 0, 30, 0, 123)],
    ['0001-01-01T00:00:00Z', Date.parse('0001-01-01T00:00:00Z')],
    ['-000001-12-31T23:59:59.999Z', Date.parse('-000001-12-31T23:59:59.999Z')],
    ['+275760-09-13T00:00:00Z', 8.64e15],
  ])('%s is taken', (text, ms) => {
    expect(isoNanoseconds(text)).toBe(BigInt(ms) * 1_000_000n)
  })

  test.each([
    '2026-02-30T00:00:00Z',
    '2026-02-30T00:00:00+00:00',
    '2026-02-31T10:00:00+02:00',
    '2026-04-31T00:00:00-0500',
    '2026-02-30T24:00:00Z',
    '2025-02-29',
    '2026-00-01',
    '2026-13-01',
    '2026-01-00',
    '2026-01-01T25:00:00Z',
    '2026-01-01T24:00:01Z',
    '2026-01-01T24:00:00.001Z',
    '2026-01-01T23:60:00Z',
    '2026-01-01T23:59:60+01:00',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+23:60',
    '-000000-01-01',
    '+275760-09-13T00:00:00.001Z',
    '+275760-09-14',
  ])('%s is no date', (text) => {
    expect(() => isoNanoseconds(text)).toThrow(`ts '${text}' is no date`)
  })

  test('every day of four years, beside days that there are not', () => {
    for (let month = 1; month <= 12; month++)
      for (const year of [2023, 2024, 2100, 2000])
        for (let day = 1; day <= 31; day++) {
          const text = [String(year), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-')
          const ms = Date.UTC(year, month - 1, day)
          if (new Date(ms).getUTCDate() === day) expect(isoNanoseconds(`${text}T12:00:00+12:00`)).toBe(BigInt(ms) * 1_000_000n)
          else expect(() => isoNanoseconds(`${text}T12:00:00+12:00`)).toThrow('is no date')
        }
  })
})

const unit = fc.constantFrom<Unit>('ms', 'us', 'ns')
const run = { seed: Number(process.env['ROWKEY_SEED'] ?? 20_260_301) }

describe('units', () => {
  test('an instant of any unit is written and read without losing a digit', () => {
    const last = 8_640_000_000_000_000n
    const ticks = unit.chain((each) => {
      const bound = (last * 1_000_000n) / units[each].nanoseconds
      return fc.tuple(fc.constant(each), fc.oneof(fc.bigInt(-bound, bound), fc.bigInt(-5000n, 5000n), fc.constantFrom(bound, -bound)))
    })
    fc.assert(
      fc.property(ticks, ([each, count]) => {
        const nanoseconds = count * units[each].nanoseconds
        const instant = each === 'ms' ? new Date(Number(count)) : count
        expect(ticksOf(instant)).toBe(count)
        expect(isoNanoseconds(isoText(instant, each))).toBe(nanoseconds)
        expect(epochNanoseconds(String(count), each)).toBe(nanoseconds)
      }),
      run,
    )
  })

  test('a bound is the first instant of its unit that is not before it', () => {
    fc.assert(
      fc.property(unit, fc.bigInt(-(10n ** 15n), 10n ** 15n), (each, nanoseconds) => {
        const size = units[each].nanoseconds
        const first = ceiling(nanoseconds, each)
        expect(first * size >= nanoseconds && (first - 1n) * size < nanoseconds).toBe(true)
      }),
      run,
    )
    expect(ceiling(10n ** 20n, 'ns')).toBe(2n ** 63n - 1n)
    expect(ceiling(-(10n ** 20n), 'ns')).toBe(-(2n ** 63n))
  })

  test('the coarsest unit that holds an instant', () => {
    expect([0n, 1_000_000n, -5_000_000n, 1_000n, 1_001_000n, 1n, -1n].map(unitOf)).toEqual(['ms', 'ms', 'ms', 'us', 'us', 'ns', 'ns'])
  })
})

describe('the column with the instant', () => {
  const read = (name: Parameters<typeof timeReader>[0], texts: readonly string[]): unknown => {
    const { unit: found, ticks } = timeReader(name, texts)
    return [found, ...texts.map((text) => String(ticks(text)))]
  }

  test.each([
    ['seconds', ['1521911720', '1521911721'], ['ms', '1521911720000', '1521911721000']],
    ['seconds with decimals', ['1521911720.5', '1521911721'], ['ms', '1521911720500', '1521911721000']],
    ['seconds with microseconds', ['1521911720.600843', '1521911721'], ['us', '1521911720600843', '1521911721000000']],
    ['seconds with nanoseconds', ['1521911720.600843001'], ['ns', '1521911720600843001']],
    ['zeros below a nanosecond', ['1521911720.500000000000'], ['ms', '1521911720500']],
    ['milliseconds', ['1521911720600'], ['ms', '1521911720600']],
    ['milliseconds with decimals', ['1521911720600.843'], ['us', '1521911720600843']],
    ['microseconds', ['1521911720600843', '1521911720600001'], ['us', '1521911720600843', '1521911720600001']],
    ['nanoseconds', ['1521911720600843001'], ['ns', '1521911720600843001']],
    ['ISO 8601', ['2026-01-01T00:00:00.000001Z', '2026-01-01'], ['us', '1767225600000001', '1767225600000000']],
    ['both', ['2026-01-01', '1521911720'], ['ms', '1767225600000', '1521911720000']],
  ])('ts with %s', (_, texts, found) => {
    expect(read('ts', texts)).toEqual(found)
  })

  test('a name with a unit is counted in it, whatever the size of its numbers', () => {
    expect(read('ts_s', ['7', '-7.25'])).toEqual(['ms', '7000', '-7250'])
    expect(read('ts_ms', ['1521911720600843', '-3'])).toEqual(['ms', '1521911720600843', '-3'])
    expect(read('ts_us', ['1000', '0'])).toEqual(['us', '1000', '0'])
    expect(read('ts_ns', ['1000000'])).toEqual(['ns', '1000000'])
  })

  test.each([
    ['ts', ['5000'], "ts '5000' can be seconds or parts of a second: a column ts_s, ts_ms, ts_us or ts_ns says which"],
    ['ts', ['-1521911720'], 'can be seconds or parts of a second'],
    ['ts', ['99999999'], 'can be seconds or parts of a second'],
    ['ts', ['1'.repeat(21)], 'can be seconds or parts of a second'],
    ['ts', ['1521911720600', '1521911720', '1521911720601'], "ts '1521911720' looks like seconds, unlike most of the first records"],
    ['ts', ['1.5e9'], 'is not ISO 8601, and no epoch'],
    ['ts', [''], 'is not ISO 8601, and no epoch'],
    ['ts', ['2026-01-01T00:00:00.0000000001Z'], 'is finer than a nanosecond'],
    ['ts_ms', ['1521911720600.5'], 'is not epoch milliseconds'],
    ['ts_us', ['2026-01-01'], 'is not epoch microseconds'],
    ['ts_us', ['8640000000000000001'], 'is no date'],
  ] as const)('%s %j is refused', (name, texts, reason) => {
    expect(() => read(name, texts)).toThrow(reason)
  })

  test('a record that is finer than the sample is refused, not rounded', () => {
    const { ticks } = timeReader('ts', ['1521911720'])
    expect(() => ticks('1521911720.6000001')).toThrow("ts '1521911720.6000001' is finer than a millisecond, unlike the first 1,000 records")
    expect(ticks('1521911720.600')).toBe(1_521_911_720_600n)
  })
})
