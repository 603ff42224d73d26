import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import type { KuduClient, KuduTable, Operation } from '../src/index.js'
import { clientsOf, metrics, rowsOf } from './clients.js'
import { failureOf } from './cluster.js'
import { withKudu } from './with-kudu.js'

withKudu('kudu', () => {
  // Scanners are forgotten by the server after a second.
  const { client } = clientsOf({ tabletServerFlags: ['--scanner_ttl_ms=1000', '--scanner_gc_check_interval_us=100000'] })
  let c: KuduClient
  let t: KuduTable
  const rows = Array.from({ length: 2_000 }, (_, key): Operation => ({ type: 'upsert', row: [`h${key % 10}`, key, key] }))

  beforeAll(async () => {
    c = client()
    t = await metrics(c, 3)
    await c.write(t, rows)
  })

  test('an ordered scan goes on after its scanner has expired, with the rows of its snapshot', async () => {
    const other = await metrics(c, 3)
    await c.write(other, rows)
    const scanner = c.scan(other, { isOrdered: true, columns: ['load'], batchBytes: 1 })
    const found: number[] = []
    for (let batch = await scanner.next(), count = 0; batch !== undefined; batch = await scanner.next(), count++) {
      for (const { load } of batch) found.push(load as number)
      if (count % 8 !== 0) continue
      await sleep(1_500)
      await c.write(
        other,
        rows.map(({ row }) => ({ type: 'upsert', row: [...(row as unknown[]).slice(0, 2), -1] as never })),
      )
    }
    expect(found.sort((a, b) => a - b)).toEqual(rows.map((_, key) => key))
    expect(scanner.snapshot).toBeTypeOf('bigint')
    expect(new Set((await rowsOf(c.scan(other))).map(({ load }) => load))).toEqual(new Set([-1]))
    // The same snapshot once more.
    expect((await rowsOf(c.scan(other, { isOrdered: true, snapshot: scanner.snapshot }))).every(({ load }) => load !== -1)).toBe(true)
  })

  test('an unordered scan cannot, and says what helps', async () => {
    const scanner = c.scan(t, { batchBytes: 1 })
    await scanner.next()
    await sleep(1_500)
    const error = await failureOf(scanner.next())
    expect(error).toMatchObject({ code: 'SERVER', status: 'SCANNER_EXPIRED', call: 'scan' })
    expect(error.message).toContain('Use isOrdered, or keepAlive()')
    expect(await scanner.next()).toBeUndefined()
  })

  test('keepAlive() holds it', async () => {
    const scanner = c.scan(t, { batchBytes: 1 })
    let count = (await scanner.next())?.length ?? 0
    for (let index = 0; index < 6; index++) {
      await sleep(250)
      await scanner.keepAlive()
    }
    for (let batch = await scanner.next(); batch !== undefined; batch = await scanner.next()) count += batch.length
    expect(count).toBe(2_000)
    await scanner.keepAlive() // of none
  })

  test('next() calls that do not wait for each other get the batches in order', async () => {
    const scanner = c.scan(t, { batchBytes: 1, isOrdered: true, columns: ['time'] })
    const batches = await Promise.all(Array.from({ length: 40 }, () => scanner.next()))
    expect(batches.flatMap((batch) => batch?.rows() ?? [])).toHaveLength(2_000)
    expect(batches.at(-1)).toBeUndefined()
  })

  test('requests that are wrong are refused before anything is sent', () => {
    const refusal = (scan: object): string => {
      try {
        c.scan(t, scan)
      } catch (error) {
        return (error as Error).message
      }
      return ''
    }
    expect(refusal({ after: Buffer.from('a') })).toContain('scan.after is for ordered scans only')
    expect(refusal({ after: Buffer.from('a'), isOrdered: true, start: { host: 'a' } })).toContain('Give one of the two')
    expect(refusal({ columns: ['no'] })).toContain("columns[0] is 'no', which the table does not have")
    expect(refusal({ columns: ['load', 'load'] })).toContain('again')
    expect(refusal({ limit: 0 })).toContain('scan.limit is 0. Give a whole number from 1')
    expect(refusal({ batchBytes: 1.5 })).toContain('scan.batchBytes is 1.5')
    expect(refusal({ snapshot: 5 })).toContain('scan.snapshot')
    expect(refusal({ filter: [] })).toContain("'filter' does not exist")
    expect(refusal({ where: [{ column: 'load', equals: 'x' }] })).toContain('where[0]')
  })
})
