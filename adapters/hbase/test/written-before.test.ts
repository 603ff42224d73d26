import { hbase } from '@rowkey/hbase'
import { test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { dump, restore, type HBaseTables } from '../../../test/written-before/hbase.js'
import { expectUsable, golden, type KeptCheckpoint } from '../../../test/written-before/kept.js'
import { expectSameBytes, writeRows } from '../../../test/written-before/write.js'
import { clientOf } from './connected.js'

withServer('hbase', (connection) => {
  test('rows of HBase that were written before: tables, rows, order, cursors, checkpoints, and they can be written to', async () => {
    const { checkpoints, ...tables } = golden<HBaseTables & { readonly checkpoints: readonly KeptCheckpoint[] }>('hbase')
    const client = clientOf(connection)
    await client.createNamespace('before')
    await restore(client, 'before', tables)
    await expectUsable(hbase(client, { namespace: 'before' }), checkpoints)
    await client.close()
  })

  test('what is written to HBase today is what was written before, cell by cell, in the same tables', async () => {
    const client = clientOf(connection)
    await client.createNamespace('today')
    await writeRows(hbase(client, { namespace: 'today' }))
    const { checkpoints: _, ...before } = golden<HBaseTables & { readonly checkpoints: unknown }>('hbase')
    expectSameBytes(await dump(client, 'today'), before)
    await client.close()
  })
})
