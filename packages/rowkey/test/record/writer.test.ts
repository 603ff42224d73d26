import { nullable, text, toHex, uint32, type Value } from '#codec'
import { defineTable } from '#model'
import { RecordFormat } from '#record'
import { newCatalog, type TableSchema } from '#store/adapter'
import { Unpackr } from 'msgpackr'
import { describe, expect, test } from 'vitest'
import { valueKindNames } from '../../../../test/kit/kind-names.js'
import { every, kinds, position } from './tables.js'

const format = new RecordFormat(every, newCatalog(every))
const library = new Unpackr({ int64AsType: 'bigint', useRecords: false, mapsAsObjects: true })

const rowWith = (values: Readonly<Record<string, Value>>): Value[] => {
  const row = new Array<Value>(every.columns.length).fill(null)
  row[0] = 7
  for (const [name, value] of Object.entries(values)) row[position(every, name)] = value
  return row
}

function read(record: Uint8Array, columns?: readonly number[]): Value[] {
  const row = new Array<Value>(every.columns.length).fill(null)
  row[0] = 7
  format.reader(columns).read(record, row)
  return row
}

test('every kind of column is among these', () => {
  expect(new Set(Object.values(kinds).map(([{ kind }]) => kind))).toEqual(valueKindNames)
})

describe.each(Object.entries(kinds))('%s', (name, [, values]) => {
  test.each([null, ...values].map((value) => [value]))(
    'REC-4 REC-6 REC-7 REC-8: comes back as it was, and any library reads it (%#)',
    (value) => {
      const row = rowWith({ [name]: value, rk_expires: 5, rk_version: 'v' })
      const record = format.encode(row)
      const back = read(record)
      expect(back).toEqual(row)
      const at = position(every, name)
      expect(Object.is(back[at], value) || value instanceof Uint8Array).toBe(true)

      const items = library.unpack(record) as unknown[]
      const place = newCatalog(every)
        .valueColumns.filter((physical) => !physical.startsWith('rk_'))
        .indexOf(name)
      const seen = items[3 + place] ?? null
      const plain = (given: unknown): unknown =>
        given instanceof Uint8Array ? toHex(given) : typeof given === 'bigint' ? String(given) : given
      if (typeof value === 'bigint') expect(BigInt(seen as number | bigint)).toBe(value)
      else if (typeof value === 'number') expect(Number(seen)).toBe(value)
      else expect(plain(seen)).toEqual(plain(value))
      expect(items.slice(0, 3)).toEqual([1, 5, 'v'])
    },
  )
})

test('REC-8: the shortest form', () => {
  const Narrow = defineTable('narrow', { columns: { id: uint32(), n: nullable(uint32()) }, key: ['id'] }) as unknown as TableSchema
  const narrow = new RecordFormat(Narrow, newCatalog(Narrow))
  const hexOf = (n: number): string => toHex(narrow.encode([1, n]))
  expect([0, 127, 128, 255, 256, 65_535, 65_536].map(hexOf)).toEqual(
    ['00', '7f', 'cc80', 'ccff', 'cd0100', 'cdffff', 'ce00010000'].map((item) => `9401c0c0${item}`),
  )
})

test('REC-1 REC-2: format, expiry, version, then the values in the order of the catalog', () => {
  const Two = defineTable('two', {
    columns: { id: uint32(), b: text(), a: text() },
    key: ['id'],
    ttl: '1d',
    version: 'rev',
  }) as unknown as TableSchema
  const catalog = { ...newCatalog(Two), valueColumns: ['b', 'rk_version', 'a', 'rk_expires'] }
  const record = new RecordFormat(Two, catalog).encode([1, 'A', 'B', 500, 'v1'])
  expect(toHex(record)).toBe('9501cd01f4a27631a142a141')
  expect(library.unpack(record)).toEqual([1, 500, 'v1', 'B', 'A'])
})

test('REC-1: a list of more than 15 items', () => {
  const names = Array.from({ length: 240 }, (_, i) => `c${String(i).padStart(3, '0')}`)
  const Wide = defineTable('wide', {
    columns: { id: uint32(), ...Object.fromEntries(names.map((name) => [name, text()])) },
    key: ['id'],
  }) as unknown as TableSchema
  const wide = new RecordFormat(Wide, newCatalog(Wide))
  const row = [1, ...names]
  const back = new Array<Value>(241).fill(null)
  back[0] = 1
  wide.reader().read(wide.encode(row), back)
  expect(back).toEqual(row)
  expect(library.unpack(wide.encode(row))).toEqual([1, null, null, ...names])
})

test('REC-5: expiry and version are read without the rest', () => {
  const whole = format.encode(rowWith({ text: 'x', rk_expires: 8.64e15, rk_version: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }))
  const start = whole.slice(0, 3 + 1 + 9 + 27) // the rest is cut off
  expect(format.expiry(start)).toBe(8.64e15)
  expect(format.version(start)).toBe('01ARZ3NDEKTSV4RRFFQ69G5FAV')
  expect([format.expiry(format.encode(rowWith({}))), format.version(format.encode(rowWith({})))]).toEqual([null, null])
})

test('REC-10: only what is asked for is decoded', () => {
  const row = rowWith({ bool: true, text: 'x', uuid: '00000000-0000-0000-0000-000000000000', rk_version: 'v' })
  const record = format.encode(row)
  const columns = [position(every, 'text'), position(every, 'rk_version')]
  expect(read(record, columns)).toEqual(rowWith({ text: 'x', rk_version: 'v' }))
  expect(read(record, [])).toEqual(rowWith({}))
  const broken = Uint8Array.from(record)
  broken[broken.length - 1] = 0xff // the uuid is no text any more
  expect(read(broken, columns)).toEqual(rowWith({ text: 'x', rk_version: 'v' }))
  expect(() => read(broken)).toThrow('uuid')
})

test('REC-11: a change leaves other items as they are, and can bring back null', () => {
  const before = rowWith({ text: 'x', int64: 2n ** 60n, rk_expires: 9, rk_version: 'v1' })
  const after = rowWith({ text: null, uuid: '00000000-0000-0000-0000-000000000000', rk_version: 'v2', int64: 1n })
  const set = ['text', 'uuid', 'rk_version'].map((name) => position(every, name))
  const expected = rowWith({ uuid: '00000000-0000-0000-0000-000000000000', int64: 2n ** 60n, rk_expires: 9, rk_version: 'v2' })
  expect(read(format.patch(format.encode(before), after, set))).toEqual(expected)
  expect(read(format.patch(format.encode(before), rowWith({ rk_expires: 10 }), [position(every, 'rk_expires')]))).toEqual(rowWith({ text: 'x', int64: 2n ** 60n, rk_expires: 10, rk_version: 'v1' })) // prettier-ignore
})

test('records are their own: the next one does not change them, and large ones fit', () => {
  const small = format.encode(rowWith({ text: 'small' }))
  const large = format.encode(rowWith({ text: 'x'.repeat(65_535), text_desc: 'y'.repeat(65_535), json: '€'.repeat(20_000) }))
  expect(read(small)).toEqual(rowWith({ text: 'small' }))
  expect(read(large)[position(every, 'json')]).toBe('€'.repeat(20_000))
  const record = format.encode(rowWith({ bytes: new Uint8Array([1, 2]) }))
  const bytes = read(record)
  record.fill(0) // a store may use its buffer again
  format.encode(rowWith({ bytes: new Uint8Array([3, 4]) }))
  expect(bytes).toEqual(rowWith({ bytes: new Uint8Array([1, 2]) }))
})
