import { hbase } from '@rowkey/hbase'
import { HBaseClient } from '@rowkey/hbase-client'
import { keyLayout } from 'rowkey/codec'
import { bucket, createMapper, defineTable, hashPrefix, int32, nullable, text, toHex } from 'rowkey'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { clientOf, connect, type Connected } from './connected.js'
import { withWrongBorders } from './wrapped.js'

test('what is not a client, and options that are none, are INVALID_OPTION', () => {
  for (const wrong of [undefined, null, {}, 'localhost', { put: () => undefined }]) {
    expect(() => hbase(wrong as never)).toThrow('INVALID_OPTION')
  }
  const client = new HBaseClient()
  for (const options of [{ namespace: '' }, { namespace: 'a:b' }, { namespace: 7 }, { profile: 'phoenix' }, { splits: 4 }, null]) {
    expect(() => hbase(client, options as never), JSON.stringify(options)).toThrow('INVALID_OPTION')
  }
})

test('the profile of Lindorm has its limits', () => {
  const { limits } = hbase(new HBaseClient(), { profile: 'lindorm' }).capabilities
  expect(limits).toMatchObject({ partitionBytes: 2048, sortKeyBytes: 2048, valueBytes: 2 * 2 ** 20 })
})

const columns = { host: text(), n: int32() }
const bucketed = (name: string, splits: unknown) =>
  defineTable(name, { columns, key: ['host', 'n'], salt: bucket({ of: 'host', count: 16 }), stores: { hbase: { splits } } })

