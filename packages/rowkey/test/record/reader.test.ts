import { fromHex, type Value } from '#codec'
import { values as conversions } from '#codec/internal'
import { RecordFormat } from '#record'
import { type RowkeyError, isRowkeyError, newCatalog } from '#store/adapter'
import { pack } from 'msgpackr'
import { scaled, shortened } from '@rowkey/servers/scale'
import { expect, test } from 'vitest'
import { every, kinds, position } from './tables.js'

const format = new RecordFormat(every, newCatalog(every))
const seed = Number(process.env['ROWKEY_SEED'] ?? 20_271)
const runs = scaled(1500)

/** No model can read the record, or this one cannot hold a value. */
const isRefusal = (error: unknown): error is RowkeyError => isRowkeyError(error, 'CORRUPT_ROW') || isRowkeyError(error, 'UNREADABLE_ROW')

/** A row, or the error; anything else is a bug. */
function read(record: Uint8Array): Value[] | undefined {
  const row = new Array<Value>(every.columns.length).fill(null)
  row[0] = 7
  try {
    format.reader().read(record, row)
    return row
  } catch (error) {
    if (!isRefusal(error)) throw error
    expect(error.details['table']).toBe('every')
    return undefined
  }
}

let state = seed
const below = (limit: number): number => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
  return Math.floor((state / 2 ** 32) * limit)
}

const names = Object.keys(kinds)
function randomRow(): Value[] {
  const row = new Array<Value>(every.columns.length).fill(null)
  row[0] = 7
  for (const name of names) {
    const values = (kinds[name]?.[1] ?? []).filter((value) => typeof value !== 'string' || value.length < 60)
    if (below(3) > 0) row[position(every, name)] = values[below(values.length)] as Value
  }
  if (below(2) > 0) row[position(every, 'rk_expires')] = below(1e9)
  if (below(2) > 0) row[position(every, 'rk_version')] = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
  return row
}

/** Whether every value is one that its column can hold. */
function isPossible(row: readonly Value[]): boolean {
  return every.columns.slice(1).every(({ name, physical, type }, i) => {
    const value = row[i + 1] as Value
    if (value === null || ['json', 'int64_number'].includes(physical)) return true // checked where they are given out
    const [given] = kinds[physical] ?? [type]
    const conversion = conversions(given, name)
    const outside = conversion.fromValue(value)
    return value instanceof Uint8Array || Object.is(conversion.toValue(outside), value)
  })
}

test('REC-9: a record that is cut off anywhere is refused', () => {
  for (let run = 0; run < shortened(50); run++) {
    const record = format.encode(randomRow())
    for (let length = 0; length < record.length; length++) expect(read(record.subarray(0, length))).toBeUndefined()
    expect(read(Uint8Array.from([...record, 0xc0]))).toBeUndefined()
  }
})

test(`REC-9: damaged bytes give CORRUPT_ROW or a possible row, seed ${seed}`, () => {
  let refused = 0
  for (let run = 0; run < runs; run++) {
    const record = Uint8Array.from(format.encode(randomRow()))
    for (let flips = 1 + below(3); flips > 0; flips--)
      record[below(record.length)] = below(2) > 0 ? below(256) : (record[below(record.length)] as number)
    const row = read(record)
    if (row === undefined) refused++
    else expect(isPossible(row), Buffer.from(record).toString('hex')).toBe(true)
    for (const call of [() => format.expiry(record), () => format.version(record), () => format.patch(record, randomRow(), [1, 5])]) {
      try {
        call()
      } catch (error) {
        expect(isRefusal(error)).toBe(true)
      }
    }
  }
  expect(refused).toBeGreaterThan(runs / 10)
})

test('REC-9: random bytes too', () => {
  for (let run = 0; run < runs; run++) read(Uint8Array.from({ length: below(40) }, () => below(256)))
})

test.each<[what: string, list: unknown, column: string, message: string]>([
  ['a map', { a: 1 }, '', 'is not a list'],
  ['no format', [], '', 'cut off'],
  ['format 2', [2, null, null], '', 'has the format 2'],
  ['no version', [1, null], '', 'does not have the items for expiry and version'],
  ['an expiry that is text', [1, 'soon', null], 'rk_expires', 'instead of an integer'],
  ['an expiry beyond time', [1, 8.64e15 + 2, null], 'rk_expires', 'instead of an integer'],
  ['a version that is a number', [1, null, 5], 'rk_version', 'instead of text'],
])('REC-9 REC-12: %s is refused', (_, list, column, message) => {
  const refused = (() => {
    try {
      format.reader().read(Uint8Array.from(pack(list)), new Array<Value>(every.columns.length).fill(null))
      return undefined
    } catch (error) {
      return error
    }
  })()
  expect(refused).toMatchObject({
    code: 'CORRUPT_ROW',
    details: { table: 'every', column },
    message: expect.stringContaining(message) as string,
  })
  expect((refused as Error).message).toMatch(/'every'.*Put the row again/)
})

/** Items that are well-formed, but not of a column's kind. */
const foreign: Readonly<Record<string, readonly string[]>> = {
  bool: ['00', 'a0', 'c400'],
  int8: ['cc80', 'd1ff7f', 'a130', 'cb3ff0000000000000'],
  uint8: ['ff', 'cd0100'],
  uint32: ['cf0000000100000000', 'ff'],
  int64: ['cf8000000000000000', 'a130', 'c3'],
  uint64: ['ff', 'd3ffffffffffffffff'],
  float32: ['00', 'cb3ff0000000000000'],
  float64: ['00', 'ca3f800000'],
  timestamp: ['cf001eb208c2dc0001', 'd3ffe14df73d23ffff', 'cfffffffffffffffff'],
  date: ['ce05f5e101'],
  decimal: ['a130', 'a43031', 'a530312e3030'],
  text: ['00', 'c40161', 'a1ff', 'a3eda080', 'a2c080', '90', '80', 'c1', 'd40000', 'c70000'],
  uuid: ['a0', 'a161', 'c41000000000000000000000000000000000'],
  ulid: ['a130'],
  dictionary: ['a178', 'a17a'],
  fixed: ['c400', 'c403000000', 'a26162'],
  bytes: ['a0', '00'],
  reversed_int: ['a130', 'ce80000000'],
}

test.each(Object.entries(foreign).flatMap(([name, items]) => items.map((item) => [name, item] as const)))(
  'REC-6: %s cannot be %s',
  (name, item) => {
    const place = newCatalog(every)
      .valueColumns.filter((physical) => !physical.startsWith('rk_'))
      .indexOf(name)
    const nils = 'c0'.repeat(place)
    const count = 4 + place
    const head = count < 16 ? (0x90 + count).toString(16) : `dc${count.toString(16).padStart(4, '0')}`
    const record = fromHex(`${head}01c0c0${nils}${item}`)
    expect(() => {
      format.reader().read(record, new Array<Value>(every.columns.length).fill(null))
    }).toThrow(expect.objectContaining({ code: 'UNREADABLE_ROW', details: { table: 'every', column: name } }))
  },
)
