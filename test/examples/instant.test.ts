import { describe, expect, test } from 'vitest'
import { isoMilliseconds } from '../../examples/src/start/instant.js'

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
    expect(isoMilliseconds(text)).toBe(ms)
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
    expect(() => isoMilliseconds(text)).toThrow(`ts '${text}' is no date`)
  })

  test('every day of four years, beside days that there are not', () => {
    for (let month = 1; month <= 12; month++)
      for (const year of [2023, 2024, 2100, 2000])
        for (let day = 1; day <= 31; day++) {
          const text = [String(year), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-')
          const ms = Date.UTC(year, month - 1, day)
          if (new Date(ms).getUTCDate() === day) expect(isoMilliseconds(`${text}T12:00:00+12:00`)).toBe(ms)
          else expect(() => isoMilliseconds(`${text}T12:00:00+12:00`)).toThrow('is no date')
        }
  })
})
