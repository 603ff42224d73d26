import { bucket, date, desc, int32, period, text, timestamp, uint32, type ColumnType } from '#codec'
import { compileQuery, explain, type Explanation } from '#store'
import { defineTable } from '#model'
import { expect, test } from 'vitest'

const at = desc(timestamp('ms'))
const readings = (day: ColumnType<never> | ReturnType<typeof date>, more: object = {}) =>
  defineTable('readings', {
    columns: { device: text(), day: day as ReturnType<typeof date>, at, value: uint32() },
    partition: ['device', 'day'],
    key: ['at'],
    ...more,
  })
type Readings = ReturnType<typeof readings>
const days = (count: number): Date[] => Array.from({ length: count }, (_, i) => new Date(Date.UTC(2026, 0, 1 + i)))
const asked = (schema: Readings, where: object, order: object): Explanation =>
  explain(compileQuery(schema, where as Record<string, unknown>, { order } as never))
const found = (schema: Readings, where: object, order: object = { at: 'desc' }): Explanation['warnings'][number] | undefined =>
  asked(schema, where, order).warnings.find(({ code }) => code === 'merged-periods')
const inPlace =
  "A new table with period('day', { of: 'at' }) in place of 'day' finds the partitions for a range of 'at', and reads them one after the other."

test('a list of days in the order of their instant is a finding, with the requests of a page', () => {
  expect(found(readings(date()), { device: 'd', day: { in: days(30) } })).toEqual({
    code: 'merged-periods',
    severity: 'warning',
    column: 'day',
    message:
      "Every page takes 30 requests, because it merges the rows of 30 values of 'day'. Read one after the other, a page would need few of them.",
    fix: inPlace,
  })
  const both = found(readings(date(), { salt: bucket({ of: 'at', count: 4 }) }), { device: { in: ['a', 'b'] }, day: { in: days(5) } })
  expect(both?.message).toContain('Every page takes 40 requests, because it merges the rows of 5 values')
})

test('where days have the direction of their instant, the order that reads them one after the other is named, and works', () => {
  const table = readings(desc(date()))
  const where = { device: 'd', day: { in: days(30) } }
  expect(found(table, where)?.fix).toBe(`If 'day' follows from 'at', name it in order too: order: { day: 'desc', at: 'desc' }. ${inPlace}`)
  expect(asked(table, where, { day: 'desc', at: 'desc' })).toMatchObject({ kind: 'SKIP SCAN', requests: { least: 1 }, warnings: [] })
})

test.each([
  ['text', text(), ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04']],
  ['a number', int32(), [20260101, 20260102, 20260103, 20260104]],
])('days as %s are known by their name', (_, type, values) => {
  expect(found(readings(type as never), { device: 'd', day: { in: values } })?.fix).toBe(inPlace)
})

test('nothing is said of few days, a period, one day, or lists of something else', () => {
  const device = { in: ['a', 'b', 'c', 'd', 'e'] }
  expect(found(readings(date()), { device: 'd', day: { in: days(3) } })).toBeUndefined()
  expect(found(readings(period('day', { of: 'at' }) as never), { device: 'd', day: { in: days(30) } })).toBeUndefined()
  expect(found(readings(period('day', { of: 'at' }) as never), { device, at: { gte: days(1)[0], lt: days(30)[29] } })).toBeUndefined()
  expect(found(readings(date()), { device, day: new Date(0) })).toBeUndefined()
  expect(found(readings(text() as never, { columns: { device: text(), day: text(), at: uint32() } }), { device, day: 'x' })).toBeUndefined()
})

const refusal = (schema: Readings, where: object): string => {
  try {
    return asked(schema, where, { at: 'desc' }).kind
  } catch (error) {
    return (error as Error).message
  }
}

test('the refusal of too many names the columns with several values, and what to do', () => {
  const period = "declare period('day', { of: 'at' }) in place of 'day' in a new table and query 'at' alone, "
  expect(refusal(readings(date()), { device: 'd', day: { in: days(365) } })).toBe(
    `FAN_OUT_EXCEEDED: the query on 'readings' would merge 365 key ranges, one for each of 365 values of 'day', more than 256. Name fewer values, ${period}or raise maxFanOut.`,
  )
  const salted = readings(date(), { salt: bucket({ of: 'device', count: 4 }) })
  expect(refusal(salted, { device: { in: ['a', 'b'] }, day: { in: days(200) } })).toContain(
    "400 key ranges, one for each of 2 values of 'device' and 200 values of 'day', in each bucket that may have rows, more than 256.",
  )
  const device = { in: Array.from({ length: 300 }, (_, i) => `d${i}`) }
  expect(refusal(readings(date()), { device, day: new Date(0) })).toBe(
    "FAN_OUT_EXCEEDED: the query on 'readings' would merge 300 key ranges, one for each of 300 values of 'device', more than 256. Name fewer values, or raise maxFanOut.",
  )
})

test('the direction of a period is that of its source', () => {
  const table = defineTable('logs', { columns: { day: period('day', { of: 'at' }), at, n: uint32() }, key: ['day', 'at'] })
  const { warnings } = explain(compileQuery(table, { at: { gte: new Date(0), lt: days(1)[0] } }, { order: { at: 'asc' } } as never))
  expect(warnings).toEqual([
    expect.objectContaining({ code: 'reverse', column: 'at', fix: "If most queries need this order, declare 'at' without desc()." }),
  ])
})
