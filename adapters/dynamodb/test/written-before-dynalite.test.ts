import { dynamodb } from '@rowkey/dynamodb'
import { afterAll, test } from 'vitest'
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

  test('what is written to DynamoDB today is what was written before, byte for byte', async () => {
    await remove(client)
    await writeRows(dynamodb(client, { transactions: false, nativeTtl: false }))
    expectSameBytes(await dump(client), golden<{ readonly tables: readonly DynamodbTable[] }>('dynamodb').tables)
  })
})
