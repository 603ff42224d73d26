import { expect, test } from 'vitest'
import { each, refusing } from '../src/refusal.js'
import type { Operation, OperationType, Row, RowValues, Value } from '../src/requests.js'
import { OperationEncoder, type RowOperations } from '../src/rows/operations.js'
import type { KuduTable } from '../src/table.js'
import { columnOf, tableOf } from './tables.js'

const names = ['host', 'metric', 'ts', 'value', 'raw']
const types = ['STRING', 'STRING', 'INT64', 'DOUBLE', 'BINARY']
const table = tableOf({ types, names, keyColumns: 3, nullable: [3] })
const key = { host: 'h', metric: 'm', ts: 1n }
const row: Row = { ...key, value: 1, raw: Buffer.of(1) }

/** All operations as one message. */
function encodeOperations(of: KuduTable, operations: readonly Operation[]): RowOperations {
  const encoder = new OperationEncoder(of, operations.length)
  each('operations', operations, (operation) => encoder.add(operation))
  return encoder.finish()
}

const encoded = (operations: readonly Operation[], of = table): { readonly rows: string; readonly indirectData: string } => {
  const { rows, indirectData } = encodeOperations(of, operations)
  return { rows: Buffer.from(rows).toString('hex'), indirectData: Buffer.from(indirectData).toString('hex') }
}
const long = (value: number): string => `0${value.toString(16)}`.slice(-2).padEnd(16, '0')

test('a row as Kudu takes it', () => {
  const values = ['node\0js', 'cpü', 123n, null, Buffer.from('00ff80', 'hex')]
  const expected = {
    rows: ['051f08', long(0), long(7), long(7), long(4), long(0x7b), long(0x0b), long(3)].join(''),
    indirectData: '6e6f6465006a736370c3bc00ff80',
  }
  expect(encoded([{ type: 'upsert', row: values }])).toEqual(expected)
  const named = Object.fromEntries(names.map((name, index) => [name, values[index]]).reverse()) as Row
  expect(encoded([{ type: 'upsert', row: named }])).toEqual(expected)
})

test('columns that are not set have no cell; a table without columns that can be null has one bitmap', () => {
  const small = tableOf({ types: ['INT8', 'INT8', 'INT8'], keyColumns: 1 })
  expect(encoded([{ type: 'update', row: [1, undefined, 3] }], small).rows).toBe('02050103')
  expect(encoded([{ type: 'update', row: { c0: 1, c1: undefined, c2: 3 } }], small).rows).toBe('02050103')
  expect(encoded([{ type: 'delete', row: key }]).rows.slice(0, 6)).toBe('030700')
})

test.each<[OperationType, string]>([
  ['insert', '01'],
  ['update', '02'],
  ['delete', '03'],
  ['upsert', '05'],
  ['insertIgnore', '0a'],
  ['updateIgnore', '0b'],
  ['deleteIgnore', '0c'],
])('%s', (type, code) => {
  expect(encoded([{ type, row: type.startsWith('delete') ? key : row }]).rows.slice(0, 2)).toBe(code)
})

test('operations follow each other, and their texts do', () => {
  const one = tableOf({ types: ['STRING'] })
  expect(
    encoded(
      ['a', '', 'bc'].map((text) => ({ type: 'insert', row: [text] })),
      one,
    ),
  ).toEqual({
    rows: [...['0101', long(0), long(1)], ...['0101', long(1), long(0)], ...['0101', long(1), long(2)]].join(''),
    indirectData: '616263',
  })
})

test.each<[string, Value, string]>([
  ['INT8', -128, '80'],
  ['INT16', -2, 'feff'],
  ['INT32', 0x01020304, '04030201'],
  ['DATE', -719_162, 'c606f5ff'],
  ['INT64', -(2n ** 63n), '0000000000000080'],
  ['INT64', 2n ** 63n - 1n, 'ffffffffffffff7f'],
  ['INT64', -1, 'ffffffffffffffff'],
  ['INT64', Number.MAX_SAFE_INTEGER, 'ffffffffffff1f00'],
  ['INT64', Number.MIN_SAFE_INTEGER, '010000000000e0ff'],
  ['INT64', -(2 ** 32), '00000000ffffffff'],
  ['UNIXTIME_MICROS', 1n, '0100000000000000'],
  ['DECIMAL(9,2)', -150n, '6affffff'],
  ['DECIMAL(9,2)', 150, '96000000'],
  ['DECIMAL(18,4)', 10n ** 18n - 1n, 'ffff63a7b3b6e00d'],
  ['DECIMAL(38,10)', -1n, 'ff'.repeat(16)],
  ['DECIMAL(38,10)', 2n ** 64n + 2n, '02000000000000000100000000000000'],
  ['BOOL', true, '01'],
  ['BOOL', false, '00'],
  ['FLOAT', 1.5, '0000c03f'],
  ['FLOAT', NaN, '0000c07f'],
  ['DOUBLE', -0, '0000000000000080'],
])('%s %s', (type, value, cell) => {
  const of = tableOf({ types: ['INT8', type], keyColumns: 1 })
  expect(encoded([{ type: 'insert', row: [1, value] }], of).rows).toBe(`010301${cell}`)
})

