import { kuduStore, type KuduHints } from '@rowkey/kudu'
import type { Encoding } from '@rowkey/kudu-client'
import { createMapper, defineTable, type Mapper } from 'rowkey'
import {
  bool,
  bytes,
  date,
  decimal,
  desc,
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
  uint64,
  type ColumnType,
} from 'rowkey/codec'
import type { TableSchema } from 'rowkey/adapter'
import { describe, expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { columnsOf } from '../src/native-table.js'
import { connect, type Connected } from './connected.js'

const encodings: readonly Encoding[] = ['auto', 'plain', 'bitshuffle', 'runLength', 'dictionary', 'prefix']

/** Of each type of Kudu. */
const types: Readonly<Record<string, ColumnType>> = {
  int8: int8(),
  int16: int16(),
  int32: int32(),
  int64: int64(),
  instant: timestamp('ms'),
  day: date(),
  small: decimal(9, 2),
  medium: decimal(18, 2),
  wide: decimal(19, 2),
  large: decimal(38, 2),
  unsigned: uint64(),
  text: text(),
  document: json(),
  bytes: bytes(),
  boolean: bool(),
  float: float32(),
  double: float64(),
}

const keyTypes: Readonly<Record<string, ColumnType>> = {
  id: int64(),
  day: date(),
  name: text(),
  reversed: desc(text()),
  price: desc(decimal(5, 2)),
}

const modelOf = (
  columns: Readonly<Record<string, ColumnType>>,
  key: readonly string[],
  hints: KuduHints = {},
  name = 'stored',
): TableSchema => defineTable(name, { columns, key, stores: { kudu: hints } } as never)

const refusalOf = (schema: TableSchema): string | undefined => {
  try {
    kuduStore.ddl(schema, { hash: 2 })
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

describe('the hint for columns', () => {
  const columns = {
    id: int64(),
    at: timestamp('ms', { name: 'time' }),
    line: nullable(text()),
    n: nullable(int32()),
    price: nullable(decimal(20, 2)),
  }
  const refused = (hint: unknown, more: object = {}): string | undefined =>
    refusalOf(
      defineTable('stored', {
        columns,
        key: ['id', 'at'],
        stores: { kudu: { columns: hint } },
        ...more,
      } as never),
    )

  test.each<[string, unknown, string]>([
    ['what is no object', 'lz4', "Give an object such as { line: { encoding: 'prefix', compression: 'lz4' } }."],
    [
      'a column that is not there',
      { lin: { encoding: 'plain' } },
      "Give columns of the model, 'id', 'at', 'line', 'n', 'price', not 'lin'.",
    ],
    ['a name in the store', { time: {} }, "Give 'at' instead of 'time': columns have their names in the model."],
    ['a name that every object has', { constructor: {} }, "not 'constructor'"],
    ['a text for a column', { line: 'lz4' }, "Give 'line' an object with encoding, compression or blockSize."],
    ['a misspelt property', { line: { encodin: 'plain' } }, "Give 'line' encoding, compression and blockSize only, not 'encodin'."],
    [
      'an unknown encoding',
      { line: { encoding: 'DICT' } },
      "Give 'line' an encoding of 'auto', 'plain', 'bitshuffle', 'runLength', 'dictionary', 'prefix', not \"DICT\".",
    ],
    [
      'an unknown compression',
      { line: { compression: 'zstd' } },
      "Give 'line' a compression of 'default', 'none', 'snappy', 'lz4', 'zlib', not \"zstd\".",
    ],
    [
      'a block that is too small',
      { line: { blockSize: 511 } },
      "Give 'line' a blockSize from 512 to 2147483647 bytes, or 0 for that of the server, not 511.",
    ],
    ['a block that is too large', { line: { blockSize: 2 ** 31 } }, 'not 2147483648'],
    ['half a byte', { line: { blockSize: 4096.5 } }, 'not 4096.5'],
    [
      'a dictionary of integers',
      { n: { encoding: 'dictionary' } },
      "Give 'n' an encoding of 'auto', 'plain', 'bitshuffle', 'runLength': it is INT in Kudu, and 'dictionary' is for text and bytes.",
    ],
    ['a prefix of instants', { at: { encoding: 'prefix' } }, "it is TIMESTAMP in Kudu, and 'prefix' is for text and bytes."],
    [
      'bitshuffle for text',
      { line: { encoding: 'bitshuffle' } },
      "Give 'line' an encoding of 'auto', 'plain', 'dictionary', 'prefix': it is STRING in Kudu, and 'bitshuffle' is for numbers, instants and days.",
    ],
    [
      'run length for large decimals',
      { price: { encoding: 'runLength' } },
      "it is DECIMAL(20, 2) in Kudu, and 'runLength' is for integers, instants, days, booleans and decimals of up to 18 digits.",
    ],
  ])('%s is refused', (_, hint, message) => {
    expect(refused(hint)).toContain("in the model of 'stored', stores.kudu.columns")
    expect(refused(hint)).toContain(message)
  })

  test('columns of a version are none of Kudu', () => {
    expect(refused({ rev: { encoding: 'plain' } }, { version: 'rev' })).toContain("Give columns of the key and of values, not 'rev'.")
  })

  test('what fits is in the definition, as calls and in the SQL of Impala', () => {
    const storages = {
      at: { encoding: 'runLength' },
      line: { encoding: 'prefix', compression: 'lz4', blockSize: 65_536 },
      n: { encoding: 'auto', compression: 'none', blockSize: 0 },
      price: { compression: 'zlib' },
    } as const
    const model = modelOf(columns, ['id', 'at'], { columns: storages })
    const { statements, text: sql } = kuduStore.ddl(model, { hash: 2 })
    expect(statements[1]?.columns).toMatchObject([
      { name: 'id' },
      { name: 'time', ...storages.at },
      { name: 'line', ...storages.line },
      { name: 'n', ...storages.n },
      { name: 'price', ...storages.price },
    ])
    expect(sql).toContain('`time` TIMESTAMP NOT NULL ENCODING RLE,')
    expect(sql).toContain('`line` STRING ENCODING PREFIX_ENCODING COMPRESSION LZ4 BLOCK_SIZE 65536,')
    expect(sql).toContain('`n` INT ENCODING AUTO_ENCODING COMPRESSION NO_COMPRESSION,')
    expect(sql).toContain('`price` DECIMAL(20, 2) COMPRESSION ZLIB,')
    expect(sql).toContain('`id` BIGINT NOT NULL,')
  })
})

withServer('kudu', (connection) => {
  const inDatabase = async (run: (db: Mapper, store: Connected) => Promise<void>): Promise<void> => {
    const store = await connect(connection)
    try {
      await run(createMapper(store.adapter), store)
    } finally {
      await store.dispose()
    }
  }

  test('an encoding is refused for a type exactly if the server refuses it', () =>
    inDatabase(async (_, { client, database }) => {
      let count = 0
      const isAccepted = async (schema: TableSchema, column: string, encoding: Encoding): Promise<boolean> => {
        const name = `${database}.t${count++}`
        const definition = columnsOf(schema).map((each) => (each.name === column ? { ...each, encoding } : each))
        try {
          await client.createTable({ name, columns: definition, range: [], replicas: 1 })
          return true
        } catch (error) {
          expect(String(error)).toMatch(/encoding .* not supported for type/)
          return false
        }
      }
      const all = [
        ...Object.keys(types).map((column) => ({ columns: { k: int32(), ...types }, key: ['k'], column })),
        ...Object.keys(keyTypes).map((column) => ({ columns: keyTypes, key: Object.keys(keyTypes), column })),
      ]
      for (const { columns, key, column } of all) {
        for (const encoding of encodings) {
          const says = refusalOf(modelOf(columns, key, { columns: { [column]: { encoding } } })) === undefined
          expect([column, encoding, says]).toEqual([column, encoding, await isAccepted(modelOf(columns, key), column, encoding)])
        }
      }
    }))

  test('G-57 G-58 G-59 G-60 G-61 G-62: each encoding and compression is that of the column in the store, and rows are the same', () =>
    inDatabase(async (db, { client, database }) => {
      const columns = { host: text(), at: timestamp('ms'), plain: int32(), bits: float64(), runs: bool(), words: text(), urls: text() }
      const storages = {
        host: { encoding: 'prefix' },
        at: { encoding: 'bitshuffle', blockSize: 4096 },
        plain: { encoding: 'plain', compression: 'snappy' },
        bits: { encoding: 'bitshuffle', compression: 'none' },
        runs: { encoding: 'runLength' },
        words: { encoding: 'dictionary', compression: 'lz4', blockSize: 65_536 },
        urls: { encoding: 'prefix', compression: 'zlib' },
      } as const
      const model = modelOf(columns, ['host', 'at'], { columns: storages })
      await db.ensureTables([model])
      const { columns: found } = await client.openTable(`${database}.stored`)
      expect(Object.fromEntries(found.map((column) => [column.name, column]))).toMatchObject(storages)
      const rows = Array.from({ length: 500 }, (_, i) => ({
        host: `web-${i % 7}`,
        at: new Date(i * 1000),
        plain: i,
        bits: i / 3,
        runs: i % 100 < 50,
        words: ['GET', 'PUT'][i % 2],
        urls: `https://example.org/${i}`,
      }))
      await db.repository(model).putMany(rows as never)
      const read = (await db.repository(model).readAll().toArray()) as unknown as typeof rows
      expect(read.sort((a, b) => a.plain - b.plain)).toEqual(rows)
    }))
})
