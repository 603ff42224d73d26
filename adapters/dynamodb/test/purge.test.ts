import { bucket, int32, nullable, text } from 'rowkey/codec'
import { defineTable, type TableSchema } from 'rowkey'
import type { Row } from 'rowkey/adapter'
import { expect, test } from 'vitest'
import { intercept } from './middleware.js'
import { onEachServer, openTable } from './servers.js'

const Expiring: TableSchema = defineTable('expiring', {
  columns: { k: int32(), a: nullable(text()) },
  key: ['k'],
  salt: bucket({ of: 'k', count: 8 }),
  ttl: '1h',
})
const now = 1_000_000
const strong = { consistency: 'strong' } as const
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i)

onEachServer((server) => {
  test('ADAPTER-12: purges of any limit together delete what has expired, once, and nothing else', async () => {
    const table = await openTable(server.adapter(server.client()), Expiring)
    await table.put(...upTo(60).map((k): Row => [k, 'x', k % 3 === 0 ? now + 1 : k % 3 === 1 ? now : null]))
    const purge = (limit: number): Promise<number> | undefined => table.store.purgeExpired?.(now, limit)
    const purged = []
    for (const limit of [1, 7, 3, 1, 100, 100]) purged.push(await purge(limit))
    expect(purged).toEqual([1, 7, 3, 1, 8, 0])
    const left = await table.store.get(
      upTo(60).map((k) => [k]),
      strong,
    )
    expect(left.map((row) => row !== undefined)).toEqual(upTo(60).map((k) => k % 3 !== 1))
    expect(await purge(0)).toBe(0)
  })

  test('ADAPTER-12: many small purges read the table about once', async () => {
    const client = server.client()
    const table = await openTable(server.adapter(client), Expiring)
    const text = 'x'.repeat(30_000)
    await table.put(...upTo(150).map((k): Row => [k, text, k % 5 === 0 ? null : now]))
    let scanned = 0
    intercept(client, async ({ operation, send }) => {
      const answered = (await send()) as { output: { ScannedCount?: number } }
      if (operation === 'Scan') scanned += answered.output.ScannedCount ?? 0
      return answered
    })
    let purged = 0
    for (let calls = 0; calls < 12; calls++) purged += (await table.store.purgeExpired?.(now, 10)) ?? 0
    expect(purged).toBe(120)
    // A page is 1 MB, 35 rows of these: each call reads one, or two, from where the last one stopped.
    expect(scanned).toBeLessThan(12 * 70)
  })

  test('EXPIRY-3: a row that is written anew between the look and the delete stays', async () => {
    const client = server.client()
    const table = await openTable(server.adapter(client), Expiring)
    await table.put([1, 'old', now], [2, 'old', now])
    let isOn = true
    intercept(client, async ({ operation, send }) => {
      const answered = await send()
      if (operation === 'Scan' && isOn) {
        isOn = false
        await table.put([1, 'new', now + 1])
      }
      return answered
    })
    expect(await table.store.purgeExpired?.(now, 10)).toBe(1)
    expect(await table.store.get([[1], [2]], strong)).toEqual([[1, 'new', now + 1], undefined])
  })
})
