import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  PutItemCommand,
  ScanCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'
import { int32, nullable, text } from 'rowkey/codec'
import { dynamodb, type DynamoDBAdapter } from '@rowkey/dynamodb'
import { createMapper, defineTable, type TableSchema } from 'rowkey'
import { isRowkeyError } from 'rowkey/adapter'
import { ensureTable } from 'rowkey/internal'
import { expect, test } from 'vitest'
import { cut, intercept, serviceError } from './middleware.js'
import { named, onEachServer, onServer, openTable, reopen, type OpenTable } from './servers.js'

const Rows: TableSchema = defineTable('rows', { columns: { k: int32(), a: nullable(text()) }, key: ['k'] })
const Expiring: TableSchema = defineTable('expiring', { columns: { k: int32(), a: nullable(text()) }, key: ['k'], ttl: '1h' })
const strong = { consistency: 'strong' } as const

async function recreated(adapter: DynamoDBAdapter, schema: TableSchema): Promise<OpenTable> {
  await adapter.ensureTable(schema)
  return reopen(adapter, schema)
}

onEachServer((server) => {
  test('TABLE-3: a table that was created, and nothing more, is completed', async () => {
    const client = server.client()
    const adapter = server.adapter(client)
    const schema = named(Rows)
    const [create] = adapter.ddl(schema).statements
    await client.send(new CreateTableCommand(create?.input as never))
    expect(await adapter.describeTable(schema.name)).toBe(undefined)
    const catalog = await adapter.ensureTable(schema)
    expect(await adapter.describeTable(schema.name)).toEqual(catalog)
    const table = await reopen(adapter, schema)
    await table.put([1, 'x'])
    expect(await table.store.get([[1]], strong)).toEqual([[1, 'x']])
  })

  test.each(['CreateTable', 'PutItem'])(
    'TABLE-3: ensureTable goes on after an end at %s, before or after it was applied',
    async (operation) => {
      for (const isApplied of [false, true]) {
        const client = server.client({ maxAttempts: 1 })
        const adapter = server.adapter(client)
        const schema = named(Rows)
        let isOn = true
        intercept(client, async (attempt) => {
          if (!isOn || attempt.operation !== operation) return attempt.send()
          isOn = false
          if (isApplied) await attempt.send()
          throw cut()
        })
        await expect(adapter.ensureTable(schema)).rejects.toThrow()
        const catalog = await adapter.ensureTable(schema)
        expect(catalog.valueColumns).toEqual(['a'])
        expect(await adapter.describeTable(schema.name)).toEqual(catalog)
      }
    },
  )

  test('SCHEMA_MISMATCH: a table of something else is refused and not touched, nor dropped', async () => {
    const client = server.client()
    const adapter = server.adapter(client)
    for (const [name, type] of [
      ['id', 'S'],
      ['p', 'S'],
      ['p', 'B'],
      ['rk_p', 'B'],
    ] as const) {
      const schema = named(Rows)
      const TableName = schema.name
      await client.send(
        new CreateTableCommand({
          TableName,
          AttributeDefinitions: [{ AttributeName: name, AttributeType: type }],
          KeySchema: [{ AttributeName: name, KeyType: 'HASH' }],
          BillingMode: 'PAY_PER_REQUEST',
        }),
      )
      for (const call of [() => adapter.ensureTable(schema), () => adapter.describeTable(TableName), () => adapter.dropTable(TableName)]) {
        const error: unknown = await call().then(
          (given) => given,
          (reason: unknown) => reason,
        )
        expect(isRowkeyError(error, 'SCHEMA_MISMATCH') ? error.details : error).toEqual({
          table: TableName,
          differences: [`its key is ${name} ${type} HASH, but tables of rowkey have rk_p B HASH, rk_s B RANGE`],
        })
        // Nobody is told to delete what belongs to others.
        expect(String(error)).toContain('It belongs to another program. Use another name or prefix.')
        expect(String(error)).not.toMatch(/delete/i)
      }
      const { Table } = await client.send(new DescribeTableCommand({ TableName }))
      expect(Table?.ItemCount).toBe(0)
    }
  })

  test('dropTable refuses a table without a catalog, and one that is created again is dropped', async () => {
    const client = server.client()
    const adapter = server.adapter(client)
    const schema = named(Rows)
    await client.send(new CreateTableCommand(adapter.ddl(schema).statements[0]?.input as never))
    await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 1, maxDelay: 1 }, { TableName: schema.name })
    await expect(adapter.dropTable(schema.name)).rejects.toMatchObject({ code: 'SCHEMA_MISMATCH', details: { table: schema.name } })
    await expect(createMapper(adapter).dropTables([schema])).rejects.toThrow('so it was not dropped. It belongs to another program.')
    const { Table } = await client.send(new DescribeTableCommand({ TableName: schema.name }))
    expect(Table?.TableStatus).toBe('ACTIVE')
    await adapter.ensureTable(schema) // as the message says
    await adapter.dropTable(schema.name)
    expect(await adapter.describeTable(schema.name)).toBeUndefined()
    await adapter.dropTable(schema.name) // there is none
  })

  test('a catalog that is damaged is said to be', async () => {
    const client = server.client()
    const adapter = server.adapter(client)
    const { schema } = await openTable(adapter, Rows)
    for (const rk_catalog of [{ S: '{' }, { S: '{}' }, { S: 'null' }, { N: '1' }]) {
      const Item = { rk_p: { B: new Uint8Array([0]) }, rk_s: { B: new Uint8Array([0]) }, rk_catalog }
      await client.send(new PutItemCommand({ TableName: schema.name, Item }))
      await expect(adapter.describeTable(schema.name)).rejects.toMatchObject({ code: 'CORRUPT_ROW', details: { column: 'rk_catalog' } })
    }
  })

  test('ADAPTER-7: twelve that create one table and make it grow at once, by different adapters, all find theirs in it', async () => {
    const name = named(Rows).name
    const models = Array.from({ length: 12 }, (_, i) =>
      defineTable(name, { columns: { k: int32(), [`c${i % 6}`]: nullable(text()) }, key: ['k'] }),
    ) as readonly TableSchema[]
    const catalogs = await Promise.all(models.map((model) => server.adapter(server.client()).ensureTable(model)))
    for (const [i, catalog] of catalogs.entries()) expect(catalog.valueColumns).toContain(`c${i % 6}`)
    const found = await server.adapter(server.client()).describeTable(name)
    expect(found?.valueColumns.toSorted()).toEqual(['c0', 'c1', 'c2', 'c3', 'c4', 'c5'])
  })

  test('the catalog is one item, which no scan and no full scan gives', async () => {
    const client = server.client()
    const adapter = server.adapter(client)
    const { schema, store } = await openTable(adapter, Rows)
    const { Items } = await client.send(new ScanCommand({ TableName: schema.name }))
    expect(Items).toHaveLength(1)
    const page = await store.fullScan(undefined, strong).next(10)
    expect(page?.rows ?? []).toEqual([])
    expect(page?.examined ?? 0).toBe(0)
  })

  test('TABLE-1: a table on its way is waited for, created or deleted', async () => {
    const client = server.client()
    const adapter = server.adapter(client)
    const schema = named(Rows)
    const statuses = ['CREATING', 'CREATING', 'ACTIVE']
    let described = 0
    intercept(client, async ({ operation, send }) => {
      const answered = (await send()) as { output: { Table: { TableStatus: string } } }
      if (operation === 'DescribeTable') answered.output.Table.TableStatus = statuses[described++] ?? 'ACTIVE'
      return answered
    })
    await adapter.ensureTable(schema)
    expect(described).toBe(3)
    statuses.push('ACTIVE', 'DELETING')
    await adapter.dropTable(schema.name)
    expect(await adapter.describeTable(schema.name)).toBe(undefined)
  })

  test('TABLE-1: a table that another creates anew as soon as it is gone is not dropped too', async () => {
    const client = server.client()
    const adapter = server.adapter(client)
    const { schema } = await openTable(adapter, Rows)
    let isOn = true
    intercept(client, async ({ operation, send }) => {
      const answered = await send()
      if (operation === 'DeleteTable' && isOn) {
        isOn = false
        const other = await recreated(server.adapter(server.client()), schema)
        await other.put([1, 'new'])
      }
      return answered
    })
    await adapter.dropTable(schema.name)
    const { store } = await reopen(server.adapter(server.client()), schema)
    expect(await store.get([[1]], strong)).toEqual([[1, 'new']])
  })

  test('INVALID_OPTION: hints that are none are refused before anything is created', async () => {
    const adapter = server.adapter(server.client())
    for (const hints of [
      { provisoned: {} },
      { provisioned: { read: 0, write: 1 } },
      { provisioned: { read: 1 } },
      { provisioned: 5 },
      'x',
    ]) {
      const schema = named(defineTable('hinted', { columns: { k: int32() }, key: ['k'], stores: { dynamodb: hints } }))
      await expect(ensureTable(adapter, schema)).rejects.toMatchObject({ code: 'INVALID_OPTION' })
      expect(() => adapter.ddl(schema)).toThrow('stores.dynamodb')
      expect(await adapter.describeTable(schema.name)).toBe(undefined)
    }
  })

  test('provisioned capacity is what the model says', async () => {
    const client = server.client()
    const stores = { dynamodb: { provisioned: { read: 3, write: 2 } }, redis: { anything: 1 } }
    const schema = named(defineTable('hinted', { columns: { k: int32() }, key: ['k'], stores }))
    await server.adapter(client).ensureTable(schema)
    const { Table } = await client.send(new DescribeTableCommand({ TableName: schema.name }))
    expect(Table?.ProvisionedThroughput).toMatchObject({ ReadCapacityUnits: 3, WriteCapacityUnits: 2 })
  })
})

