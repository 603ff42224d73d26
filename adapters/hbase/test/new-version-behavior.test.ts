import { hbase } from '@rowkey/hbase'
import { createMapper, defineTable, int32, text } from 'rowkey'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { connect, type Connected } from './connected.js'

withServer('hbase', (connection) => {
  let server: Connected
  beforeAll(async () => {
    server = await connect(connection, 'unframed', { namespace: 'versions' })
  })
  afterAll(() => server.dispose())

  const without = { stores: { hbase: { newVersionBehavior: false } } } as const
  const tableOf = (name: string, more: typeof without | object = {}) =>
    defineTable(name, { columns: { k: text(), n: int32() }, key: ['k'], ...more })
  const mapper = () => createMapper(hbase(server.client, { namespace: 'versions' }))

  test('a model without the hint uses a table that was created with it, by timestamps', async () => {
    await mapper().ensureTables([tableOf('made', without)])
    const db = mapper()
    await db.ensureTables([tableOf('made')])
    const rows = db.repository(tableOf('made'))
    for (let n = 0; n < 50; n++) {
      await rows.put({ k: 'a', n })
      await rows.delete({ k: 'a' })
      await rows.insert({ k: 'a', n })
      expect(await rows.get({ k: 'a' })).toEqual({ k: 'a', n })
    }
  })

  test('the hint for a table that was created without it is refused', async () => {
    await mapper().ensureTables([tableOf('plain')])
    await expect(mapper().ensureTables([tableOf('plain', without)])).rejects.toMatchObject({ code: 'SCHEMA_MISMATCH' })
    await mapper().ensureTables([tableOf('plain')])
  })

  test('a family that somebody has altered in the shell is refused', async () => {
    await mapper().ensureTables([tableOf('altered')])
    const { families } = await server.client.getTableDescriptor('versions:altered')
    const [family] = families
    await server.client.modifyColumnFamily('versions:altered', { name: family?.name ?? '', maxVersions: 1 })
    await expect(mapper().ensureTables([tableOf('altered')])).rejects.toThrow(/has NEW_VERSION_BEHAVIOR, and the table says otherwise/)
  })
})
