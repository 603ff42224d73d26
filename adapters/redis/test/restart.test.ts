import { redis as server } from '@rowkey/servers'
import { bucket, defineTable, text, uint32 } from 'rowkey'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { places } from './places.js'

const Rows = defineTable('rows', { columns: { id: uint32(), a: text() }, key: ['id'], salt: bucket({ of: 'id', count: 4 }) })
const missing = server.missing()

const folder = mkdtempSync(join(tmpdir(), 'rowkey-restart-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const { open } = places()

test.skipIf(missing !== undefined)(
  'a server that is killed has every acknowledged write when it is back, and a cursor goes on',
  async () => {
    let running = await server.start({ folder })
    const { url } = running.connection
    const port = Number(new URL(url).port)
    try {
      const db = open(url, { maxRetriesPerRequest: null })
      await db.ensureTables([Rows])
      const rows = db.repository(Rows)
      const first = Array.from({ length: 600 }, (_, id) => ({ id, a: 'x' }))
      await rows.putMany(first)
      const page = await rows.scan({}, { unbounded: true }).page({ size: 250 })

      // Writers are at work while it is killed.
      const acknowledged: number[] = []
      const unknown: number[] = []
      let isDone = false
      const writers = Array.from({ length: 4 }, async (_, writer) => {
        for (let i = 0; !isDone && i < 2000; i++) {
          const id = 1000 + i * 4 + writer
          await rows.insert({ id, a: 'y' }).then(
            () => acknowledged.push(id),
            () => unknown.push(id),
          )
        }
      })
      for (let i = 0; i < 2000 && acknowledged.length < 300; i++) await new Promise((resolve) => setTimeout(resolve, 5))
      const catalog = (await db.adapter.describeTable(rows.schema.name)) as never
      const id = await db.adapter.tableId(rows.schema, catalog)
      await running.kill()
      running = await server.start({ folder, port })
      isDone = true
      await Promise.all(writers)

      // The same data in another process: a copy from a snapshot back to its origin is no copy into itself.
      expect(typeof id).toBe('string')
      expect(await db.adapter.tableId(rows.schema, catalog)).not.toBe(id)

      expect(acknowledged.length).toBeGreaterThanOrEqual(300)
      const found = await rows.getMany(acknowledged.map((id) => ({ id })))
      expect(found.filter((row) => row === undefined)).toEqual([])
      const later = (await rows.scan({}, { unbounded: true }).page({ size: 1000, cursor: page.cursor })).rows
      expect([...page.rows, ...later].filter(({ id }) => id < 1000)).toEqual(first)
      expect(unknown.length).toBeLessThanOrEqual(4 * 2)
    } finally {
      await running.stop()
    }
  },
)
