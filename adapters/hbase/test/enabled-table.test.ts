import { createMapper, defineTable, int32 } from 'rowkey'
import { hbase } from '@rowkey/hbase'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { connect, type Connected } from './connected.js'

withServer('hbase', (connection) => {
  let server: Connected
  beforeAll(async () => {
    server = await connect(connection, 'unframed', { namespace: 'disabled' })
  })
  afterAll(() => server.dispose())

  test('a disabled table refuses many rows as it does one, and takes them when it is enabled', async () => {
    const Rows = defineTable('rows', { columns: { n: int32() }, key: ['n'] })
    const db = createMapper(hbase(server.client, { namespace: 'disabled' }))
    await db.ensureTables([Rows])
    const rows = db.repository(Rows)
    const many = [1, 2, 3].map((n) => ({ n }))
    await rows.put({ n: 0 })
    await server.client.disableTable('disabled:rows')
    await expect(rows.put({ n: 1 })).rejects.toMatchObject({ code: 'WRITE_FAILED', details: { repeatable: false } })
    for (const write of [() => rows.putMany(many), () => rows.deleteMany(many)]) {
      const refused: unknown = await write().catch((error: unknown) => error)
      expect(refused).toMatchObject({
        code: 'WRITE_INCOMPLETE',
        details: { outcomes: many.map((_, index) => ({ index, kind: 'failed' })) },
      })
    }
    await expect(Promise.all(many.map((row) => rows.put(row)))).rejects.toMatchObject({ code: 'WRITE_FAILED' })
    await server.client.enableTable('disabled:rows')
    await rows.putMany(many)
    expect(await rows.readAll().count()).toBe(4)
  })
})
