// Tested by wrong.test.ts.
import type { Mapper, PlainRepository } from '#mapper'
import { bucket, desc, int32, isRowkeyError, nullable, text } from '#codec'
import { defineTable, renameTable } from '#model'
import { compileQuery } from '#store'
import { writeCursor } from '#store/engine'
import { check, refusalOf, refused, same } from '../check.js'
import { Random } from '../oracle/random.js'
import { upTo } from '../suite/reading.js'
import { rule, type Rule } from '../suite/rule.js'
import type { World } from '../suite/world.js'

const columns = { host: text(), n: int32(), note: nullable(text()) }
const Things = defineTable('paged', { columns, key: ['host', 'n'], salt: bucket({ of: 'n', modulo: 3 }), writes: 'plain' })
/** The same table, copied into another number of buckets under another name. */
const Again = renameTable(
  defineTable('paged', { columns, key: ['host', 'n'], salt: bucket({ of: ['host', 'n'], count: 7 }), writes: 'plain' }),
  'again',
)
const Other = defineTable('other', { columns, key: ['host', 'n'], salt: bucket({ of: 'n', modulo: 3 }), writes: 'plain' })
const Turned = defineTable('turned', { columns: { ...columns, n: desc(int32()) }, key: ['host', 'n'], writes: 'plain' })

const where = { host: 'b', n: { gte: 2, lt: 8 } }
const all = ['a', 'b', 'c'].flatMap((host) => upTo(10).map((n) => ({ host, n, note: n % 2 === 0 ? 'even' : null })))

/** A table with some rows to page through. */
export async function filled(db: Mapper): Promise<PlainRepository<typeof Things>> {
  await db.ensureTables([Things])
  const table = db.repository(Things)
  await table.putMany(all)
  return table
}

/** A cursor to damage. */
export async function firstCursor(table: PlainRepository<typeof Things>): Promise<string> {
  const { cursor } = await table.scan(where).page({ size: 2 })
  check(cursor !== undefined, 'the first page of several has a cursor')
  return cursor
}

