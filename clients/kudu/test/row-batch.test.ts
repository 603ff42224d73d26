import { describe, expect, test } from 'vitest'
import { seeded, type Random } from '../../../test/kit/seeded.js'
import { KuduError } from '../src/error.js'
import { MalformedAnswer } from '../src/malformed-answer.js'
import type { Value } from '../src/requests.js'
import { RowBatch, type ColumnarRows } from '../src/rows/row-batch.js'
import type { TableColumn } from '../src/table.js'
import { columnarAnswer } from './columnar-answer.js'
import { allTypes, randomValue } from './random-values.js'
import { tableOf } from './tables.js'

const table = tableOf({ types: ['INT32', ...allTypes, 'STRING'], keyColumns: 1, nullable: allTypes.map((_, index) => index + 1) })
const { columns } = table
const rowsOf = (random: Random, count: number): (Value | null)[][] =>
  Array.from({ length: count }, () =>
    columns.map((column) => (column.isNullable && random.below(4) === 0 ? null : randomValue(random, column))),
  )
const named = (row: readonly (Value | null)[]): Record<string, Value | null> =>
  Object.fromEntries(columns.map(({ name }, position) => [name, row[position] as Value | null]))

test.each([1, 7, 8, 9, 128])('%i rows of all types', (count) => {
  const rows = rowsOf(seeded(), count)
  const answer = columnarAnswer(columns, rows)
  const batch = new RowBatch(columns, answer.rows, answer.sidecars, Buffer.from('key'))
  expect(batch).toMatchObject({ length: count, columns: columns.map(({ name }) => name), lastKey: Buffer.from('key') })
  expect(batch.rows()).toEqual(rows.map(named))
  expect([...batch]).toEqual(rows.map(named))
  for (const [index, row] of rows.entries()) {
    expect(batch.row(index)).toEqual(named(row))
    for (const [position, value] of row.entries()) expect(batch.value(index, position)).toEqual(value)
  }
})

test('memory of the answer may begin anywhere', () => {
  const rows = rowsOf(seeded(), 20)
  const answer = columnarAnswer(columns, rows)
  const moved = answer.sidecars.map((bytes, index) => {
    const memory = new Uint8Array(bytes.length + 16)
    memory.set(bytes, index % 9)
    return memory.subarray(index % 9, (index % 9) + bytes.length)
  })
  expect(new RowBatch(columns, answer.rows, moved).rows()).toEqual(rows.map(named))
})

test('no rows', () => {
  for (const rows of [undefined, { columns: [], numRows: 0n }, { columns: [] }]) {
    const batch = new RowBatch(columns, rows, [])
    expect([batch.length, batch.rows(), [...batch], batch.lastKey]).toEqual([0, [], [], undefined])
  }
})

test('a scan without columns counts rows', () => {
  const batch = new RowBatch([], { columns: [], numRows: 10n ** 12n }, [])
  expect([batch.length, batch.columns]).toEqual([10 ** 12, []])
  expect(batch.row(5)).toEqual({})
  expect(() => batch.rows()).toThrow('The rows of a scan without columns are only counted: see length.')
})

test('what is outside the batch', () => {
  const { rows, sidecars } = columnarAnswer(columns, rowsOf(seeded(), 3))
  const batch = new RowBatch(columns, rows, sidecars)
  for (const read of [
    () => batch.value(3, 0),
    () => batch.value(-1, 0),
    () => batch.value(0, 99),
    () => batch.value(0.5, 0),
    () => batch.row(3),
  ])
    expect(read).toThrow(KuduError)
  expect(() => batch.bytes(0, 0)).toThrow("The column 'c0' is INT32. See value().")
  expect(() => batch.bytes(3, 0)).toThrow(KuduError)
  expect(() => batch.value(3, 0)).toThrow(`There is no value in row 3, column 0: the batch has 3 rows of ${columns.length} columns.`)
})

test('a column may have any name', () => {
  const odd = tableOf({ types: ['INT8', 'INT8'], names: ['__proto__', 'toString'], keyColumns: 1 })
  const answer = columnarAnswer(odd.columns, [[1, 2]])
  const batch = new RowBatch(odd.columns, answer.rows, answer.sidecars)
  for (const row of [batch.row(0), batch.rows()[0] as object]) {
    expect(JSON.stringify(row)).toBe('{"__proto__":1,"toString":2}')
    expect(Object.getPrototypeOf(row)).toBe(Object.prototype)
  }
})

describe('text', () => {
  const read = (bytes: readonly Buffer[]): RowBatch => {
    const [column] = tableOf({ types: ['STRING'] }).columns as [TableColumn]
    const { rows, sidecars } = columnarAnswer(
      [{ ...column, type: 'BINARY' }],
      bytes.map((value) => [value]),
    )
    return new RowBatch([column], rows, sidecars)
  }

  test('characters of any length, and the one that stands for what is no character', () => {
    const texts = ['', 'a', 'é', '日本', '\u{1f600}', '\ufffd', '\0', 'x'.repeat(1000)]
    expect(read(texts.map((text) => Buffer.from(text))).rows()).toEqual(texts.map((c0) => ({ c0 })))
  })

  test('bytes that are no UTF-8 are not read as something else', () => {
    // Each is no text, though they are together.
    const batch = read([Buffer.from('a'), Buffer.of(0xc3), Buffer.of(0xa9)])
    expect(batch.value(0, 0)).toBe('a')
    expect(() => batch.value(1, 0)).toThrow("A row has a text in the column 'c0' that is not UTF-8. See bytes() of its batch.")
    expect(() => batch.rows()).toThrow(KuduError)
    expect(batch.bytes(1, 0)).toEqual(Buffer.of(0xc3))
  })
})