onServer('moto', (server) => {
  const ttlOf = async (TableName: string): Promise<object | undefined> =>
    (await server.client().send(new DescribeTimeToLiveCommand({ TableName }))).TimeToLiveDescription

  test('EXPIRY-1: tables whose rows expire have the expiry of the server too, others not, and not if the option says so', async () => {
    const adapter = server.adapter(server.client())
    const { schema } = await openTable(adapter, Expiring)
    expect(await ttlOf(schema.name)).toEqual({ AttributeName: 'rk_ttl', TimeToLiveStatus: 'ENABLED' })
    await adapter.ensureTable(schema)
    const { schema: other } = await openTable(adapter, Rows)
    expect(await ttlOf(other.name)).toEqual({ TimeToLiveStatus: 'DISABLED' })
    const { schema: without } = await openTable(dynamodb(server.client(), { nativeTtl: false }), Expiring)
    expect(await ttlOf(without.name)).toEqual({ TimeToLiveStatus: 'DISABLED' })
    await adapter.ensureTable(without)
    expect(await ttlOf(without.name)).toEqual({ AttributeName: 'rk_ttl', TimeToLiveStatus: 'ENABLED' })
  })

  test('EXPIRY-1: a table to which an expiry is added gets it from then on', async () => {
    const adapter = server.adapter(server.client())
    const { schema } = await openTable(adapter, Rows)
    const grown = defineTable(schema.name, { columns: { k: int32(), a: nullable(text()) }, key: ['k'], ttl: '1h' }) as TableSchema
    await adapter.ensureTable(grown)
    expect(await ttlOf(schema.name)).toEqual({ AttributeName: 'rk_ttl', TimeToLiveStatus: 'ENABLED' })
  })

  test('SCHEMA_MISMATCH: a server that deletes items by another attribute is not left to it', async () => {
    const client = server.client()
    const adapter = server.adapter(client)
    const schema = named(Expiring)
    await client.send(new CreateTableCommand(adapter.ddl(schema).statements[0]?.input as never))
    const TimeToLiveSpecification = { Enabled: true, AttributeName: 'old' }
    await client.send(new UpdateTimeToLiveCommand({ TableName: schema.name, TimeToLiveSpecification }))
    await expect(adapter.ensureTable(schema)).rejects.toMatchObject({
      code: 'SCHEMA_MISMATCH',
      details: { differences: ["its items expire by attribute 'old', but those of rowkey expire by 'rk_ttl'"] },
    })
    expect(await adapter.describeTable(schema.name)).toBe(undefined)
  })

  test('of two that switch the expiry on at once, the slower one is content', async () => {
    const client = server.client()
    intercept(client, async ({ operation, send }) => {
      const answered = await send()
      if (operation === 'UpdateTimeToLive') throw serviceError('ValidationException', 400)
      return answered
    })
    const { schema } = await openTable(server.adapter(client), Expiring)
    expect(await ttlOf(schema.name)).toMatchObject({ AttributeName: 'rk_ttl' })
  })

  test('rk_ttl is never earlier than the expiry, follows it, and update keeps both', async () => {
    const client = server.client()
    const adapter = server.adapter(client)
    const { schema, put, write } = await openTable(adapter, Expiring)
    const expiries = [0, 1, 999, 1000, 1001, -1, 1_700_000_000_000, 1_700_000_000_001, 8.64e15, null]
    await put(...expiries.map((expiry, k) => [k, 'x', expiry]))
    await write(
      expiries.map((_, k) => ({ kind: 'update', row: [k, 'y', null], set: [1] })),
      { now: -1e15 },
    )
    const { Items = [] } = await client.send(new ScanCommand({ TableName: schema.name, FilterExpression: 'attribute_exists(a)' }))
    expect(Items).toHaveLength(expiries.length)
    for (const { a, rk_expires, rk_ttl } of Items) {
      expect(a?.S).toBe('y')
      if (rk_expires?.N === undefined) expect(rk_ttl).toBe(undefined)
      else {
        const late = Number(rk_ttl?.N) * 1000 - Number(rk_expires.N)
        expect(late).toBeGreaterThanOrEqual(0)
        expect(late).toBeLessThan(1000)
      }
    }
    await write(
      [
        { kind: 'update', row: [0, 'y', 5000], set: [2] },
        { kind: 'update', row: [1, 'y', null], set: [2] },
      ],
      { now: -1e15 },
    )
    const { Items: changed = [] } = await client.send(
      new ScanCommand({ TableName: schema.name, FilterExpression: 'rk_expires = :e', ExpressionAttributeValues: { ':e': { N: '5000' } } }),
    )
    expect(changed.map(({ rk_ttl }) => rk_ttl)).toEqual([{ N: '5' }])
  })
})

onServer('dynalite', (server) => {
  test('NOT_SUPPORTED: a server without expiry is told apart from one that fails, with the option to give', async () => {
    const adapter = dynamodb(server.client())
    const error: unknown = await adapter.ensureTable(named(Expiring)).catch((reason: unknown) => reason)
    expect(isRowkeyError(error, 'NOT_SUPPORTED')).toBe(true)
    expect(String(error)).toContain('{ nativeTtl: false }')
  })
})
