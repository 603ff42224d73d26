// Tested by wrong.test.ts.
import type { Conditions, Page, Row, TableStore } from '#store/adapter'
import { compileFilter } from '#store/engine'
import { check, same } from '../check.js'
import { bucketSlice, pagesOf, rowsOf, strong, upTo } from '../suite/reading.js'
import { rule, type Rule } from '../suite/rule.js'
import { Numbers, PlainThings } from '../suite/tables.js'

const [host, a, b, c] = [0, 2, 3, 4]

const filters: readonly (readonly [what: string, filter: Conditions])[] = [
  ['in, with a value that no row has', [{ column: a, in: ['x', 'none'] }]],
  ['in of a value that rows with null do not have', [{ column: b, in: ['y'] }]],
  ['is null', [{ column: b, isNull: true }]],
  ['is not null', [{ column: b, isNull: false }]],
  ['a range with both ends, one of them open', [{ column: c, low: { value: 3, inclusive: true }, high: { value: 12, inclusive: false } }]],
  ['the same with the other end open', [{ column: c, low: { value: 3, inclusive: false }, high: { value: 12, inclusive: true } }]],
  ['a range from above', [{ column: c, high: { value: 5, inclusive: true } }]],
  ['an empty text', [{ column: a, in: [''] }]],
  [
    'several conditions',
    [
      { column: a, in: ['x'] },
      { column: c, low: { value: 20, inclusive: false } },
      { column: host, in: ['web'] },
    ],
  ],
  ['nothing that passes', [{ column: c, in: [-7] }]],
]

/** 40 rows; only every tenth is rare, so that whole pages contain no row that passes. */
const rows = upTo(40).map((n): Row => [
  'web',
  n,
  n % 10 === 9 ? '' : n % 3 === 0 ? 'x' : null,
  n % 4 === 0 ? null : 'y',
  n % 5 === 0 ? null : n,
])

export const pages: readonly Rule[] = [
  rule('PAGE-2 SCAN-4 ADAPTER-3: every page makes progress, `want` is only a target, and only undefined means the end', async (world) => {
    const { store, put } = await world.open(Numbers)
    await put(...upTo(60).map((n) => [n, null]))
    for (const want of [1, 2, 7, 60, 61, 1000]) {
      const given = await pagesOf(store.scan(bucketSlice(0), strong), want)
      same(
        given.flatMap((page) => page.rows.map(([n]) => n)),
        upTo(60),
        `rows in pages of ${want}`,
      )
      checkLast(
        given,
        upTo(60).map((n) => [n]),
        `pages of ${want}`,
        world.countWork,
      )
    }
  }),

  rule(
    'PRED-2 R7 ADAPTER-4: a store may apply a filter or ignore it, but never loses a matching row, nor the last key that was examined',
    async (world) => {
      const { schema, store, put } = await world.open(PlainThings)
      await put(...rows)
      const slice = bucketSlice(schema.layout.bucketOf(['web', 0]))
      for (const reverse of world.adapter.capabilities.reverse ? [false, true] : [false]) {
        const walk = reverse ? rows.toReversed() : rows
        for (const [what, filter] of filters) {
          const passes = compileFilter(schema, filter)
          for (const want of [3, 1000]) {
            const given = await pagesOf(store.scan({ ...slice, reverse, filter }, strong), want)
            const got = given.flatMap((page) => page.rows)
            const about = `${what}${reverse ? ', reverse' : ''}, in pages of ${want}`
            same(got.filter(passes), walk.filter(passes), `rows that pass: ${about}`)
            checkLast(
              given,
              walk.map((row) => row.slice(0, 2)),
              about,
              world.countWork,
            )
          }
        }
      }
    },
  ),

  rule(
    'SCAN-6 ADAPTER-5: a full scan returns every row once, and another source continues from the checkpoint of any page',
    async (world) => {
      const { store, put, remove } = await world.open(PlainThings)
      // Enough hosts that every bucket has rows.
      const all = upTo(20).flatMap((host) => upTo(8).map((n): Row => [`host-${host}`, n, 'a', null, n]))
      await put(...all)
      same(keysOf(await rowsOf(store.fullScan(undefined, strong), 17)), keysOf(all), 'keys of a full scan')
      same(keysOf(await byCheckpoints(store)), keysOf(all), 'keys of a full scan by checkpoints')
      // A returned row may be deleted: the checkpoint does not need it.
      const left = await byCheckpoints(store, ({ rows: seen }) => remove(...seen.map((row) => row.slice(0, 2))))
      same(keysOf(left), keysOf(all), 'keys of a full scan by checkpoints whose rows are deleted')
    },
  ),
]

const keysOf = (list: readonly Row[]): readonly string[] => list.map(([name, n]) => `${String(name)} ${String(n)}`).toSorted()

/** All rows, each page from a new source. */
async function byCheckpoints(store: TableStore, seen: (page: Page) => Promise<void> = async () => undefined): Promise<readonly Row[]> {
  const found: Row[] = []
  let checkpoint: string | undefined
  for (let n = 0; ; n++) {
    check(n < 1000, 'a full scan by checkpoints ends')
    const source = store.fullScan(checkpoint, strong)
    const page = await source.next(13)
    source.close()
    if (page === undefined) return found
    found.push(...page.rows)
    check(page.checkpoint !== undefined, 'every page of a full scan has a checkpoint')
    checkpoint = JSON.parse(JSON.stringify(page.checkpoint)) as string
    await seen(page)
  }
}

/**
 * The examined rows end where the page says: at `last`, or otherwise at its last row. A scan resumes there, so rows examined after it would
 * be counted and read twice, and rows before it that were not examined would be lost.
 */
function checkLast(given: readonly Page[], walk: readonly Row[], what: string, countWork: boolean): void {
  const texts = walk.map((row) => JSON.stringify(row))
  let examined = 0
  let end = 0
  let isExhausted = false
  for (const page of given) {
    examined += page.examined
    check(!isExhausted || page.examined === 0, `${what}: a page examined ${page.examined} rows after one that is exhausted`)
    isExhausted ||= page.exhausted === true
    check(page.examined >= page.rows.length, `${what}: a page of ${page.rows.length} rows examined ${page.examined}`)
    const last = page.last ?? page.rows.at(-1)
    if (page.exhausted === true) {
      check(!countWork || examined >= walk.length, `${what}: a page is exhausted after ${examined} of ${walk.length} rows`)
      continue
    }
    if (last === undefined) {
      check(page.examined === 0, `${what}: a page examined ${page.examined} rows and names neither a row nor the last examined key`)
      continue
    }
    const position = texts.indexOf(JSON.stringify(last.slice(0, walk[0]?.length))) + 1
    check(position >= end, `${what}: the last examined key lies before that of an earlier page`)
    check(
      !countWork || position >= Math.min(examined, walk.length),
      `${what}: ${examined} rows are examined, the last key that was named is number ${position}`,
    )
    end = position
  }
}
