// Tested by wrong.test.ts.
import type { Condition, Conditions, Row, Value } from '#store/adapter'
import type { OpenTable } from '../suite/world.js'
import { int32, nullable, text } from '#codec'
import { values } from '#codec/internal'
import { defineTable } from '#model'
import { compileFilter } from '#store/engine'
import { same } from '../check.js'
import { kinds, type OracleKind } from '../oracle/kinds.js'
import { bucketSlice, rowsOf, strong, upTo } from '../suite/reading.js'
import { rule, type Rule } from '../suite/rule.js'
import { textOf } from '../text-of.js'

/** A column of each kind. Positions are in the order of names. */
const nameOf = (i: number): string => `c${String(i).padStart(2, '0')}`
const Filtered = defineTable('filtered', {
  columns: { n: int32(), ...Object.fromEntries(kinds.map(({ type }, i) => [nameOf(i), nullable(type)])) },
  key: ['n'],
  writes: 'plain',
})
const positionOf = (i: number): number => 1 + i

/** Neighbours that a float of 64 bits cannot tell apart. */
const neighbours = [2n ** 53n, 2n ** 53n + 1n]

/** The values of a pool as rows hold them. */
function stored({ type, pool, name }: OracleKind): readonly Value[] {
  const { toValue } = values(type, name)
  return [...pool.map((value) => toValue(value)), ...(name === 'int64' ? neighbours : [])]
}

/** As many rows as the largest pool has values, and some in which a column is null: every value is in some row. */
function everyValue(): readonly Row[] {
  const pools = kinds.map((kind) => [...stored(kind), null])
  return upTo(Math.max(...pools.map(({ length }) => length))).map((n) => [n, ...pools.map((pool) => pool[n % pool.length] as Value)])
}

/**
 * Conditions on one column: with each value of its pool an equality and, in turn, one of the four ends of a range. There are many kinds of
 * integers, so each has only some.
 */
function conditionsOf(kind: OracleKind, column: number): readonly Condition[] {
  const pool = stored(kind).filter((_, i) => kind.isInteger !== true || i % 3 === 1)
  const ends = (value: Value, i: number): Condition => {
    const end = { value, inclusive: i % 4 < 2 }
    return i % 2 === 0 ? { column, low: end } : { column, high: end }
  }
  return [
    { column, isNull: true },
    { column, isNull: false },
    { column, in: pool.slice(0, 3) },
    ...pool.map((value): Condition => ({ column, in: [value] })),
    ...(kind.type.ordered ? pool.map(ends) : []),
    ...(kind.name === 'int64' ? neighbours.flatMap((value) => [ends(value, 2), ends(value, 3)]) : []),
  ]
}

/** Whatever the store drops, all rows that pass are returned. */
async function losesNone({ schema, store }: OpenTable, rows: readonly Row[], filter: Conditions, what: string): Promise<void> {
  const passes = compileFilter(schema, filter)
  const got = await rowsOf(store.scan({ ...bucketSlice(0), filter }, strong), 1000)
  same(got.filter(passes), rows.filter(passes), `rows that pass ${what}`)
}

const Before = defineTable('aged', { columns: { n: int32(), a: nullable(text()) }, key: ['n'], writes: 'plain' })
const After = defineTable('aged', {
  columns: {
    n: int32(),
    a: nullable(text()),
    b: nullable(text()),
    c: text({ default: 'x' }),
    d: int32({ default: 5 }),
    e: nullable(text({ default: 'y' })),
  },
  key: ['n'],
  writes: 'plain',
})

export const filters: readonly Rule[] = [
  rule('PRED-1 PRED-2 ADAPTER-4: a filter drops no row that passes, whatever the type and the value', async (world) => {
    const table = await world.open(Filtered)
    const rows = everyValue()
    await table.put(...rows)
    for (const [i, kind] of kinds.entries()) {
      for (const condition of conditionsOf(kind, positionOf(i))) {
        await losesNone(table, rows, [condition], `${kind.name}: ${textOf(condition)}`)
      }
    }
  }),

  rule('ROW-4 ADAPTER-4: a filter drops no row that is older than a column', async (world) => {
    const before = await world.repository(Before)
    await before.putMany(upTo(4).map((n) => ({ n, a: n % 2 === 0 ? 'x' : null })))
    const after = await world.repository(After)
    await after.putMany([
      { n: 4, a: 'x', b: 'x' },
      { n: 5, b: 'x', c: 'z', d: 6, e: null },
      { n: 6, c: 'x', d: 5, e: 'x' },
    ])
    const numbers = async (where: object): Promise<readonly number[]> =>
      (await after.scan({ n: { gte: 0 }, ...where }).toArray()).map(({ n }) => n)
    same(await numbers({ c: 'x' }), [0, 1, 2, 3, 4, 6], "rows with c = 'x', the default of the rows that are older")
    same(await numbers({ c: { gt: 'x' } }), [5], "rows with c > 'x'")
    same(await numbers({ d: { lte: 5 } }), [0, 1, 2, 3, 4, 6], 'rows with d <= 5, the default of the rows that are older')
    same(await numbers({ d: { in: [5, 6] }, a: 'x' }), [0, 2, 4], "rows with d in (5, 6) and a = 'x'")
    same(await numbers({ b: null }), [0, 1, 2, 3, 6], 'rows without b')
    same(await numbers({ b: { isNull: false } }), [4, 5], 'rows with b')
    same(await numbers({ e: null }), [0, 1, 2, 3, 5], 'rows with e = null: a nullable column of an older row is null, whatever its default')
    same(await numbers({ e: 'y' }), [4], "rows with e = 'y'")
  }),

  rule('PRED-4 ADAPTER-4: a filter of any size has a result', async (world) => {
    const table = await world.open(Filtered)
    const rows = everyValue()
    await table.put(...rows)
    const column = positionOf(kinds.findIndex(({ name }) => name === 'text'))
    const number = positionOf(kinds.findIndex(({ name }) => name === 'int32'))
    const many = upTo(5000).map((i) => `no row has ${i}`)
    await losesNone(table, rows, [{ column, in: [...many, 'host1'] }], 'one of 5,001 texts')
    await losesNone(table, rows, [{ column: number, in: upTo(3000) }], 'one of 3,000 numbers')
    await losesNone(table, rows, [{ column, in: ['x'.repeat(65_535), 'host1'] }], 'one of two texts, the other with 65,535 bytes')
    await losesNone(
      table,
      rows,
      [{ column, low: { value: 'a'.repeat(65_535), inclusive: false } }],
      'a range from a text with 65,535 bytes',
    )
    const all = kinds.map((_, i): Condition => ({ column: positionOf(i), isNull: false }))
    await losesNone(table, rows, all, 'a condition on every column')
    const [first] = rows.filter((row) => row.every((value) => value !== null))
    const equal = kinds.map((_, i): Condition => ({ column: positionOf(i), in: [first?.[positionOf(i)] as Value] }))
    await losesNone(table, rows, equal, 'an equality on every column')
  }),
]
