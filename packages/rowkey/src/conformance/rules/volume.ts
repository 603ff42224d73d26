// Tested by wrong.test.ts.
import { Cancellation, type Row } from '#store/adapter'
import { int32, nullable, text } from '#codec'
import { defineTable } from '#model'
import { same } from '../check.js'
import { bucketSlice, rowsOf, strong, upTo } from '../suite/reading.js'
import { rule, type Rule } from '../suite/rule.js'
import { Numbers } from '../suite/tables.js'

const many = 6000

/** Rows of 300 KB: a few of them are more than a store returns in one answer. */
const Heavy = defineTable('heavy', {
  columns: { n: int32(), ...Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, nullable(text())])) },
  key: ['n'],
  writes: 'plain',
})

const heavyRow = (n: number): Row => [n, ...upTo(5).map((column) => String.fromCharCode(97 + ((n + column) % 26)).repeat(60_000))]

export const volume: readonly Rule[] = [
  rule('SCAN-1 ADAPTER-3 ADAPTER-5: thousands of rows are returned completely, forwards, in reverse and by a full scan', async (world) => {
    const { adapter } = world
    const { store, put } = await world.open(Numbers)
    await put(...upTo(many).map((n) => [n, `v${n}`]))
    const numbersOf = (rows: readonly Row[]): readonly unknown[] => rows.map(([n]) => n)
    const all = upTo(many)
    for (const want of [1024, 5000]) {
      same(numbersOf(await rowsOf(store.scan(bucketSlice(0), strong), want)), all, `rows of a scan, ${want} wanted at a time`)
    }
    if (adapter.capabilities.reverse) {
      same(numbersOf(await rowsOf(store.scan(bucketSlice(0, true), strong), 1024)), all.toReversed(), 'rows of a reverse scan')
    }
    const full = numbersOf(await rowsOf(store.fullScan(undefined, strong), 1024)) as readonly number[]
    same(
      full.toSorted((a, b) => a - b),
      all,
      'rows of a full scan',
    )
    const found = await store.get(
      all.map((n) => [n]),
      strong,
    )
    same(found.filter((row) => row === undefined).length, 0, 'rows that get() of all keys does not find')
  }),

  rule('SCAN-1 ROW-1: rows of 300 KB are returned whole, by gets and by scans of megabytes', async (world) => {
    const { store, put } = await world.open(Heavy)
    const rows = upTo(12).map(heavyRow)
    for (const row of rows) await put(row)
    same(
      await store.get(
        rows.map(([n]) => [n as number]),
        strong,
      ),
      rows,
      'rows of get()',
    )
    same(await rowsOf(store.scan(bucketSlice(0), strong), 12), rows, 'rows of a scan')
  }),

  rule('ROW-1: a column of 65,535 bytes is returned whole, with characters of any size', async (world) => {
    const { store, put } = await world.open(Heavy)
    const longest = ['a'.repeat(65_535), '\u00e9'.repeat(32_767), '\u4e2d'.repeat(21_845), '\u{1f600}'.repeat(16_383)]
    await put([1, ...longest, null])
    same(await store.get([[1]], strong), [[1, ...longest, null]], 'the row')
  }),

  rule('SCAN-1 GET-1: a signal that is not aborted and a deadline that is not over do not change results', async (world) => {
    const { store, put, write } = await world.open(Numbers)
    const patient = {
      cancellation: new Cancellation({ signal: new AbortController().signal, deadline: Date.now() + 3_600_000 }),
    }
    await put([1, 'x'])
    same(
      (await write([{ kind: 'put', row: [2, 'y'] }], patient)).map(({ kind }) => kind),
      ['applied'],
      'outcome of a put',
    )
    const rows = [
      [1, 'x'],
      [2, 'y'],
    ]
    same(await store.get([[1], [2]], { ...strong, ...patient }), rows, 'rows of get()')
    same(await rowsOf(store.scan(bucketSlice(0), { ...strong, ...patient })), rows, 'rows of a scan')
    same(await rowsOf(store.fullScan(undefined, { ...strong, ...patient })), rows, 'rows of a full scan')
  }),
]