describe('an answer that cannot be', () => {
  const [number, text] = tableOf({ types: ['INT32', 'STRING'], nullable: [] }).columns as [TableColumn, TableColumn]
  const nullable = { ...number, isNullable: true }
  const u32 = (...values: number[]): Buffer => Buffer.concat(values.map((value) => Buffer.from(Uint32Array.of(value).buffer)))
  const read =
    (column: TableColumn, rows: ColumnarRows, ...sidecars: Uint8Array[]) =>
    () =>
      new RowBatch([column], rows, sidecars)
  const one = { dataSidecar: 0 }
  const two = { dataSidecar: 0, varlenDataSidecar: 1 }

  test.each<[string, () => RowBatch]>([
    ['it has -1 rows', read(number, { columns: [one], numRows: -1n }, u32(1))],
    ['it has 9223372036854776000 rows', read(number, { columns: [one], numRows: 2n ** 63n - 1n }, u32(1))],
    ['it has 0 columns where 1 were asked for', read(number, { columns: [], numRows: 1n }, u32(1))],
    ['it has 2 columns where 1 were asked for', read(number, { columns: [one, one], numRows: 1n }, u32(1))],
    ["the column 'c0' has 0 bytes of data where its rows need 4", read(number, { columns: [{}], numRows: 1n }, u32(1))],
    ["the column 'c0' has 4 bytes of data where its rows need 8", read(number, { columns: [one], numRows: 2n }, u32(1))],
    ["the column 'c0' has 4 bytes of data where its rows need 17179869184", read(number, { columns: [one], numRows: 2n ** 32n }, u32(1))],
    ['a column has the byte string 1, of which there are 1', read(number, { columns: [{ dataSidecar: 1 }], numRows: 1n }, u32(1))],
    ['a column has the byte string -1, of which there are 1', read(number, { columns: [{ dataSidecar: -1 }], numRows: 1n }, u32(1))],
    ["the column 'c0' has 0 bytes of bitmap where its rows need 1", read(nullable, { columns: [one], numRows: 1n }, u32(1))],
    ["the column 'c1' has 4 bytes of data where its rows need 8", read(text, { columns: [two], numRows: 1n }, u32(0), Buffer.alloc(9))],
    ["the column 'c1' goes back in its bytes", read(text, { columns: [two], numRows: 2n }, u32(0, 5, 4), Buffer.alloc(9))],
    ["the column 'c1' ends after 10 bytes, of which it has 9", read(text, { columns: [two], numRows: 1n }, u32(0, 10), Buffer.alloc(9))],
    ["the column 'c1' ends after 1 bytes, of which it has 0", read(text, { columns: [one], numRows: 1n }, u32(0, 1))],
    [
      "the column 'c1' ends after 4294967295 bytes, of which it has 9",
      read(text, { columns: [two], numRows: 1n }, u32(0, 2 ** 32 - 1), Buffer.alloc(9)),
    ],
  ])('%s', (problem, make) => {
    expect(make).toThrow(new MalformedAnswer(problem))
  })

  test('damaged at random it is refused, or has values that are inside', () => {
    const random = seeded()
    const { below } = random
    const answers = Array.from({ length: 8 }, () => columnarAnswer(columns, rowsOf(random, 1 + below(20))))
    let refused = 0
    for (let round = 0; round < 10_000; round++) {
      const { rows, sidecars } = answers[below(answers.length)] as (typeof answers)[number]
      const damaged = sidecars.map((bytes) => (below(3) === 0 ? damage(random, bytes) : bytes))
      const index = (given: number | undefined): number | undefined => (below(20) === 0 ? below(sidecars.length + 2) - 1 : given)
      const parts = rows.columns.map(({ dataSidecar, varlenDataSidecar, nonNullBitmapSidecar }) => ({
        dataSidecar: index(dataSidecar),
        varlenDataSidecar: index(varlenDataSidecar),
        nonNullBitmapSidecar: index(nonNullBitmapSidecar),
      }))
      const numRows = below(4) === 0 ? BigInt(below(2 ** 31)) : rows.numRows
      try {
        expect(new RowBatch(columns, { columns: parts, numRows }, damaged).rows()).toHaveLength(Number(numRows))
      } catch (error) {
        if (!(error instanceof MalformedAnswer || error instanceof KuduError)) throw error
        refused++
      }
    }
    expect(refused).toBeGreaterThan(1000)
    expect(refused).toBeLessThan(10_000)
  })
})

function damage({ below }: Random, bytes: Uint8Array): Uint8Array {
  if (below(2) === 0) return bytes.subarray(0, below(bytes.length + 1))
  const copy = Uint8Array.from(bytes)
  if (copy.length > 0) copy[below(copy.length)] = below(256)
  return copy
}
