import { kuduStore } from '@rowkey/kudu'
import {
  bool,
  bucket,
  bytes,
  date,
  decimal,
  defineTable,
  desc,
  float32,
  float64,
  int16,
  int32,
  int64,
  int8,
  json,
  kuduHash,
  nullable,
  text,
  timestamp,
  uint32,
  uint64,
  uuid,
} from 'rowkey'
import { expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { connect } from './connected.js'

const Metrics = defineTable('metrics', {
  columns: {
    tenant: text(),
    at: desc(timestamp('ms')),
    day: date(),
    flag: bool(),
    price: nullable(decimal(12, 2)),
    tiny: int8(),
    small: int16(),
    size: nullable(int64()),
    count: nullable(uint64()),
    load: nullable(float32()),
    total: nullable(float64()),
    seen: nullable(timestamp('us')),
    on: nullable(bool()),
    raw: nullable(bytes()),
    id: nullable(uuid()),
    doc: nullable(json()),
  } as never,
  key: ['tenant', 'at', 'day', 'flag'] as never,
  salt: [kuduHash({ of: 'tenant', count: 16 }), kuduHash({ of: 'day', count: 4, seed: 7 })] as never,
})
const columns = { host: text(), n: uint32(), v: nullable(int32()) }
const Salted = defineTable('salted', { columns, key: ['host', 'n'], salt: bucket({ of: 'host', count: 4 }) })
const Plain = defineTable('plain', { columns, partition: ['host'], key: ['n'] })

const texts = [Metrics, Salted, Plain].map((model) => kuduStore.ddl(model as never, { database: 'shop', hash: 8 }).text)

test('the definition of a table in the SQL of Impala, with comments that say what is stored', async () => {
  await expect(texts.join('\n')).toMatchFileSnapshot('ddl.txt')
})

test('key columns of bytes and a bucket in a column are told, and columns of types of Kudu are not', () => {
  const codes = (model: typeof Plain): readonly string[] => kuduStore.ddl(model, { hash: 8 }).warnings.map(({ code }) => code)
  expect(codes(Plain)).toEqual([])
  expect(codes(Salted as never)).toEqual(['kudu-bucket-column'])
  expect(codes(Metrics as never)).toEqual(['kudu-key-bytes'])
})

withServer('kudu', (connection) => {
  test('ensureTables creates what ddl() says', async () => {
    const { adapter, client, database, dispose } = await connect(connection)
    for (const model of [Metrics, Salted, Plain]) {
      await adapter.ensureTable(model)
      const [, definition] = adapter.ddl(model).statements
      const found = await client.openTable(`${database}.${model.name}`)
      const nameAt = (position: number): string => found.columns[position]?.name ?? ''
      expect(
        found.columns.map(({ name, type, isKey, isNullable, precision, scale }) => ({ name, type, isKey, isNullable, precision, scale })),
      ).toEqual(
        definition?.columns.map(({ name, type, isKey, isNullable = false, precision, scale }) => ({
          name,
          type,
          isKey,
          isNullable,
          precision,
          scale,
        })),
      )
      expect(found.hash.map(({ columns: at, buckets, seed }) => ({ columns: at.map(nameAt), buckets, seed }))).toEqual(
        (definition?.hash ?? []).map(({ columns: names, buckets, seed = 0 }) => ({ columns: names, buckets, seed })),
      )
      expect(found.range.map(nameAt)).toEqual(definition?.range)
      const tablets = await client.tablets(found)
      expect(tablets).toHaveLength(
        (definition?.hash ?? []).reduce((product, { buckets }) => product * buckets, 1) * ((definition?.splits?.length ?? 0) + 1),
      )
    }
    await dispose()
  })
})
