// Tested by wrong.test.ts.
import type { Mutation, Outcome, Row } from '#store/adapter'
import type { OpenTable, World } from '../suite/world.js'
import { check, same } from '../check.js'
import { turn } from '../suite/patience.js'
import { bucketSlice, rowsOf, strong, upTo } from '../suite/reading.js'
import { rule, type Rule } from '../suite/rule.js'
import { Numbers, session, Sessions, Things } from '../suite/tables.js'

/** One partition on every store: all rows have one salt and no partition columns. */
const row = (n: number, a: string): Row => ['web', n, a, null, null]

const kinds = (outcomes: readonly Outcome[]): readonly string[] => outcomes.map(({ kind }) => kind)

async function rowsIn({ schema, store }: OpenTable): Promise<readonly Row[]> {
  return rowsOf(store.scan(bucketSlice(schema.layout.bucketOf(['web', 0])), strong))
}

export const atomic: readonly Rule[] = [
  rule(
    'ADAPTER-11: an atomic batch applies all its mutations',
    async (world) => {
      const table = await world.open(Things)
      await table.put(row(2, 'old'), row(3, 'old'))
      const outcomes = await table.write(
        [
          { kind: 'insert', row: row(1, 'new') },
          { kind: 'update', row: row(2, 'new'), set: [2] },
          { kind: 'delete', row: ['web', 3] },
        ],
        { atomic: 'token-1' },
      )
      same(kinds(outcomes), ['applied', 'applied', 'applied'], 'outcomes')
      same(await rowsIn(table), [row(1, 'new'), row(2, 'new')], 'rows')
    },
    'conditions',
    'atomic batches',
  ),

  rule(
    'ADAPTER-11: if a condition fails, nothing is applied: the outcome of the failed mutation says why, all others are unprocessed',
    async (world) => {
      const table = await world.open(Things)
      await table.put(row(1, 'old'))
      const before: readonly (readonly [string, readonly Omit<Mutation, 'schema'>[], readonly string[]])[] = [
        ['the last', [put(0), put(5), insert(1)], ['unprocessed', 'unprocessed', 'conflict']],
        ['the first', [insert(1), put(0), put(5)], ['conflict', 'unprocessed', 'unprocessed']],
        ['an update in the middle', [put(0), update(7), put(5)], ['unprocessed', 'missing', 'unprocessed']],
      ]
      for (const [what, batch, wanted] of before) {
        same(kinds(await table.write(batch as never, { atomic: `token ${what}` })), wanted, `outcomes where ${what} fails`)
        same(await rowsIn(table), [row(1, 'old')], `rows where ${what} fails`)
      }
    },
    'conditions',
    'atomic batches',
  ),

  rule(
    'ADAPTER-11: each of several concurrent atomic batches is applied as a whole or not at all',
    async (world) => {
      const table = await world.open(Things)
      // A store may reject all writers of a conflict; then they try again.
      const race = async (i: number): Promise<readonly Outcome[]> => {
        for (let attempt = 0; ; attempt++) {
          const outcomes = await table.write([put(10 + i), insert(1), put(20 + i)] as never, { atomic: `racing ${i}` })
          if (attempt === 200 || !outcomes.every(({ kind }) => kind === 'unprocessed')) return outcomes
          for (let turns = 0; turns <= i; turns++) await turn()
        }
      }
      const all = await Promise.all(upTo(6).map(race))
      const winners = upTo(6).filter((i) => all[i]?.every(({ kind }) => kind === 'applied'))
      check(winners.length === 1, `${winners.length} of 6 batches that insert one row were applied`)
      const wanted = [1, 10 + (winners[0] as number), 20 + (winners[0] as number)]
      same(
        (await rowsIn(table)).map(([, n]) => n),
        wanted,
        'rows',
      )
    },
    'conditions',
    'atomic batches',
  ),

  rule(
    'ADAPTER-11: a batch of the declared max size is applied as a whole or not at all',
    async (world) => {
      const table = await world.open(Things)
      await table.put(row(1, 'old'))
      const count = Math.min(world.adapter.capabilities.atomic.max, 100)
      const puts = upTo(count - 1).map((i) => put(10 + i))
      const refused = await table.write([...puts, insert(1)], { atomic: 'many that fail' })
      same(kinds(refused), [...puts.map(() => 'unprocessed'), 'conflict'], 'outcomes where the last fails')
      same(await rowsIn(table), [row(1, 'old')], 'rows where the last fails')
      same(
        kinds(await table.write([...puts, insert(9)], { atomic: 'many' })),
        [...puts, 0].map(() => 'applied'),
        'outcomes',
      )
      same((await rowsIn(table)).length, count + 1, 'number of rows')
    },
    'conditions',
    'atomic batches',
  ),

  rule(
    'ADAPTER-11: if the store is declared isolated, no read sees half of a batch',
    async (world) => {
      if (!world.adapter.capabilities.atomic.isolated) return
      const table = await world.open(Things)
      await table.put(row(1, 'v0'), row(2, 'v0'))
      let isDone = false
      const seen: string[] = []
      const reader = async (): Promise<void> => {
        while (!isDone) {
          const [a, b] = await table.store.get(
            [
              ['web', 1],
              ['web', 2],
            ],
            strong,
          )
          if (a?.[2] !== b?.[2]) seen.push(`${String(a?.[2])} beside ${String(b?.[2])}`)
          await turn()
        }
      }
      const reading = Promise.all([reader(), reader()])
      for (let i = 1; i <= 40; i++) {
        await table.write([{ kind: 'put', row: row(1, `v${i}`) }, { kind: 'put', row: row(2, `v${i}`) }], { atomic: `turn ${i}` }) // prettier-ignore
      }
      isDone = true
      await reading
      same(seen, [], 'halves of batches that a reader saw')
    },
    'conditions',
    'atomic batches',
  ),

  rule(
    'ADAPTER-11 ADAPTER-8 ADAPTER-10: versions and expiry work the same in an atomic batch as in single writes',
    async (world) => {
      const { now } = world.clock
      const table = await world.open(Sessions)
      await table.put(session(1, 'x', null, 'v1'), session(2, 'x', now - 1, 'v1'))
      const stale = await table.write(
        [
          { kind: 'put', row: session(3, 'y') },
          { kind: 'update', row: session(1, 'y', null, 'v2'), set: [1, 4], version: 'v0' },
        ],
        { atomic: 'stale' },
      )
      same(kinds(stale), ['unprocessed', 'conflict'], 'outcomes with another version')
      const good = await table.write(
        [
          { kind: 'insert', row: session(2, 'new') },
          { kind: 'update', row: session(1, 'y', null, 'v2'), set: [1, 4], version: 'v1' },
        ],
        { atomic: 'good' },
      )
      same(kinds(good), ['applied', 'applied'], 'outcomes with the version, and over a row that has expired')
      same(await table.store.get([[1], [2], [3]], strong), [session(1, 'y', null, 'v2'), session(2, 'new'), undefined], 'rows')
    },
    'versions',
    'atomic batches',
  ),

  rule('ADAPTER-11: an atomic batch may span tables', (world) => acrossTables(world), 'conditions', 'atomic tables'),
]

const put = (n: number) => ({ kind: 'put', row: row(n, 'new') }) as const
const insert = (n: number) => ({ kind: 'insert', row: row(n, 'new') }) as const
const update = (n: number) => ({ kind: 'update', row: row(n, 'new'), set: [2] }) as const

async function acrossTables(world: World): Promise<void> {
  const [things, numbers] = [await world.open(Things), await world.open(Numbers)]
  const batch = (): readonly Mutation[] => [
    { schema: numbers.schema, kind: 'put', row: [1, 'x'] },
    { schema: things.schema, kind: 'insert', row: row(1, 'new') },
  ]
  const { now } = world.clock
  same(kinds(await world.adapter.write(batch(), { now, atomic: 'both' })), ['applied', 'applied'], 'outcomes')
  await numbers.remove([1])
  same(kinds(await world.adapter.write(batch(), { now, atomic: 'again' })), ['unprocessed', 'conflict'], 'outcomes where one table refuses')
  same(await numbers.store.get([[1]], strong), [undefined], 'the row of the other table')
}
