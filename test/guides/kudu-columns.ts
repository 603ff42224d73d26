import { bool, bytes, date, decimal, defineTable, float64, int32, int64, nullable, text, timestamp, type ColumnType } from 'rowkey'
import type { KuduHints } from '@rowkey/kudu'
import { expect } from 'vitest'
import { codeOf, type AddLine } from './line.js'

type Encoding = NonNullable<NonNullable<KuduHints['columns']>[string]['encoding']>

/** The guide's table, with the types that it has later. */
const tableOfEncodings: readonly (readonly [ColumnType, readonly Encoding[]])[] = [
  [int32(), ['plain', 'bitshuffle', 'runLength']],
  [int64(), ['plain', 'bitshuffle', 'runLength']],
  [timestamp('us'), ['plain', 'bitshuffle', 'runLength']],
  [date(), ['plain', 'bitshuffle', 'runLength']],
  [float64(), ['plain', 'bitshuffle']],
  [decimal(38, 2), ['plain', 'bitshuffle']],
  [bool(), ['plain', 'runLength']],
  [text(), ['plain', 'prefix', 'dictionary']],
  [bytes(), ['plain', 'prefix', 'dictionary']],
]
const encodings: readonly Encoding[] = ['plain', 'bitshuffle', 'runLength', 'prefix', 'dictionary']

/** How columns are kept, and what of them can be changed. */
export function kuduColumns(add: AddLine): void {
  const line = (title: string, run: Parameters<AddLine>[1]): void => add(title, run, {}, ['kudu'])

  line('G-56: a column takes the encodings that the guide has for its type, and others are refused', async (store) => {
    for (const [type, allowed] of tableOfEncodings) {
      const tables = allowed.map((encoding, i) =>
        defineTable(`allowed${i}`, { columns: { id: int64(), v: type }, key: ['id'], stores: { kudu: { columns: { v: { encoding } } } } }),
      )
      await store.create(tables)
      for (const encoding of encodings.filter((each) => !allowed.includes(each))) {
        const Refused = defineTable('refused', {
          columns: { id: int64(), v: type },
          key: ['id'],
          stores: { kudu: { columns: { v: { encoding } } } },
        })
        expect(await codeOf(() => store.create([Refused]))).toBe('INVALID_OPTION')
      }
    }
  })

  line('G-57 G-58 G-59 G-60 G-61 G-62: rows are the same in every encoding and compression, also after a change of them', async (store) => {
    const [columns, key] = [{ host: text(), at: int64(), n: int32(), runs: bool(), word: text(), url: text() }, ['host', 'at']] as const
    const modelOf = (hints: KuduHints) => defineTable('kept', { columns, key, stores: { kudu: { ...hints } } })
    const first = modelOf({
      columns: {
        host: { encoding: 'prefix' },
        at: { encoding: 'bitshuffle' },
        n: { encoding: 'plain', compression: 'snappy' },
        runs: { encoding: 'runLength', compression: 'none' },
        word: { encoding: 'dictionary', compression: 'lz4', blockSize: 65_536 },
        url: { encoding: 'prefix', compression: 'zlib' },
      },
    })
    const db = await store.create([first])
    const rowAt = (i: number) => ({
      host: `h${i % 3}`,
      at: BigInt(i),
      n: i,
      runs: i < 50,
      word: ['GET', 'PUT'][i % 2] ?? '',
      url: `https://example.org/${i}`,
    })
    const rows = Array.from({ length: 120 }, (_, i) => rowAt(i))
    await db.repository(first).putMany(rows.slice(0, 60))
    const second = modelOf({
      columns: { host: { encoding: 'dictionary' }, at: { encoding: 'runLength' }, n: { compression: 'zlib' }, word: { encoding: 'plain' } },
    })
    await db.ensureTables([second])
    await db.repository(second).putMany(rows.slice(60))
    expect((await db.repository(second).readAll().toArray()).toSorted((a, b) => a.n - b.n)).toEqual(rows)
  })

  line('G-113 G-114: in one step, a retired column is dropped if the model says so, and others are added', async (store) => {
    const [id, n, note] = [text(), int64(), nullable(text())]
    const Before = defineTable('changed', { columns: { id, n, note, kind: note }, key: ['id', 'n'] })
    const After = defineTable('changed', {
      columns: { id, n, kind: note, more: nullable(int32()) },
      key: ['id', 'n'],
      retired: ['note'],
      stores: { kudu: { dropRetired: true, columns: { kind: { encoding: 'dictionary' } } } },
    })
    const db = await store.create([Before])
    const before = db.repository(Before)
    await before.put({ id: 'a', n: 1n, note: 'old', kind: 'k' })
    await db.ensureTables([After])
    expect(await db.repository(After).get({ id: 'a', n: 1n })).toEqual({ id: 'a', n: 1n, kind: 'k', more: null })
    // Who still has the column is told so.
    expect(await codeOf(() => before.put({ id: 'b', n: 1n, note: 'lost' }))).toBe('SCHEMA_MISMATCH')
  })
}
