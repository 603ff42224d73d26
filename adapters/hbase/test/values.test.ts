import {
  bool,
  bytes,
  type ColumnType,
  createMapper,
  date,
  decimal,
  defineTable,
  dictionary,
  fixedBytes,
  float32,
  float64,
  int16,
  int32,
  int64,
  int8,
  json,
  nullable,
  text,
  timestamp,
  toHex,
  uint16,
  uint32,
  uint64,
  uint8,
  ulid,
  uuid,
} from 'rowkey'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { read } from '../../../test/docs/pages.js'
import { withServer } from '../../../test/setup/with-server.js'
import { quotedBorder } from '../src/shell/commands.js'
import { valueTypes } from '../src/values.js'
import { connect, type Connected } from './connected.js'
import { startJava, type JavaProgram } from './java.js'

test('VAL-1: the table of value types in the docs is that of the code', () => {
  const [, section = ''] = read('docs/spec/value-types.md').split('## HBase')
  const rows = (section.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
  const wanted = Object.entries(valueTypes).map(([kind, { java, lindorm = '–', encoding }]) => [
    ...['', `\`${kind}\``, java === 'the bytes' ? java : `\`${java}\``],
    ...[lindorm, encoding, ''],
  ])
  expect(rows).toEqual(wanted)
})

const utf8 = (given: string): string => `hex ${toHex(new TextEncoder().encode(given))}`

/** A type, the method of Bytes, and values with what that method reads of them. */
const cases: readonly (readonly [name: string, type: ColumnType, method: string, values: readonly (readonly [unknown, string])[]])[] = [
  ['bool', bool(), 'toBoolean', [[true, 'true'], [false, 'false']]],
  ['int8', int8(), 'toInt', [[-128, '-128'], [127, '127']]],
  ['int16', int16(), 'toInt', [[-32_768, '-32768']]],
  ['int32', int32(), 'toInt', [[-(2 ** 31), '-2147483648'], [2 ** 31 - 1, '2147483647'], [-1, '-1']]],
  ['uint8', uint8(), 'toInt', [[255, '255']]],
  ['uint16', uint16(), 'toInt', [[65_535, '65535']]],
  ['uint32', uint32(), 'toLong', [[2 ** 32 - 1, '4294967295'], [0, '0']]],
  ['int64', int64(), 'toLong', [[-(2n ** 63n), '-9223372036854775808'], [2n ** 63n - 1n, '9223372036854775807']]],
  ['uint64', uint64(), 'toString', [[2n ** 64n - 1n, utf8('18446744073709551615')], [0n, utf8('0')]]],
  ['float32', float32(), 'toFloat', [[1.5, '1.5'], [NaN, 'NaN'], [-Infinity, '-Infinity'], [-0, '-0.0']]],
  ['float64', float64(), 'toDouble', [[0.1, '0.1'], [NaN, 'NaN'], [5e-324, '4.9E-324'], [-0, '-0.0']]],
  ['decimal', decimal(10, 2), 'toString', [['-12.50', utf8('-12.50')]]],
  ['text', text(), 'toString', [['', 'hex '], ['it\'s "so" \0 \u{1f600} é', utf8('it\'s "so" \0 \u{1f600} é')]]],
  ['dictionary', dictionary({ on: '1', off: '2' }), 'toString', [['on', utf8('on')]]],
  ['uuid', uuid(), 'toString', [['3fa85f64-5717-4562-b3fc-2c963f66afa6', utf8('3fa85f64-5717-4562-b3fc-2c963f66afa6')]]],
  ['ulid', ulid(), 'toString', [['01ARZ3NDEKTSV4RRFFQ69G5FAV', utf8('01ARZ3NDEKTSV4RRFFQ69G5FAV')]]],
  ['json', json(), 'toString', [[{ a: [1, null] }, utf8('{"a":[1,null]}')]]],
  ['bytes', bytes(), 'hex', [[new Uint8Array([0, 255]), 'hex 00ff'], [new Uint8Array(), 'hex ']]],
  ['fixedBytes', fixedBytes(2), 'hex', [[new Uint8Array([0, 255]), 'hex 00ff']]],
  ['date', date(), 'toInt', [[new Date('1969-12-31'), '-1']]],
  ['ms', timestamp('ms'), 'toLong', [[new Date(-1), '-1'], [new Date('2026-01-01'), '1767225600000']]],
  ['us', timestamp('us'), 'toLong', [[1_767_225_600_000_001n, '1767225600000001']]],
] // prettier-ignore

/** The argument by which the other program writes what it has read. */
const argument = (shown: string): string => (shown === 'hex ' ? '-' : shown.replace(/^hex /, ''))

withServer('hbase', (connection) => {
  let server: Connected
  let java: JavaProgram
  beforeAll(async () => {
    server = await connect(connection)
    java = startJava(connection)
  })
  afterAll(async () => {
    await java.end()
    await server.dispose()
  })

  test.each(cases)(
    'VAL-2: %s: a Java program reads what was written, null too, and what it writes is read',
    async (name, type, method, values) => {
      const Model = defineTable(`java_${name}`, { columns: { k: text(), v: nullable(type as ReturnType<typeof text>) }, key: ['k'] })
      const db = createMapper(server.adapter)
      await db.ensureTables([Model])
      const rows = db.repository(Model)
      const rowOf = (k: string): string => toHex(rows.encodeKey({ k }))
      for (const [i, [value, shown]] of values.entries()) {
        await rows.put({ k: `ours ${i}`, v: value as string })
        expect(await java.run('get', Model.name, rowOf(`ours ${i}`), 'v', method)).toBe(shown)
        const theirs = `theirs ${i}`
        await java.run('put', Model.name, rowOf(theirs), 'v', method, argument(shown), 'rk_mark', 'hex', '0102030405060708')
        expect((await rows.get({ k: theirs }))?.v).toEqual(value)
        const found = await rows.scan({ k: theirs }, { unbounded: true }).toArray()
        expect(found).toEqual([{ k: theirs, v: value }])
      }
      await rows.put({ k: 'ours 0', v: null })
      expect(await java.run('get', Model.name, rowOf('ours 0'), 'v', method)).toBe('null')
      await java.run('put', Model.name, rowOf('nothing'), 'rk_mark', 'hex', '0102030405060708')
      expect(await rows.get({ k: 'nothing' })).toEqual({ k: 'nothing', v: null })
    },
  )

  test('bytes that a type does not allow are UNREADABLE_ROW, and a row without a mark is CORRUPT_ROW', async () => {
    const Model = defineTable('java_wrong', {
      columns: { k: text(), n: nullable(int32()), s: nullable(text()), d: nullable(decimal(4, 2)) },
      key: ['k'],
    })
    const db = createMapper(server.adapter)
    await db.ensureTables([Model])
    const rows = db.repository(Model)
    const wrong = [['n', '01'], ['n', '0000000000000001'], ['s', 'c3'], ['d', toHex(new TextEncoder().encode('123.45'))]] as const // prettier-ignore
    for (const [i, [column, hex]] of wrong.entries()) {
      const k = `wrong ${i}`
      await java.run('put', Model.name, toHex(rows.encodeKey({ k })), column, 'hex', hex, 'rk_mark', 'hex', '01')
      await expect(rows.get({ k })).rejects.toMatchObject({ code: 'UNREADABLE_ROW', details: { column } })
    }
    await java.run('put', Model.name, toHex(rows.encodeKey({ k: 'unmarked' })), 'n', 'toInt', 7)
    await expect(rows.get({ k: 'unmarked' })).rejects.toMatchObject({ code: 'CORRUPT_ROW', details: { column: 'rk_mark' } })
    await java.run('put', Model.name, toHex(rows.encodeKey({ k: 'no mark' })), 'n', 'toInt', 7, 'rk_mark', 'hex', '-')
    await expect(rows.get({ k: 'no mark' })).rejects.toMatchObject({ code: 'CORRUPT_ROW', details: { column: 'rk_mark' } })
    await rows.delete({ k: 'no mark' })
    await rows.put({ k: 'unmarked', n: 8 })
    expect(await rows.get({ k: 'unmarked' })).toEqual({ k: 'unmarked', n: 8, s: null, d: null })
    await java.run('put', Model.name, 'ffff', 'n', 'toInt', 7, 'rk_mark', 'hex', '01')
    await expect(rows.scan({}, { unbounded: true }).toArray()).rejects.toMatchObject({ code: 'UNREADABLE_ROW' })
  })

  test('a change by another program that gives the row another mark is noticed by a change that was computed from the row', async () => {
    const Model = defineTable('java_marked', { columns: { k: text(), n: int32() }, key: ['k'] })
    const db = createMapper(server.adapter)
    await db.ensureTables([Model])
    const rows = db.repository(Model)
    const row = toHex(rows.encodeKey({ k: 'a' }))
    await rows.put({ k: 'a', n: 0 })
    await Promise.all([
      ...Array.from({ length: 20 }, async () => rows.increment({ k: 'a' }, { n: 1 })),
      (async () => {
        for (let i = 0; i < 10; i++)
          await java.run('put', Model.name, row, 'n', 'toInt', 1000 * (i + 1), 'rk_mark', 'hex', `00000000000000${10 + i}`)
      })(),
    ])
    const n = (await rows.get({ k: 'a' }))?.n ?? 0
    // The last write of the other program, and all increments that came after it.
    expect(Math.floor(n / 1000)).toBe(10)
    expect(n % 1000).toBeLessThanOrEqual(20)
  })

  test('the HBase shell reads borders as they are: beyond 7F, as UTF-8, and where they look like an escape', async () => {
    const spelled = ['é', '€', '😀', '\\x41', '\\', '\\x', "'", "\\'", '#{1}', '"'].map((each) => new TextEncoder().encode(each))
    const borders = [
      ...Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte)),
      ...spelled,
      Uint8Array.from({ length: 256 }, (_, byte) => byte),
    ]
    for (const border of borders) {
      const argument = quotedBorder(border)
      // Ruby leaves text in single quotes as it is but for two escapes, and Bytes.toBytesBinary reads what it leaves.
      expect(argument).toMatch(/^'(?:[^'\\]|\\x)+'$/)
      const text = toHex(new TextEncoder().encode(argument.slice(1, -1)))
      expect(await java.run('border', 'none', text), argument).toBe(toHex(border))
    }
  })
})
