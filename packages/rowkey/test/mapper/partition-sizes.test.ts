import { bucket, desc, period, text, timestamp, uint32, type Every } from '#codec'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { defineTable } from '#model'
import { RecordFormat } from '#record'
import { keyOf, newCatalog, partitionOf } from '#store/adapter'
import { expect, test } from 'vitest'
import { wrapped } from '../../../../test/kit/wrapped.js'

// The sizes that docs/guide/time-series.md shows. With ROWKEY_SCALE=100 each design writes 1,000,000 rows; with fewer, a row stands for several.
const written = Math.min(1_000_000, 10_000 * Math.max(1, Number(process.env['ROWKEY_SCALE'] ?? 1)))

/** What Cassandra's and GeminiDB's guides allow. */
const most = { rows: 100_000, bytes: 100_000_000 }
const lineLength = 500

interface Design {
  readonly every: Every
  readonly hosts: number
  readonly buckets?: number
  /** Of all hosts together. */
  readonly perSecond: number
  readonly rows: number
}

async function largest({ every, hosts, buckets, perSecond, rows }: Design): Promise<{ readonly rows: number; readonly bytes: number }> {
  const columns = { host: text(), day: period(every, { of: 'at' }), at: desc(timestamp('ms')), seq: uint32(), line: text() }
  const salt = buckets === undefined ? [] : bucket<'seq'>({ of: 'seq', count: buckets })
  const schema = defineTable('logs', { columns, partition: ['host', 'day'], key: ['at', 'seq'], salt, writes: 'plain' })
  const format = new RecordFormat(schema, newCatalog(schema))
  const partitions = new Map<string, { rows: number; bytes: number }>()
  const adapter = wrapped(memory(), {
    write(mutations, inner) {
      for (const mutation of mutations) {
        const { rows, bytes } = partitions.get(partitionOf(mutation)) ?? { rows: 0, bytes: 0 }
        partitions.set(partitionOf(mutation), {
          rows: rows + 1,
          bytes: bytes + keyOf(mutation).bytes.length + format.encode(mutation.row).length,
        })
      }
      return inner()
    },
  })
  const db = createMapper(adapter, { clock: () => start })
  await db.ensureTables([schema])
  const logs = db.repository(schema)
  const each = rows / written
  const line = 'x'.repeat(lineLength)
  const row = (i: number) => ({ host: `web-${i % hosts}`, at: new Date(start + Math.floor((i * each * 1000) / perSecond)), seq: i, line })
  for (let i = 0; i < written; i += 1000) await logs.putMany(Array.from({ length: 1000 }, (_, k) => row(i + k)))
  const all = [...partitions.values()]
  expect(all.reduce((sum, { rows }) => sum + rows, 0)).toBe(written)
  return { rows: Math.max(...all.map(({ rows }) => rows)) * each, bytes: Math.max(...all.map(({ bytes }) => bytes)) * each }
}

const start = Date.UTC(2026, 0, 1)

test.each<[string, Design]>([
  ['10⁶ rows, 10 hosts, a row a second each, by day', { every: 'day', hosts: 10, perSecond: 10, rows: 1_000_000 }],
  ['10⁸ rows at 1,000 a second, 40 hosts, by hour', { every: 'hour', hosts: 40, perSecond: 1000, rows: 100_000_000 }],
  ['one hour of one host at 1,000 a second, 64 buckets', { every: 'hour', hosts: 1, buckets: 64, perSecond: 1000, rows: 3_600_000 }],
])('partitions stay below 100,000 rows and 100 MB: %s', async (_, design) => {
  const { rows, bytes } = await largest(design)
  if (process.env['ROWKEY_SIZES'] !== undefined) console.log(design, { rows, bytes })
  expect(rows).toBeLessThan(most.rows)
  expect(bytes).toBeLessThan(most.bytes)
})

test('without a period the same million rows are in partitions of 100,000 rows and more', async () => {
  // A year is longer than the rows last.
  expect((await largest({ every: 'year', hosts: 10, perSecond: 10, rows: 1_000_000 })).rows).toBe(100_000)
})