test.each(['', 'short', 'ü', '\0', `${'x'.repeat(23)}é`, 'x'.repeat(24), 'x'.repeat(65_536), '日本\u{1f600}'.repeat(5000)])(
  'text of any length is UTF-8',
  (text) => {
    const { indirectData } = encodeOperations(tableOf({ types: ['INT8', 'STRING'], keyColumns: 1 }), [{ type: 'insert', row: [1, text] }])
    expect(Buffer.from(indirectData).toString()).toBe(text)
  },
)

const good: Operation = { type: 'upsert', row }

/** What is said of an operation that cannot be sent. */
const problem = (operation: Operation, of = table): string => {
  try {
    refusing('write', () => encodeOperations(of, of === table ? [good, operation] : [operation]))
  } catch (error) {
    return (error as Error).message.replace(/^write\(\) was not sent: operations\[\d\]/, '').replace(/\.$/, '')
  }
  return 'nothing is wrong'
}
const wrong = <T>(value: unknown): T => value as T
const all = 'STRING VARCHAR(2) BINARY INT8 INT64 DECIMAL(3,1) BOOL FLOAT DOUBLE DATE'.split(' ')
const wide = tableOf({
  types: ['INT32', ...all],
  keyColumns: 1,
  names: ['k', ...all.map((type) => type.replace(/\W.*/, '').toLowerCase())],
})

test.each<[string, Row | RowValues]>([
  ['.row.host is not set. It is a column of the key', { metric: 'm', ts: 1n }],
  ['.row.host is null. The column cannot be', { ...row, host: null }],
  ['.row.raw is not set. The column cannot be null and has no default', key],
  [".row.hots is no column. There are 'host', 'metric', 'ts', 'value', 'raw'", { ...row, hots: 1 }],
  ['.row is no row. Give an object with the names of columns, or an array with a value of each', wrong(null)],
  ['.row is no row. Give an object with the names of columns, or an array with a value of each', wrong('row')],
  ['.row is no row. Give an object with the names of columns, or an array with a value of each', wrong(Buffer.from('row'))],
  ['.row has 6 values. The table has 5 columns', ['h', 'm', 1n, 1, Buffer.of(1), undefined]],
])('%s', (expected, given) => {
  expect(problem({ type: 'insert', row: given })).toBe(expected)
})

test.each<[string, Row]>([
  ['string is a number. STRING takes text', { string: 1 }],
  ['string is bytes. STRING takes text', { string: Buffer.from('a') }],
  ['string has half a character and cannot be stored as UTF-8', { string: 'a\ud800' }],
  ['string has 65537 bytes. Kudu takes at most 65536 in a cell', { string: 'a'.repeat(65_537) }],
  ['string has 65538 bytes. Kudu takes at most 65536 in a cell', { string: 'é'.repeat(32_769) }],
  ['varchar has 3 characters. VARCHAR(2) takes no more than it says', { varchar: 'abc' }],
  ['binary is a string. BINARY takes a Uint8Array', { binary: 'a' }],
  ['binary has 65537 bytes. Kudu takes at most 65536 in a cell', { binary: Buffer.alloc(65_537) }],
  ['int8 is 128. INT8 takes whole numbers from -128 to 127', { int8: 128 }],
  ['int8 is 1.5. INT8 takes whole numbers from -128 to 127', { int8: 1.5 }],
  ['int8 is NaN. INT8 takes whole numbers from -128 to 127', { int8: NaN }],
  ['int8 is a bigint. INT8 takes a number', { int8: 1n }],
  ['int64 is 9223372036854775808. INT64 has 64 bits', { int64: 2n ** 63n }],
  ['int64 is 9007199254740992. Give a bigint, or a whole number that is safe', { int64: 2 ** 53 }],
  ['int64 is a string. INT64 takes a bigint, or a whole number that is safe', { int64: '1' }],
  ['decimal is 1000. The digits of this DECIMAL are from -999 to 999', { decimal: 1000n }],
  ['decimal is 1.5. Give a bigint, or a whole number that is safe: all digits, without the point', { decimal: 1.5 }],
  ['bool is a number. BOOL takes true or false', { bool: 1 }],
  ['float is 1e+300, which is too large for FLOAT', { float: 1e300 }],
  ['double is a bigint. DOUBLE takes a number', { double: 1n }],
  ['date is -719163. DATE takes whole numbers from -719162 to 2932896, days since 1970', { date: -719_163 }],
  ['double is an object. DOUBLE takes a number', { double: wrong({}) }],
])('%s', (expected, given) => {
  expect(problem({ type: 'update', row: { k: 1, ...given } }, wide)).toBe(`.row.${expected}`)
})

