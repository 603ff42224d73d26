import { hbase } from '@rowkey/hbase'
import { hbase as launcher } from '@rowkey/servers'
import { isLong } from '@rowkey/servers/scale'
import { bucket, createMapper, defineTable, int32, text } from 'rowkey'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { clientOf } from './connected.js'

const Rows = defineTable('crashed', { columns: { id: int32(), a: text() }, key: ['id'], salt: bucket({ of: 'id', count: 4 }) })
const kills = isLong ? 10 : 2
const acknowledgedEach = 500
const folder = mkdtempSync(join(tmpdir(), 'rowkey-crashes-'))
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

test.skipIf(launcher.missing() !== undefined && process.env['ROWKEY_REQUIRE_SERVERS'] !== '1')(
  `a server that is killed ${kills} times in the middle of writes has every row that it acknowledged`,
  async () => {
    let server = await launcher.start({ folder, transports: ['unframed'] })
    const { gateways: ports } = server.connection
    const client = clientOf(server.connection, 'unframed', { timeout: 20_000 })
    const db = createMapper(hbase(client), { retry: { attempts: 1 } })
    try {
      await db.ensureTables([Rows])
      const rows = db.repository(Rows)
      const acknowledged = new Map<number, string>()
      for (let kill = 0; kill < kills; kill++) {
        const target = acknowledged.size + acknowledgedEach
        let isDone = false
        const writers = Array.from({ length: 16 }, async (_, writer) => {
          for (let i = 0; !isDone && i < 100_000; i++) {
            const id = 1_000_000 * kill + 16 * i + writer
            const write = i % 3 === 0 ? rows.insert({ id, a: `${kill}` }) : rows.put({ id, a: `${kill}` })
            await write.then(
              () => acknowledged.set(id, `${kill}`),
              () => new Promise((resolve) => setTimeout(resolve, 20)),
            )
          }
        })
        for (let i = 0; i < 6000 && acknowledged.size < target; i++) await new Promise((resolve) => setTimeout(resolve, 10))
        await server.kill()
        isDone = true
        await Promise.all(writers)
        expect(acknowledged.size).toBeGreaterThanOrEqual(target)
        server = await launcher.start({ folder, transports: ['unframed'], ports })
        const keys = [...acknowledged.keys()]
        const found = await rows.getMany(keys.map((id) => ({ id })))
        expect(found.filter((row, i) => row?.a !== acknowledged.get(keys[i] as number))).toEqual([])
      }
      console.log(`hbase: ${kills} kills, ${acknowledged.size} acknowledged rows, none lost`)
    } finally {
      await client.close()
      await server.kill()
    }
  },
  1_800_000,
)
