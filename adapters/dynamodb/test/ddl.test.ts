import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { bucket, desc, int32, nullable, text, timestamp, ulid } from 'rowkey/codec'
import { dynamodb } from '@rowkey/dynamodb'
import { createMapper, defineTable, type TableSchema } from 'rowkey'
import { catalogToJSON, newCatalog } from 'rowkey/adapter'
import { expect, test } from 'vitest'

const client = new DynamoDBClient({ region: 'eu-central-1' })
const adapter = dynamodb(client)

const Events = defineTable('events', {
  columns: { tenant: text(), at: desc(timestamp('ms')), id: ulid(), level: int32(), note: nullable(text({ default: "it's" })) },
  partition: ['tenant'],
  key: ['at', 'id'],
  salt: bucket({ of: 'id', count: 16 }),
  ttl: '30d',
})

const comments = (text: string): readonly string[] => text.split('\n').filter((line) => line.startsWith('#'))

test('ddl() is what ensureTable executes: the calls, and the same as commands', () => {
  const { statements, text, warnings } = createMapper(adapter).ddl(Events)
  const p = { B: new Uint8Array([0]) }
  const catalog = { ...catalogToJSON(newCatalog(Events)), store: { form: 2 } }
  expect(statements).toEqual([
    {
      operation: 'CreateTable',
      input: {
        TableName: 'events',
        AttributeDefinitions: [
          { AttributeName: 'rk_p', AttributeType: 'B' },
          { AttributeName: 'rk_s', AttributeType: 'B' },
        ],
        KeySchema: [
          { AttributeName: 'rk_p', KeyType: 'HASH' },
          { AttributeName: 'rk_s', KeyType: 'RANGE' },
        ],
        BillingMode: 'PAY_PER_REQUEST',
      },
    },
    {
      operation: 'UpdateTimeToLive',
      input: { TableName: 'events', TimeToLiveSpecification: { Enabled: true, AttributeName: 'rk_ttl' } },
    },
    {
      operation: 'PutItem',
      input: {
        TableName: 'events',
        Item: { rk_p: p, rk_s: p, rk_catalog: { S: JSON.stringify(catalog) } },
        ConditionExpression: 'attribute_not_exists(#p)',
        ExpressionAttributeNames: { '#p': 'rk_p' },
      },
    },
  ])
  expect(warnings).toEqual([])
  const commands = text.split('\n').filter((line) => !line.startsWith('#'))
  expect(commands.slice(0, 2)).toEqual([
    `aws dynamodb create-table --cli-input-json '{"TableName":"events","AttributeDefinitions":[{"AttributeName":"rk_p","AttributeType":"B"},` +
      `{"AttributeName":"rk_s","AttributeType":"B"}],"KeySchema":[{"AttributeName":"rk_p","KeyType":"HASH"},{"AttributeName":"rk_s","KeyType":"RANGE"}],` +
      `"BillingMode":"PAY_PER_REQUEST"}'`,
    `aws dynamodb update-time-to-live --cli-input-json '{"TableName":"events","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"rk_ttl"}}'`,
  ])
  // What a shell makes of the quotes is the JSON that the statement holds, with bytes in base64.
  const [, quoted = ''] = /--cli-input-json '(.*)'$/.exec(commands[2] ?? '') ?? []
  const json = JSON.parse(quoted.replaceAll(`'\\''`, "'")) as { readonly Item: Readonly<Record<string, Readonly<Record<string, string>>>> }
  expect(quoted.replaceAll(`'\\''`, '')).not.toContain("'")
  expect(json.Item['rk_p']).toEqual({ B: 'AA==' })
  expect(JSON.parse(json.Item['rk_catalog']?.['S'] ?? '')).toEqual(JSON.parse(JSON.stringify(catalog)))
  expect(comments(text)).toEqual([
    '# rk_p: 01, then the bucket (16), tenant. Items with the same rk_p are sorted by rk_s. The byte 01 is there because DynamoDB refuses an empty rk_p.',
    '# rk_s: 01, then at, id.',
    '# Each other column is an attribute with its name. DynamoDB does not declare these.',
    '# DynamoDB deletes items some time after rk_ttl (seconds, rounded up). Until then, reads skip them by rk_expires (milliseconds).',
    '# The catalog of the table, in an item whose key no row has. ensureTables() writes it too:',
    '#   salt: bucket(id; count 16)',
    '#   tenant: partition, text',
    "#   at: key, desc(timestamp('ms'))",
    '#   id: key, ulid',
    '#   level: value, int32',
    '#   note: value, nullable(text), default "it\'s"',
    "#   rk_expires: expiry, nullable(timestamp('ms'))",
  ])
})

test('a table whose rows all have one partition key comes with a warning, one with a salt or partition columns does not', () => {
  const columns = { k: int32(), v: text() }
  const one = adapter.ddl(defineTable('one_partition', { columns, key: ['k'] }))
  expect(one.warnings).toEqual([
    {
      code: 'one-partition',
      severity: 'warning',
      message:
        "All rows of 'one_partition' have the same partition key, and DynamoDB limits a partition key to 1,000 write units and 3,000 read units per second.",
      fix: 'Add a salt or partition columns if the table needs more.',
    },
  ])
  expect(one.text.split('\n').slice(0, 3)).toEqual([
    `# Warning: ${one.warnings[0]?.message} ${one.warnings[0]?.fix}`,
    '# rk_p: 01, then nothing, the same for all rows. Items with the same rk_p are sorted by rk_s. The byte 01 is there because DynamoDB refuses an empty rk_p.',
    '# rk_s: 01, then k.',
  ])
  expect(adapter.ddl(defineTable('salted', { columns, key: ['k'], salt: bucket({ of: 'k', count: 2 }) }) as TableSchema).warnings).toEqual(
    [],
  )
  expect(adapter.ddl(defineTable('partitioned', { columns, partition: ['k'], key: ['v'] }) as TableSchema).warnings).toEqual([])
})

test('without the expiry of the server, and with capacity that is paid for', () => {
  const hinted = defineTable('hinted', {
    columns: { k: int32() },
    key: ['k'],
    ttl: '1h',
    stores: { dynamodb: { provisioned: { read: 10, write: 5 } } },
  }) as TableSchema
  const { statements } = dynamodb(client, { nativeTtl: false }).ddl(hinted)
  expect(statements.map(({ operation }) => operation)).toEqual(['CreateTable', 'PutItem'])
  expect(statements[0]?.input).toMatchObject({
    BillingMode: 'PROVISIONED',
    ProvisionedThroughput: { ReadCapacityUnits: 10, WriteCapacityUnits: 5 },
  })
})

test('locate() names the item of a row: golden bytes', () => {
  const at = 1_700_000_000_000
  for (const [store, names] of [
    [undefined, ['p', 's']],
    [{ form: 2 }, ['rk_p', 'rk_s']],
  ] as const) {
    const catalog = { ...newCatalog(Events), ...(store === undefined ? {} : { store }) }
    const { TableName, Key } = adapter.locate(Events, catalog, ['ann', at, '01ARZ3NDEKTSV4RRFFQ69G5FAV'])
    expect(TableName).toBe('events')
    expect(Object.entries(Key).map(([name, { B }]) => [name, Buffer.from(B).toString('hex')])).toEqual([
      [names[0], '0105616e6e0000'],
      [names[1], '017ffffe74301a97ff01563e3ab5d3d6764c61efb99302bd5b'],
    ])
  }
})
