import { int32, nullable, text } from 'rowkey/codec'
import { defineTable, type TableSchema } from 'rowkey'
import type { Page, ReadOptions, Row } from 'rowkey/adapter'
import { expect, test } from 'vitest'
import { checkQuery } from './check-query.js'
import { intercept, type Attempt } from './middleware.js'
import { onEachServer, openTable, type OpenTable } from './servers.js'

// Names that DynamoDB reserves, or that its expressions would take for something else.
const Rows: TableSchema = defineTable('rows', {
  columns: {
    k: int32(),
    size: nullable(int32()),
    name: nullable(text()),
    _: nullable(text()),
    SET: nullable(text()),
    AND: nullable(text()),
  },
  key: ['k'],
  writes: 'plain',
})
const strong: ReadOptions = { consistency: 'strong' }
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i)

async function pagesOf(
  { store }: OpenTable,
  from: number,
  to: number,
  reverse: boolean,
  want: number,
  options = strong,
): Promise<readonly Page[]> {
  const edge = 'before'
  const source = store.scan({ bucket: 0, from: { prefix: [from], edge }, to: { prefix: [to], edge }, reverse }, options)
  const pages: Page[] = []
  for (let page = await source.next(want); page !== undefined; page = await source.next(want)) pages.push(page)
  return pages
}

onEachServer((server) => {
  test('SCAN-1 ADAPTER-2 ADAPTER-3: a page that ends at the end of its range is the last, and no row beside it is read', async () => {
    const client = server.client()
    const table = await openTable(server.adapter(client), Rows)
    await table.put(...upTo(10).map((k): Row => [k, null, null, null, null, k]))
    const asked: Attempt[] = []
    intercept(client, (attempt) => {
      asked.push(attempt)
      checkQuery(attempt)
      return attempt.send()
    })
    for (const reverse of [false, true]) {
      for (const want of [1, 2, 4, 5, 6, 100]) {
        asked.length = 0
        const pages = await pagesOf(table, 3, 8, reverse, want)
        const keys = pages.flatMap(({ rows }) => rows.map(([k]) => k))
        expect(keys).toEqual(reverse ? [7, 6, 5, 4, 3] : [3, 4, 5, 6, 7])
        expect(pages.reduce((sum, { examined }) => sum + examined, 0)).toBe(5)
        // Forwards the server may not see that nothing follows the last row.
        expect(asked.length - Math.ceil(5 / want)).toBeLessThanOrEqual(reverse || 5 % want > 0 ? 0 : 1)
      }
    }
  })

  test('columns of any name are written, changed, read alone and together', async () => {
    const table = await openTable(server.adapter(server.client()), Rows)
    const row: Row = [1, 'a', 's', 'u', 'n', 7] // by name
    await table.put(row, [2, null, null, null, null, null])
    const columns = table.schema.columns.map(({ physical }) => physical)
    for (const at of upTo(6).slice(1)) {
      const wanted = columns.map((_, i) => (i === 0 || i === at ? (row[i] ?? null) : null))
      expect(await table.store.get([[1]], { ...strong, columns: [at] })).toEqual([wanted])
      expect(await table.store.get([[1], [2]], { ...strong, columns: [at] })).toEqual([wanted, [2, null, null, null, null, null]])
      expect((await pagesOf(table, 1, 2, false, 10, { ...strong, columns: [at] }))[0]?.rows).toEqual([wanted])
      expect((await table.store.fullScan(undefined, { ...strong, columns: [at] }).next(10))?.rows).toContainEqual(wanted)
    }
    await table.write([{ kind: 'update', row: [1, null, 'S', null, 'N', null], set: [1, 2, 3, 4, 5] }])
    expect(await table.store.get([[1]], strong)).toEqual([[1, null, 'S', null, 'N', null]])
    await table.write([{ kind: 'update', row: [1, null, null, null, null, 5], set: [] }])
    expect(await table.store.get([[1]], strong)).toEqual([[1, null, 'S', null, 'N', null]])
  })

  test('eventual reads ask for no consistency, strong ones do; pages tell what they cost', async () => {
    const client = server.client()
    const table = await openTable(server.adapter(client), Rows)
    await table.put(...upTo(5).map((k): Row => [k, null, null, null, null, k]))
    const asked: unknown[] = []
    intercept(client, ({ input, send }) => {
      const batch = Object.values((input['RequestItems'] ?? {}) as Record<string, { readonly ConsistentRead?: boolean }>)[0]
      asked.push(input['ConsistentRead'] ?? batch?.ConsistentRead)
      return send()
    })
    for (const consistency of ['strong', 'eventual'] as const) {
      asked.length = 0
      await table.store.get([[1]], { consistency })
      await table.store.get([[1], [2]], { consistency })
      const [page] = await pagesOf(table, 0, 9, false, 100, { consistency })
      const whole = await table.store.fullScan(undefined, { consistency }).next(100)
      expect(asked).toEqual(upTo(4).map(() => consistency === 'strong'))
      expect(page?.cost).toEqual({ calls: 1, units: expect.any(Number) as number })
      expect(page?.cost?.units).toBeGreaterThan(0)
      expect(whole?.cost?.calls).toBe(1)
    }
  })

  test('SCAN-8: a full scan goes on behind any of its checkpoints, deleted rows among them; others are CURSOR_INVALID', async () => {
    const table = await openTable(server.adapter(server.client()), Rows)
    await table.put(...upTo(20).map((k): Row => [k, null, null, null, null, k]))
    const source = table.store.fullScan(undefined, strong)
    const pages: Page[] = []
    for (let page = await source.next(3); page !== undefined; page = await source.next(3)) pages.push(page)
    expect(pages.flatMap(({ rows }) => rows).length).toBe(20)
    await table.write(
      upTo(20)
        .filter((k) => k % 4 === 0)
        .map((k) => ({ kind: 'delete', row: [k] })),
    )
    let seen = 0
    for (const { rows, checkpoint } of pages) {
      seen += rows.length
      const rest = table.store.fullScan(checkpoint, strong)
      const found: Row[] = []
      for (let page = await rest.next(7); page !== undefined; page = await rest.next(7)) found.push(...page.rows)
      const behind = pages.flatMap((page) => page.rows).slice(seen)
      expect(found).toEqual(behind.filter(([k]) => (k as number) % 4 !== 0))
    }
    const long = (bytes: number): string => Buffer.alloc(bytes, 1).toString('base64url')
    for (const checkpoint of ['', '.', 'AQ', 'AQ.', 'AQ.AQ.AQ', '%.%', `${long(2049)}.AQ`, `AQ.${long(1025)}`]) {
      expect(() => table.store.fullScan(checkpoint, strong)).toThrow('CURSOR_INVALID')
    }
  })
})
