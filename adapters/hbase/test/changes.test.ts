import { createMapper, defineTable, int32, nullable, text } from 'rowkey'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { connect, type Connected } from './connected.js'

const columns = { k: text(), a: nullable(int32()), b: nullable(text()) }
const Rows = defineTable('nulls', { columns, key: ['k'] })
const Wider = defineTable('nulls', { columns: { ...columns, c: nullable(text()) }, key: ['k'] })

withServer('hbase', (connection) => {
  let [one, other]: Connected[] = []
  beforeAll(async () => {
    one = await connect(connection, 'unframed', { namespace: 'nulls' })
    other = await connect(connection, 'unframed', { namespace: 'nulls' })
  })
  afterAll(async () => {
    await one?.dispose()
    await other?.dispose()
  })

  test('a put clears what it does not set, a thousand times in a row, whatever the millisecond', async () => {
    const db = createMapper((one as Connected).adapter)
    await db.ensureTables([Rows])
    const rows = db.repository(Rows)
    for (let i = 0; i < 1000; i++) {
      const row = { k: 'x', a: i % 2 === 0 ? i : null, b: i % 3 === 0 ? `${i}` : null }
      await rows.put(row)
      expect(await rows.get({ k: 'x' })).toEqual(row)
    }
  })

  test('delete then put, a thousand times: every put is visible, also of one that may only insert', async () => {
    const db = createMapper((one as Connected).adapter)
    await db.ensureTables([Rows])
    const rows = db.repository(Rows)
    for (let i = 0; i < 1000; i++) {
      await rows.delete({ k: 'y' })
      await (i % 2 === 0 ? rows.put({ k: 'y', a: i, b: 'b' }) : rows.insert({ k: 'y', a: i }))
      expect((await rows.get({ k: 'y' }))?.a).toBe(i)
    }
  })

  test('a put by a process that began with fewer columns clears those that another process has added', async () => {
    const [mine, theirs] = [createMapper((one as Connected).adapter), createMapper((other as Connected).adapter)]
    await mine.ensureTables([Rows])
    const rows = mine.repository(Rows)
    await rows.put({ k: 'z', a: 1, b: 'b' })
    await theirs.ensureTables([Wider])
    await theirs.repository(Wider).put({ k: 'z', a: 1, b: 'b', c: 'new' })
    await new Promise((resolve) => setTimeout(resolve, 1100)) // the other process is believed for a second
    await rows.put({ k: 'z', a: 2, b: 'b' })
    expect(await theirs.repository(Wider).get({ k: 'z' })).toEqual({ k: 'z', a: 2, b: 'b', c: null })
  })
})
