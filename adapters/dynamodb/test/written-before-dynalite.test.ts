import { dynamodb } from '@rowkey/dynamodb'
import { afterAll, expect, test } from 'vitest'
import { clientOf } from './client.js'
import { withServer } from '../../../test/setup/with-server.js'
import { dump, remove, restore, type DynamodbTable } from '../../../test/written-before/dynamodb.js'
import { expectUsable, golden, type KeptCheckpoint } from '../../../test/written-before/kept.js'
import { expectSameBytes, writeRows } from '../../../test/written-before/write.js'

withServer('dynalite', (connection) => {
  const client = clientOf(connection)
  afterAll(async () => {
    await remove(client)
    client.destroy()
  })

  test('items of DynamoDB that were written before: tables, rows, order, cursors, checkpoints, and they can be written to', async () => {
    const { checkpoints, tables } = golden<{
      readonly tables: readonly DynamodbTable[]
      readonly checkpoints: readonly KeptCheckpoint[]
    }>('dynamodb')
    await restore(client, tables)
    await expectUsable(dynamodb(client, { transactions: false, nativeTtl: false }), checkpoints)
  })

  const before = golden<{ readonly tables: readonly DynamodbTable[] }>('dynamodb').tables

  test('what is written today to tables that were made before is what was written before, byte for byte', async () => {
    await restore(
      client,
      before.map((table) => ({ ...table, items: [] })),
    )
    await writeRows(dynamodb(client, { transactions: false, nativeTtl: false }))
    expectSameBytes(await dump(client), before)
  })

  test('what is written to tables of today is the same, but for the names of the key and the form in the catalog', async () => {
    await remove(client)
    await writeRows(dynamodb(client, { transactions: false, nativeTtl: false }))
    const text = JSON.stringify(await dump(client))
    expect(text).toMatch(/"rk_p".*,\\"store\\":\{\\"form\\":2\}/)
    const renamed = text.replaceAll('"rk_p"', '"p"').replaceAll('"rk_s"', '"s"').replaceAll(',\\"store\\":{\\"form\\":2}', '')
    expectSameBytes(JSON.parse(renamed) as object, before)
  })
})
