import { bool, bytes, date, decimal, float64, int32, int64, json, nullable, type Row, text, timestamp, uuid } from '#codec'
import { defineTable } from '#model'
import { expect, test } from 'vitest'
import { objectBuilder } from '../../src/mapper/rows/object-code.js'
import { RowMapper } from '../../src/mapper/rows/row-mapper.js'

const Wide = defineTable('wide', {
  columns: {
    id: text(),
    at: timestamp('ms'),
    ns: nullable(timestamp('ns')),
    day: nullable(date()),
    blob: bytes(),
    maybeBlob: nullable(bytes()),
    n: nullable(float64()),
    big: int64(),
    small: int64({ as: 'number' }),
    flag: bool(),
    level: int32({ default: 7 }),
    price: nullable(decimal(10, 2)),
    who: nullable(uuid()),
    data: nullable(json()),
    'a "quoted" name': nullable(text({ name: 'quoted' })),
  },
  key: ['id'],
})

const given = {
  id: 'x', at: new Date(5), ns: 2n ** 60n, day: new Date(86_400_000), blob: Uint8Array.of(1, 2), maybeBlob: new Uint8Array(), n: -0, big: 2n ** 62n,
  small: 5, flag: false, level: 3, price: '1.50', who: '6f1e0e5c-0d6b-4f0e-9c3b-0123456789ab', data: { a: [1] }, 'a "quoted" name': '',
} // prettier-ignore
const sparse = { id: '', at: new Date(0), blob: new Uint8Array(), big: 0n, small: 0, flag: true }

/** The same object many times: the general way first, then by code made for the columns. */
function built(mapper: RowMapper, row: Row): object[] {
  return Array.from({ length: 600 }, () => mapper.toObject(row))
}

test('objects are the same before and after code is made for their columns, their bytes and dates their own', () => {
  for (const object of [given, sparse]) {
    const mapper = new RowMapper(Wide, undefined)
    const row = mapper.toRow(object, 0, null)
    const all = built(mapper, row)
    for (const each of all) expect(each).toEqual(all[0])
    expect(Object.keys(all.at(-1) as object)).toEqual(Object.keys(all[0] as object))
    const [a, b] = all.slice(-2) as (typeof given)[]
    expect(a?.blob).not.toBe(b?.blob)
    expect(a?.at).not.toBe(b?.at)
    expect(row.includes(a?.blob as never)).toBe(false)
  }
  const mapper = new RowMapper(Wide, undefined)
  const rows = built(mapper, mapper.toRow(given, 0, null)) as (typeof given)[]
  expect(rows.at(-1)).toEqual(given)
  expect(Object.is(rows.at(-1)?.n, -0)).toBe(true)
})

test('code is made once enough objects were asked for, not for the first ones', () => {
  const row = ['x']
  const general = { id: 'the general way' }
  const build = objectBuilder([{ name: 'id', position: 0, nullable: false, shown: undefined }], undefined, () => general)
  const all = Array.from({ length: 600 }, () => build(row))
  expect(all.findIndex((object) => object !== general)).toBe(256)
  expect(all.at(-1)).toEqual({ id: 'x' })
})

test('ROW-4: a required column that is null in the store is its default, or refused, also by the code', () => {
  const mapper = new RowMapper(Wide, undefined)
  const row = mapper.toRow(given, 0, null)
  built(mapper, row)
  const without = (name: string): Row => row.map((value, i) => (Wide.columns[i]?.name === name ? null : value))
  expect(mapper.toObject(without('level'))).toMatchObject({ level: 7 })
  expect(() => mapper.toObject(without('flag'))).toThrow(
    "UNREADABLE_ROW: this model of 'wide' cannot hold a stored row: column 'flag' has no value",
  )
  expect(mapper.toObject(row.slice(0, -1))).toHaveProperty(Wide.columns.at(-1)?.name ?? '')
})

test('instances of a class: its constructor and its setters run, its other fields stay', () => {
  class Person {
    seen = 'by the constructor'
    private kept = ''
    get id(): string {
      return this.kept
    }
    set id(value: string) {
      this.kept = value.toUpperCase()
    }
  }
  const fields = [
    { name: 'id', position: 0, nullable: false, shown: undefined },
    { name: 'n', position: 1, nullable: true, shown: undefined },
  ]
  const general = {}
  const build = objectBuilder(fields, Person, () => general)
  let made = 0
  for (let i = 0; i < 600; i++) {
    const person = build(['ann', 5])
    if (person === general) continue
    made++
    expect(person).toBeInstanceOf(Person)
    expect(person).toMatchObject({ id: 'ANN', n: 5, seen: 'by the constructor' })
  }
  expect(made).toBeGreaterThan(300)
  expect(build([null, 5])).toBe(general)
  expect(build(['ann'])).toMatchObject({ n: null })
})

test('ROW-4: JSON that is damaged in the store is a corrupt row, before and after code is made', () => {
  const Docs = defineTable('docs', { columns: { id: text(), data: nullable(json()) }, key: ['id'] })
  const mapper = new RowMapper(Docs, undefined)
  const refused = "CORRUPT_ROW: a row of 'docs' has text in column 'data' that is not JSON"
  expect(() => mapper.toObject(['a', '{"cut'])).toThrow(refused)
  for (const each of built(mapper, ['a', '{"n":1}'])) expect(each).toEqual({ id: 'a', data: { n: 1 } })
  expect(() => mapper.toObject(['a', '{"cut'])).toThrow(refused)
  expect(() => mapper.pick(['a', ''], [1])).toThrow(refused)
})

test('rows of objects are the same before and after code is made, of exactly the length of the table', () => {
  const Timed = defineTable('timed', {
    columns: { id: text(), n: nullable(int32()), who: text({ default: 'x' }) },
    key: ['id'],
    ttl: '1d',
    version: 'v',
  })
  class Inherited {
    get n(): number {
      return 5
    }
  }
  const cases: readonly (readonly [Readonly<Record<string, unknown>>, Row])[] = [
    [{ id: 'a', n: 1, who: 'y' }, ['a', 1, 'y']],
    [{ id: 'a' }, ['a', null, 'x']],
    [{ id: 'a', n: undefined, v: 'old' }, ['a', null, 'x']],
    [Object.assign(new Inherited() as object, { id: 'a' }), ['a', 5, 'x']],
  ]
  for (const [object, values] of cases) {
    const mapper = new RowMapper(Timed, undefined)
    const rows = Array.from({ length: 600 }, () => mapper.toRow(object, 0, 7))
    for (const row of rows) expect(row.slice(0, -1)).toEqual([...values, 7])
    expect(rows.at(-1)).toHaveLength(Timed.columns.length)
    expect(rows.at(-1)?.[Timed.versionIndex]).toMatch(/^[0-9A-Z]{26}$/)
    expect(() => mapper.toRow({ ...object, other: undefined }, 0, 7)).toThrow("UNKNOWN_COLUMN: 'timed' has no column 'other'")
  }
})

test('a name is refused if the object has it itself, not if it inherits it', () => {
  const mapper = new RowMapper(Wide, undefined)
  const inheriting = Object.assign(Object.create({ helper: () => 1 }) as object, given)
  expect(mapper.toRow(inheriting, 0, null)).toEqual(mapper.toRow(given, 0, null))
  expect(() => mapper.toRow(Object.assign(inheriting, { helper: 1 }), 0, null)).toThrow("UNKNOWN_COLUMN: 'wide' has no column 'helper'")
})