withServer('hbase', (connection) => {
  let server: Connected
  beforeAll(async () => {
    server = await connect(connection, 'unframed', { namespace: 'tables' })
  })
  afterAll(() => server.dispose())

  const startsOf = async (table: string): Promise<readonly string[]> =>
    (await server.client.regions(`tables:${table}`)).map(({ start }) => toHex(start))

  test('a new table is cut at borders of buckets, at given rowkeys, or by a sample', async () => {
    const db = createMapper(server.adapter)
    const layout = keyLayout([['host', text()], ['n', int32()]]) // prettier-ignore
    const sample = Array.from({ length: 100 }, (_, i) => toHex(layout.encode({ host: `h${String(i).padStart(2, '0')}`, n: i })))
    const Listed = defineTable('listed', { columns, key: ['host', 'n'], stores: { hbase: { splits: ['70', '68', '70'] } } })
    const Sampled = defineTable('sampled', {
      columns,
      key: ['host', 'n'],
      stores: { hbase: { splits: { sample: sample.toReversed(), count: 4 } } },
    })
    const Hex = defineTable('hex', {
      columns,
      key: ['host', 'n'],
      salt: hashPrefix({ of: 'host', digits: 4 }),
      stores: { hbase: { splits: 4 } },
    })
    await db.ensureTables([bucketed('each', 16), bucketed('some', 4), Listed, Sampled, Hex])
    expect(await startsOf('each')).toEqual(['', ...Array.from({ length: 15 }, (_, i) => (i + 1).toString(16).padStart(2, '0'))])
    expect(await startsOf('some')).toEqual(['', '04', '08', '0c'])
    expect(await startsOf('listed')).toEqual(['', '68', '70'])
    expect(await startsOf('sampled')).toEqual(['', sample[25], sample[50], sample[75]])
    expect(await startsOf('hex')).toEqual(['', ...['4000', '8000', 'c000'].map((digits) => toHex(new TextEncoder().encode(digits)))])
  })

  test('a table that a gateway cut at wrong places is STORE_UNUSABLE and goes, and the next ensureTables creates it anew', async () => {
    const garbling = withWrongBorders(server.client)
    const db = createMapper(hbase(garbling, { namespace: 'tables' }))
    await expect(db.ensureTables([bucketed('garbled', 4)])).rejects.toMatchObject({ code: 'STORE_UNUSABLE' })
    expect(await server.client.tableExists('tables:garbled')).toBe(false)
    expect(await server.adapter.describeTable('garbled')).toBeUndefined()
    await createMapper(server.adapter).ensureTables([bucketed('garbled', 4)])
    expect(await startsOf('garbled')).toEqual(['', '04', '08', '0c'])
  })

  test('splits that cannot be are INVALID_OPTION, and nothing is created', async () => {
    const db = createMapper(server.adapter)
    for (const splits of [17, 1, 2.5, '4', [], ['xyz'], [''], { sample: [], count: 2 }, { sample: ['00'] }, { sample: ['00'], count: 1 }]) {
      await expect(db.ensureTables([bucketed('wrong', splits)]), JSON.stringify(splits)).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    }
    const Unsalted = defineTable('wrong', { columns, key: ['host', 'n'], stores: { hbase: { splits: 4 } } })
    await expect(db.ensureTables([Unsalted])).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    expect(await server.client.tableExists('tables:wrong')).toBe(false)
    expect(await server.adapter.describeTable('wrong')).toBeUndefined()
  })

  test('over framed messages a new table is CLIENT_OPTION, and one that exists is used, grows and is dropped', async () => {
    const framed = await connect(connection, 'framed', { namespace: 'tables' })
    const [db, other] = [createMapper(framed.adapter), createMapper(server.adapter)]
    const Framed = defineTable('framed', { columns, key: ['host', 'n'] })
    await expect(db.ensureTables([Framed])).rejects.toMatchObject({ code: 'CLIENT_OPTION' })
    expect(await server.adapter.describeTable('framed')).toBeUndefined()
    await other.ensureTables([Framed])
    const Wider = defineTable('framed', { columns: { ...columns, note: nullable(text()) }, key: ['host', 'n'] })
    await db.ensureTables([Wider])
    await db.repository(Wider).put({ host: 'a', n: 1, note: 'x' })
    expect(await db.repository(Wider).get({ host: 'a', n: 1 })).toEqual({ host: 'a', n: 1, note: 'x' })
    await db.dropTables([Wider])
    expect(await server.client.tableExists('tables:framed')).toBe(false)
    await framed.dispose()
  })

  test('the hints of a model are those of the table that is created', async () => {
    const hints = { compression: 'GZ', dataBlockEncoding: 'FAST_DIFF', bloomFilter: 'NONE', timeToLive: 86_400, versions: 3 }
    const Hinted = defineTable('hinted', { columns, key: ['host', 'n'], stores: { hbase: hints } })
    await createMapper(server.adapter).ensureTables([Hinted])
    const { families } = await server.client.getTableDescriptor('tables:hinted')
    expect(families).toMatchObject([
      { name: 'f', compression: 'GZ', dataBlockEncoding: 'FAST_DIFF', bloomFilter: 'NONE', timeToLive: 86_400, maxVersions: 3 },
    ])
    expect(families[0]?.attributes).toMatchObject({ NEW_VERSION_BEHAVIOR: 'true' })
    for (const wrong of [
      { compression: 'snappy' },
      { timeToLive: 0 },
      { versions: 0 },
      { ttl: 5 },
      { bloomFilter: true },
      { bloomFilter: 'ROWCOL' },
    ]) {
      const Wrong = defineTable('wrong_hint', { columns, key: ['host', 'n'], stores: { hbase: wrong } })
      await expect(createMapper(server.adapter).ensureTables([Wrong])).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    }
  })

  test('a table of another program is SCHEMA_MISMATCH, for ensureTables and dropTable, and stays', async () => {
    const Foreign = defineTable('foreign', { columns, key: ['host', 'n'] })
    await server.client.createTable({ name: 'tables:foreign', families: [{ name: 'e' }] })
    const db = createMapper(server.adapter)
    await expect(db.ensureTables([Foreign])).rejects.toMatchObject({ code: 'SCHEMA_MISMATCH' })
    await expect(db.dropTables([Foreign])).rejects.toMatchObject({ code: 'SCHEMA_MISMATCH' })
    expect(await server.client.tableExists('tables:foreign')).toBe(true)
  })

  test('a table that was dropped behind the back of its catalog is created again', async () => {
    const Lost = defineTable('lost', { columns, key: ['host', 'n'] })
    const db = createMapper(server.adapter)
    await db.ensureTables([Lost])
    await server.client.disableTable('tables:lost')
    await server.client.deleteTable('tables:lost')
    const again = createMapper((await connect(connection, 'http', { namespace: 'tables' })).adapter)
    await again.ensureTables([Lost])
    await again.repository(Lost).put({ host: 'a', n: 1 })
    expect(await again.repository(Lost).get({ host: 'a', n: 1 })).toEqual({ host: 'a', n: 1 })
  })

  test('processes that create and drop a table at the same time leave a whole table or none', async () => {
    const Raced = defineTable('raced', { columns, key: ['host', 'n'] })
    const racers = await Promise.all(
      (['unframed', 'http', 'unframed'] as const).map((each) => connect(connection, each, { namespace: 'tables' })),
    )
    for (let round = 0; round < 3; round++) {
      await Promise.allSettled(
        racers.flatMap(({ adapter }, i) => {
          const db = createMapper(adapter)
          return i === round % 3 ? [db.ensureTables([Raced]), db.dropTables([Raced])] : [db.ensureTables([Raced])]
        }),
      )
      const db = createMapper((racers[0] as Connected).adapter)
      await db.ensureTables([Raced])
      await db.repository(Raced).put({ host: 'a', n: round })
      expect(await db.repository(Raced).get({ host: 'a', n: round })).toEqual({ host: 'a', n: round })
      await db.dropTables([Raced])
      expect(await server.client.tableExists('tables:raced')).toBe(false)
    }
    await Promise.all(racers.map(({ dispose }) => dispose()))
  })

  test('a damaged catalog is CORRUPT_ROW', async () => {
    const client = clientOf(connection)
    const [family, qualifier] = [Buffer.from('f'), Buffer.from('catalog')]
    for (const [i, text] of [
      '',
      '{',
      '[]',
      '{"format":1}',
      '{"schema":{},"values":[],"state":"ready"}',
      '{"schema":{},"values":[],"store":{"id":"x"},"state":"odd"}',
    ].entries()) {
      await client.put('tables:rowkey_catalogs', {
        row: Buffer.from(`damaged${i}`),
        cells: [{ family, qualifier, value: Buffer.from(text) }],
      })
      await expect(server.adapter.describeTable(`damaged${i}`), text).rejects.toMatchObject({ code: 'CORRUPT_ROW' })
    }
    await client.close()
  })
})