export const cursors: readonly Rule[] = [
  rule('PAGE-1 PAGE-2: pages of any size return all rows, and only a missing cursor means the end', async (world) => {
    const table = await filledIn(world)
    for (const limit of [1, 2, 5, 6, 7, 100]) {
      const seen: number[] = []
      let cursor: string | undefined
      let pages = 0
      do {
        const page = await table.scan(where).page({ size: limit, cursor })
        check(page.rows.length <= limit, `${page.rows.length} rows in a page of ${limit}`)
        check((page.cursor === undefined) === (page.stop === 'exhausted'), 'no cursor means exhausted')
        seen.push(...page.rows.map(({ n }) => n))
        cursor = page.cursor
        check(++pages < 20, 'paging ends')
      } while (cursor !== undefined)
      same(seen, [2, 3, 4, 5, 6, 7], `rows in pages of ${limit}`)
    }
    const limited = table.scan(where, { limit: 5 })
    const first = await limited.page({ size: 2 })
    const second = await limited.page({ size: 2, cursor: first.cursor })
    const third = await limited.page({ size: 2, cursor: second.cursor })
    same(
      [first, second, third].map(({ rows, stop }) => [rows.map(({ n }) => n), stop]),
      [
        [[2, 3], 'size'],
        [[4, 5], 'size'],
        [[6], 'limit'],
      ],
      'pages of a scan with a limit of 5',
    )
    check(third.cursor === undefined, 'a page that reaches the limit has no cursor')
  }),

  rule('R17 PAGE-3: a cursor stays valid when its row is deleted, others are written, and the bucket count changes', async (world) => {
    const table = await filledIn(world)
    const { cursor } = await table.scan(where).page({ size: 2 })
    await table.delete({ host: 'b', n: 3 })
    await table.put({ host: 'b', n: 2, note: 'new' })
    same(
      (await table.scan(where).page({ cursor })).rows.map(({ n }) => n),
      [4, 5, 6, 7],
      'rows after a deleted row',
    )
    const other = await world.repository(Again)
    await other.putMany(all)
    same(
      (await other.scan(where).page({ cursor })).rows.map(({ n }) => n),
      [4, 5, 6, 7],
      'rows of a table with other buckets',
    )
  }),

  rule('PAGE-3: the cursor of another table or query is a CURSOR_MISMATCH that says what differs', async (world) => {
    const table = await filledIn(world)
    const turned = await world.repository(Turned)
    const other = await world.repository(Other)
    const { cursor } = await table.scan(where).page({ size: 2 })
    const foreign: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['layout', () => turned.scan(where).page({ cursor })],
      ['table', () => other.scan(where).page({ cursor })],
      ['predicate', () => table.scan({ ...where, host: 'c' }).page({ cursor })],
      ['predicate', () => table.scan({ ...where, n: { gt: 2 } }).page({ cursor })],
      ...(world.adapter.capabilities.reverse
        ? [['direction', () => table.scan(where, { order: 'reverse' }).page({ cursor })] as const]
        : []),
    ]
    for (const [differs, run] of foreign) {
      const { code, details } = await refusalOf(`a cursor of another ${differs}`, run)
      same([code, details['differs']], ['CURSOR_MISMATCH', differs], `a cursor of another ${differs}`)
    }
  }),

  rule('PAGE-3: cursors that are cut, damaged, forged or of another version are errors or stay inside their query', async (world) => {
    const table = await filledIn(world)
    const { cursor = '' } = await table.scan(where).page({ size: 2 })
    for (const given of [
      '',
      'A',
      'not a cursor',
      `${cursor}=`,
      `${cursor} `,
      cursor.slice(0, -1),
      cursor.slice(0, 20),
      `${cursor}AAAA`,
      `B${cursor.slice(1)}`,
    ]) {
      await refused(`the cursor ${JSON.stringify(given)}`, () => table.scan(where).page({ cursor: given }), 'CURSOR_INVALID')
    }
    await fuzz(table, cursor, 400)
  }),

  rule('PAGE-3: a forged key cannot lead outside the ranges of its query', async (world) => {
    const table = await filledIn(world)
    for (const reverse of world.adapter.capabilities.reverse ? [false, true] : [false]) {
      const query = compileQuery(Things, where, { order: reverse ? 'reverse' : undefined })
      for (const [host, n] of [
        ['', -99],
        ['a', 5],
        ['b', -1],
        ['b', 5],
        ['b', 9],
        ['c', 0],
        ['\u{10ffff}', 2 ** 31 - 1],
      ] as const) {
        const cursor = writeCursor(Things, query, { prefix: [host, n], edge: reverse ? 'before' : 'after' })
        const isAfter = (other: number): boolean =>
          reverse ? host > 'b' || (host === 'b' && other < n) : host < 'b' || (host === 'b' && other > n)
        const inOrder = reverse ? [7, 6, 5, 4, 3, 2] : [2, 3, 4, 5, 6, 7]
        const found = (await table.scan(where, { order: reverse ? 'reverse' : undefined }).page({ cursor })).rows
        same(
          found.map((row) => [row.host, row.n]),
          inOrder.filter(isAfter).map((other) => ['b', other]),
          `after ${host}, ${n}`,
        )
      }
    }
  }),
]

/** The same in a world, which drops the table at the end. */
async function filledIn(world: World): Promise<PlainRepository<typeof Things>> {
  await world.repository(Things)
  return filled(world.db)
}

/** Damages a cursor at random: it must be refused with a typed error, or continue inside its query and in order. */
export async function fuzz(
  table: PlainRepository<typeof Things>,
  cursor: string,
  rounds: number,
  seed = 1,
): Promise<{ readonly refused: number; readonly read: number }> {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const random = new Random(seed)
  let refusals = 0
  let read = 0
  for (let round = 0; round < rounds; round++) {
    const letters = Array.from(cursor)
    for (let edits = 1 + random.below(3); edits > 0; edits--) {
      const at = random.below(letters.length)
      const letter = alphabet[random.below(alphabet.length)] as string
      random.pick([
        () => letters.splice(at, 1),
        () => letters.splice(at, 1, letter),
        () => letters.splice(at, 0, letter),
        () => letters.splice(at),
      ])()
    }
    const given = letters.join('')
    try {
      const rows = (await table.scan(where).page({ cursor: given })).rows
      read++
      check(
        rows.every(({ host, n }) => host === 'b' && n >= 2 && n < 8),
        `the cursor ${given} leads to rows outside the query`,
      )
      check(
        rows.every(({ n }, i) => i === 0 || n > (rows[i - 1]?.n ?? 0)),
        `the cursor ${given} leads to rows out of order`,
      )
    } catch (error) {
      if (!isRowkeyError(error)) throw error
      same(['CURSOR_INVALID', 'CURSOR_MISMATCH'].includes(error.code), true, `the cursor ${given} is refused with ${error.code}`)
      refusals++
    }
  }
  return { refused: refusals, read }
}
