import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { CreateTableCommand, PutItemCommand, ScanCommand, waitUntilTableExists } from '@aws-sdk/client-dynamodb'
import { copyTable, createMapper, defineTable, int32, isRowkeyError, nullable, renameTable, text, type TableSchema } from 'rowkey'
import { catalogToJSON, newCatalog } from 'rowkey/adapter'
import { describe, expect, test } from 'vitest'
import { named, onEachServer } from './servers.js'

const Stock = defineTable('stock', {
  columns: { shop: text(), item: int32(), left: int32(), note: nullable(text()) },
  partition: ['shop'],
  key: ['item'],
  ttl: '1d',
  version: 'rev',
})
const ById = defineTable('by_id', { columns: { id: text(), note: nullable(text()) }, partition: ['id'], key: [] })

/** Makes a table with its catalog, as it was made when the key had the names of columns. */
async function madeBefore(client: DynamoDBClient, schema: TableSchema): Promise<void> {
  const TableName = schema.name
  await client.send(
    new CreateTableCommand({
      TableName,
      AttributeDefinitions: ['p', 's'].map((AttributeName) => ({ AttributeName, AttributeType: 'B' })),
      KeySchema: [
        { AttributeName: 'p', KeyType: 'HASH' },
        { AttributeName: 's', KeyType: 'RANGE' },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  )
  await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 0.1, maxDelay: 1 }, { TableName })
  const key = { B: Uint8Array.of(0) }
  const Item = { p: key, s: key, rk_catalog: { S: JSON.stringify(catalogToJSON(newCatalog(schema))) } }
  await client.send(new PutItemCommand({ TableName, Item }))
}

onEachServer((server) => {
  test.each(['first', 'second'] as const)(
    'a table that is created again in the other form than the %s is found again',
    async (form) => {
      const model = named(Stock)
      const client = server.client()
      const db = createMapper(server.adapter(client))
      const stock = db.repository(model as typeof Stock)
      const row = { shop: 'a', item: 1, left: 3, note: null }
      const make = async (which: string): Promise<void> => {
        const other = createMapper(server.adapter(client))
        if (which === 'first') await madeBefore(client, model)
        else await other.ensureTables([model])
      }
      const again = async (which: string): Promise<void> => {
        const other = createMapper(server.adapter(client))
        await other.dropTables([model])
        await make(which)
      }
      const calls: readonly (() => Promise<unknown>)[] = [
        () => stock.get(row),
        ...(server.name === 'moto' ? [] : [() => stock.getMany([row, { shop: 'b', item: 1 }])]), // moto does not say what is wrong
        () => stock.put(row),
        () => stock.insert(row),
        () => stock.upsert(row),
        () => stock.update(row, { left: 2 }),
        () => stock.increment(row, { left: 2 }),
        () => stock.put(row, { if: { left: 3 }, create: true }),
        () => stock.putMany([row, { ...row, item: 2 }]),
        () => stock.deleteMany([row, { ...row, item: 2 }]),
        () => stock.delete(row),
        () => stock.scan({ shop: 'a' }).page(),
        () => stock.readAll().toArray(),
      ]
      await make(form)
      for (const [n, call] of calls.entries()) {
        await stock.putMany([row, { ...row, item: 3 }])
        await again((n % 2 === 0) === (form === 'first') ? 'second' : 'first')
        if (call === calls[12])
          await createMapper(server.adapter(client))
            .repository(model as typeof Stock)
            .put({ ...row, item: 5 })
        const code = await call().then(
          () => 'done',
          (error: unknown) => (isRowkeyError(error) ? `${error.code} ${String((error.details as { table?: string }).table)}` : error),
        )
        expect(code, call.toString()).toBe(`TABLE_NOT_FOUND ${model.name}`)
        expect(await stock.exists({ shop: 'a', item: 3 }), `after ${call.toString()}`).toBe(false)
      }
    },
    120_000,
  )

  describe.each(['first', 'second'] as const)('the %s form', (form) => {
    const ensured = async (model: TableSchema) => {
      const client = server.client()
      const db = createMapper(server.adapter(client))
      if (form === 'first') await madeBefore(client, model)
      await db.ensureTables([model])
      await db.ensureTables([model])
      const namesOf = async (): Promise<readonly string[]> => {
        const { Items = [] } = await client.send(new ScanCommand({ TableName: model.name }))
        return [...new Set(Items.flatMap((item) => Object.keys(item)))].filter((name) => /^(rk_)?[ps]$/.test(name)).sort()
      }
      return { client, db, namesOf }
    }
    const key = form === 'first' ? ['p', 's'] : ['rk_p', 'rk_s']

    test('every operation', async () => {
      const model = named(Stock)
      const { db, namesOf } = await ensured(model)
      const stock = db.repository(model as typeof Stock)
      const { version } = await stock.insert({ shop: 'a', item: 1, left: 3, note: null })
      await expect(stock.insert({ shop: 'a', item: 1, left: 3, note: null })).rejects.toMatchObject({ code: 'ROW_EXISTS' })
      await stock.update({ shop: 'a', item: 1 }, { note: 'n' }, { if: { rev: version as string } })
      await stock.increment({ shop: 'a', item: 1 }, { left: 2 })
      await stock.putMany(Array.from({ length: 60 }, (_, i) => ({ shop: 'b', item: i, left: i, note: null })))
      await stock.deleteMany([{ shop: 'b', item: 0 }, { shop: 'b', item: 59 }]) // prettier-ignore
      expect(await stock.get({ shop: 'a', item: 1 })).toMatchObject({ left: 5, note: 'n' })
      expect((await stock.getMany([{ shop: 'b', item: 3 }, { shop: 'b', item: 0 }])).map((row) => row?.left)).toEqual([3, undefined]) // prettier-ignore
      const { rows, cursor } = await stock.scan({ shop: 'b', item: { gte: 10 } }).page({ size: 5 })
      const next = await stock.scan({ shop: 'b', item: { gte: 10 } }).page({ size: 2, cursor: cursor as string })
      expect([...rows, ...next.rows].map(({ item }) => item)).toEqual([10, 11, 12, 13, 14, 15, 16])
      expect(await stock.readAll().toArray()).toHaveLength(59)
      const parts = await stock.parts(server.name === 'moto' ? 1 : 3) // it ignores segments of scans
      expect((await Promise.all(parts.map((checkpoint) => stock.readAll({ checkpoint }).toArray()))).flat()).toHaveLength(59)
      await stock.put({ shop: 'c', item: 1, left: 0, note: null }, { expires: new Date(1) })
      expect(await db.purgeExpired(model)).toBe(1)
      expect(await namesOf()).toEqual(key)
      const Grown = defineTable(model.name, {
        columns: { shop: text(), item: int32(), left: int32(), note: nullable(text()), more: nullable(text()) },
        partition: ['shop'],
        key: ['item'],
        ttl: '1d',
        version: 'rev',
      })
      await db.ensureTables([Grown])
      expect(await db.repository(Grown).get({ shop: 'a', item: 1 })).toMatchObject({ left: 5, more: null })
    })

    test('TABLE-13 a table by id, and a copy into a table of today', async () => {
      const model = named(ById)
      const { db } = await ensured(model)
      const from = db.repository(model as typeof ById)
      await from.putMany(['', 'a', 'b'].map((id) => ({ id, note: `of ${id}` })))
      expect(await from.getMany([{ id: 'a' }, { id: 'x' }, { id: '' }])).toEqual([{ id: 'a', note: 'of a' }, undefined, { id: '', note: 'of ' }]) // prettier-ignore
      const copy = renameTable(model, `${model.name}_copy`)
      await db.ensureTables([copy])
      expect(await copyTable(from, db.repository(copy as typeof ById))).toMatchObject({ rows: 3 })
    })

    test('columns called p and s: in tables of today only', async () => {
      const model = named(defineTable('letters', { columns: { k: text(), n: nullable(int32()) }, key: ['k'] }))
      const { db } = await ensured(model)
      const Letters = defineTable(model.name, {
        columns: { k: text(), n: nullable(int32()), p: nullable(text()), s: nullable(int32()) },
        key: ['k'],
      })
      if (form === 'first') {
        await expect(db.ensureTables([Letters])).rejects.toMatchObject({ code: 'SCHEMA_MISMATCH' })
        await expect(db.ensureTables([Letters])).rejects.toThrow(
          "column 'p' has the name of an attribute of its key\nGive the column another name with { name }",
        )
        expect(
          (
            await db
              .repository(model as typeof Letters)
              .readAll()
              .toArray()
          ).length,
        ).toBe(0)
        return
      }
      await db.ensureTables([Letters])
      const letters = db.repository(Letters)
      await letters.put({ k: 'a', n: 1, p: 'page', s: 2 })
      await letters.update({ k: 'a' }, { p: 'other' }, { if: { s: 2 } })
      expect(await letters.scan({ k: 'a' }, { select: ['p', 's'] }).toArray()).toEqual([{ p: 'other', s: 2 }])
      expect(await letters.readAll().toArray()).toEqual([{ k: 'a', n: 1, p: 'other', s: 2 }])
    })
  })
})