test('VARCHAR counts characters, not halves of them', () => {
  expect(problem({ type: 'update', row: { k: 1, varchar: '\u{1f600}\u{1f600}' } }, wide)).toBe('nothing is wrong')
})

test('a delete has the key alone, an update more than that', () => {
  expect(problem({ type: 'delete', row })).toBe('.row.value is set. A delete has the columns of the key alone')
  expect(problem({ type: 'deleteIgnore', row: { ...key, value: null } })).toBe(
    '.row.value is set. A delete has the columns of the key alone',
  )
  expect(problem({ type: 'update', row: key })).toBe('.row changes nothing: no column is set that is not of the key')
  expect(problem({ type: wrong('put'), row })).toBe(
    '.type is put. Give one of insert, update, delete, upsert, insertIgnore, updateIgnore, deleteIgnore',
  )
})

test('a column that has a default need not be set', () => {
  const [id, value] = [columnOf('id', 'INT8', true), columnOf('v', 'INT8', false)]
  const columns = [id, { ...value, defaultValue: 7 }].map((column, index) => ({ ...column, id: index }))
  expect(encoded([{ type: 'insert', row: { id: 1 } }], { ...table, columns, keyColumns: 1 }).rows).toBe('010101')
})

test('a key has at most 16 KiB as it is encoded', () => {
  const one = tableOf({ types: ['BINARY'] })
  const two = tableOf({ types: ['STRING', 'INT8'] })
  expect(problem({ type: 'insert', row: [Buffer.alloc(16_384)] }, one)).toBe('nothing is wrong')
  expect(problem({ type: 'insert', row: [Buffer.alloc(16_385)] }, one)).toBe('.row has a key with 16385 bytes. Kudu takes at most 16384')
  expect(problem({ type: 'insert', row: ['x'.repeat(16_381), 1] }, two)).toBe('nothing is wrong')
  expect(problem({ type: 'insert', row: { c0: 'x'.repeat(16_382), c1: 1 } }, two)).toBe(
    '.row has a key with 16385 bytes. Kudu takes at most 16384',
  )
  expect(problem({ type: 'insert', row: ['\0'.repeat(8191), 1] }, two)).toBe('.row has a key with 16385 bytes. Kudu takes at most 16384')
})

test('names that every object has are columns like others', () => {
  const odd = tableOf({ types: ['INT8', 'INT8', 'INT8'], keyColumns: 1, names: ['toString', '__proto__', 'constructor'], nullable: [1, 2] })
  expect(encoded([{ type: 'insert', row: JSON.parse('{"toString":1,"__proto__":2}') as Row }], odd).rows).toBe('0103000102')
  expect(problem({ type: 'insert', row: {} }, odd)).toBe('.row.toString is not set. It is a column of the key')
})

test('an operation that is refused leaves nothing in the message', () => {
  const encoder = new OperationEncoder(table, 1)
  encoder.add({ type: 'upsert', row })
  const { size } = encoder
  expect(() => encoder.add({ type: 'upsert', row: { ...row, raw: 'text' } })).toThrow('BINARY takes a Uint8Array')
  expect(encoder).toMatchObject({ size, count: 1 })
  encoder.add({ type: 'delete', row: key })
  const { rows, indirectData } = encoder.finish()
  expect([rows, indirectData].map((bytes) => Buffer.from(bytes).toString('hex'))).toEqual(
    Object.values(
      encoded([
        { type: 'upsert', row },
        { type: 'delete', row: key },
      ]),
    ),
  )
})
