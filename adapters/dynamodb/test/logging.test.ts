import { int32, nullable, text } from 'rowkey/codec'
import { defineTable, type TableSchema } from 'rowkey'
import { expect, test } from 'vitest'
import { intercept } from './middleware.js'
import { onServer, openTable } from './servers.js'

const Rows: TableSchema = defineTable('rows', { columns: { k: int32(), a: nullable(text()) }, key: ['k'] })

onServer('dynalite', (server) => {
  test('a logger of the client hears of every call, as without rowkey', async () => {
    const lines: { readonly commandName: string; readonly input: object; readonly output: object }[] = []
    const silent = (): void => undefined
    const logger = {
      trace: silent,
      debug: silent,
      warn: silent,
      error: silent,
      info: (line: (typeof lines)[number]) => void lines.push(line),
    }
    const table = await openTable(server.adapter(server.client({ logger: logger })), Rows)
    lines.length = 0
    await table.put([1, 'x'])
    await table.put([2, 'x'], [3, 'x'])
    await table.store.get([[1]], { consistency: 'strong' })
    await table.store.get([[1], [2]], { consistency: 'strong' })
    await table.store.fullScan(undefined, { consistency: 'strong' }).next(10)
    expect(lines.map(({ commandName }) => commandName)).toEqual([
      'PutItemCommand',
      'BatchWriteItemCommand',
      'GetItemCommand',
      'BatchGetItemCommand',
      'ScanCommand',
    ])
    expect(lines[0]?.input).toMatchObject({ TableName: table.schema.name, Item: { a: { S: 'x' } } })
    expect(lines[2]?.output).toMatchObject({ Item: { a: { S: 'x' } } })
  })

  test('without a logger nothing is copied for one', async () => {
    const client = server.client()
    const table = await openTable(server.adapter(client), Rows)
    const contexts: { readonly dynamoDbDocumentClientOptions?: object }[] = []
    client.middlewareStack.add(
      (next, context) => (args) => {
        contexts.push(context)
        return next(args)
      },
      { step: 'build' },
    )
    intercept(client, ({ send }) => send())
    await table.put([1, 'x'])
    await table.store.get([[1]], { consistency: 'strong' })
    expect(contexts.map(({ dynamoDbDocumentClientOptions }) => dynamoDbDocumentClientOptions)).toEqual([
      expect.objectContaining({ overrideOutputFilterSensitiveLog: expect.any(Function) as unknown }),
      expect.objectContaining({ overrideInputFilterSensitiveLog: expect.any(Function) as unknown }),
    ])
  })
})
