import { hbase } from '@rowkey/hbase'
import type { HBaseClient } from '@rowkey/hbase-client'
import { createMapper, defineTable, int32, nullable, text } from 'rowkey'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { connect, type Connected } from './connected.js'
import { withWrongBorders, wrapped } from './wrapped.js'

const columns = { id: int32(), a: nullable(text()) }
const tableOf = (name: string) => defineTable(name, { columns, key: ['id'] })

/** A client that lets others act before its first call of this kind. */
function interrupted(client: HBaseClient, call: keyof HBaseClient, act: () => Promise<unknown>): HBaseClient {
  let isFirst = true
  return wrapped(client, async (name, run, given) => {
    if (name === call && isFirst) {
      isFirst = false
      await act()
    }
    return run(...given)
  })
}

withServer('hbase', (connection) => {
  let server: Connected
  beforeAll(async () => {
    server = await connect(connection, 'unframed', { namespace: 'races' })
  })
  afterAll(() => server.dispose())
  const others = () => createMapper(server.adapter)
  const slow = (call: keyof HBaseClient, act: () => Promise<unknown>) =>
    createMapper(hbase(interrupted(server.client, call, act), { namespace: 'races' }))

  test.each(['isTableEnabled', 'disableTable', 'deleteTable'] as const)(
    'a drop that is overtaken before %s() leaves the table that others have created anew, with its rows',
    async (call) => {
      const Rows = tableOf(`overtaken_${call}`)
      await others().ensureTables([Rows])
      const db = slow(call, async () => {
        const other = others()
        await other.dropTables([Rows])
        await other.ensureTables([Rows])
        await other.repository(Rows).put({ id: 1, a: 'new' })
      })
      await db.dropTables([Rows])
      expect(await others().repository(Rows).get({ id: 1 })).toEqual({ id: 1, a: 'new' })
      await others().repository(Rows).put({ id: 2, a: 'newer' })
    },
  )

  test.each(['before', 'after'] as const)(
    'a table with wrong borders that others remove %s its creator does leaves their new table, with its rows',
    async (when) => {
      const Rows = defineTable(`wrong_${when}`, { columns, key: ['id'], stores: { hbase: { splits: ['80000005'] } } })
      const other = others()
      const anew = async (): Promise<void> => {
        await other.dropTables([Rows])
        await other.ensureTables([Rows])
        await other.repository(Rows).put({ id: 1, a: 'new' })
      }
      // The second swap of the catalog says that the table is being dropped.
      let swaps = 0
      const client = wrapped(withWrongBorders(server.client), async (name, run, given) => {
        const isSecond = name === 'checkAndPut' && ++swaps === 2
        if (isSecond && when === 'before') await anew()
        const done = await run(...given)
        if (isSecond && when === 'after') await anew()
        return done
      })
      const db = createMapper(hbase(client, { namespace: 'races' }))
      await expect(db.ensureTables([Rows])).rejects.toMatchObject({ code: 'STORE_UNUSABLE' })
      expect(swaps).toBe(2)
      expect(await others().repository(Rows).get({ id: 1 })).toEqual({ id: 1, a: 'new' })
      await others().repository(Rows).put({ id: 2, a: 'newer' })
    },
  )

  test('a table that is created while others drop it leaves nothing that is in the way', async () => {
    const Rows = tableOf('created_late')
    const db = slow('createTable', () => others().dropTables([Rows]))
    await db.ensureTables([Rows])
    await others().ensureTables([Rows])
    await others().repository(Rows).put({ id: 1, a: 'a' })
    expect(await db.repository(Rows).get({ id: 1 })).toEqual({ id: 1, a: 'a' })
    await others().dropTables([Rows])
    expect(await server.client.tableExists('races:created_late')).toBe(false)
  })

  test('a table that others drop and create anew meanwhile is never reported as a different one', async () => {
    const Rows = tableOf('anew')
    const renew = async (): Promise<void> => {
      await others().dropTables([Rows])
      await others().ensureTables([Rows])
    }
    await others().ensureTables([Rows])
    for (const call of ['tableExists', 'getTableDescriptor', 'createTable'] as const) {
      await slow(call, renew).ensureTables([Rows])
    }
    await others().dropTables([Rows])
    await slow('createTable', renew).ensureTables([Rows])
    expect(await others().repository(Rows).get({ id: 1 })).toBeUndefined()
  })

  test('a table that others drop while it is looked at is created', async () => {
    const Rows = tableOf('gone')
    await others().ensureTables([Rows])
    await slow('getTableDescriptor', () => others().dropTables([Rows])).ensureTables([Rows])
    expect(await others().repository(Rows).get({ id: 1 })).toBeUndefined()
  })

  test('what others have begun and not finished is finished: creating, and dropping after each of its steps', async () => {
    const Rows = tableOf('unfinished')
    const crash = new Error('crashed')
    const steps = ['createTable', 'getTableDescriptor', 'isTableEnabled', 'disableTable', 'deleteTable', 'checkAndDelete'] as const
    for (const step of steps) {
      for (const finish of ['ensure', 'drop'] as const) {
        const crashing = slow(step, () => Promise.reject(crash))
        const run = async (): Promise<void> => {
          await crashing.ensureTables([Rows])
          await crashing.dropTables([Rows])
        }
        await expect(run(), step).rejects.toThrow('crashed')
        if (finish === 'drop') {
          await others().dropTables([Rows])
          expect(await server.client.tableExists('races:unfinished'), step).toBe(false)
        }
        await others().ensureTables([Rows])
        await others().repository(Rows).put({ id: 1, a: step })
        expect(await others().repository(Rows).get({ id: 1 }), step).toEqual({ id: 1, a: step })
        await others().dropTables([Rows])
      }
    }
  })

  test('a namespace that does not exist is INVALID_OPTION', async () => {
    const db = createMapper(hbase(server.client, { namespace: 'nowhere' }))
    await expect(db.ensureTables([tableOf('rows')])).rejects.toThrow(/INVALID_OPTION.*namespace.*create_namespace/)
  })
})
