import { expect, test } from 'vitest'
import type { Operation } from '../src/index.js'
import { clientsOf, metrics, rowsOf } from './clients.js'
import { failureOf } from './cluster.js'
import { withKudu } from './with-kudu.js'

withKudu('kudu', () => {
  const { client, server } = clientsOf()

  /** How many scanners the tablet server has. */
  async function openScanners(): Promise<number> {
    const answer = await server().tool('tserver', 'quiesce', 'status', server().tabletServers[0]?.address as string)
    const [, , row = ''] = answer.trim().split('\n')
    return Number(row.split('|').at(-1))
  }

  test('scanners that are not read to their end are closed', async () => {
    const [c, long] = [client(), client()]
    const t = await metrics(c, 3)
    await c.write(
      t,
      Array.from({ length: 2_000 }, (_, key): Operation => ({ type: 'upsert', row: [`h${key % 10}`, key, key] })),
    )
    expect(await openScanners()).toBe(0)
    const left = [c.scan(t, { batchBytes: 1 }), long.scan(t, { batchBytes: 1, isOrdered: true })] as const
    for (const scanner of left) await scanner.next()
    expect(await openScanners()).toBe(2)
    for await (const batch of c.scan(t, { batchBytes: 1 })) if (batch.length > 0) break
    await left[0].close()
    expect(await openScanners()).toBe(1)
    expect(await left[0].next()).toBeUndefined()
    await long.close()
    expect(await openScanners()).toBe(0)
    const abort = new AbortController()
    const aborted = c.scan(t, { batchBytes: 1 }, { signal: abort.signal })
    await aborted.next()
    abort.abort()
    expect((await failureOf(aborted.next())).code).toBe('ABORTED')
    await aborted.close()
    expect(await openScanners()).toBe(0)
    expect(await rowsOf(c.scan(t, { batchBytes: 1, limit: 200 }))).toHaveLength(200)
    expect(await openScanners()).toBe(0)
  })
})
