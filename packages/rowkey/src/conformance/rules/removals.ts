// Tested by wrong.test.ts.
import type { Mutation } from '#store/adapter'
import { bucket, int32, nullable, text } from '#codec'
import { createMapper, type Mapper } from '#mapper'
import { defineTable } from '#model'
import { delegate } from '../delegate.js'
import { same } from '../check.js'
import { upTo } from '../suite/reading.js'
import { rule, type Rule } from '../suite/rule.js'
import type { World } from '../suite/world.js'

const columns = { queue: text(), n: int32(), state: text(), note: nullable(text()) }
const Jobs = defineTable('jobs', { columns, key: ['queue', 'n'], salt: bucket({ of: 'n', modulo: 3 }) })
const Versioned = defineTable('versioned_jobs', { columns, key: ['queue', 'n'], version: 'rev' })

const queue = 'q'
const state = 'done'
const all = upTo(20).map((n) => ({ queue, n, state: n % 5 === 4 ? 'open' : state, note: null }))

/** A mapper on the same store whose deletes come only after somebody else has written. */
function interrupted(world: World, write: () => Promise<unknown>): Mapper {
  let isFirst = true
  const adapter = delegate(world.adapter, {
    async write(batch: readonly Mutation[], options) {
      if (isFirst && batch.some(({ kind }) => kind === 'delete')) {
        isFirst = false
        await write()
      }
      return world.adapter.write(batch, options)
    },
  })
  return createMapper(adapter, { prefix: world.prefix, clock: () => world.clock.now })
}

/** What the others do between the read of a row and its delete: 1 no longer meets the scan, 2 still does, 3 and 4 are gone, 4 comes again. */
async function others(world: World, model: typeof Jobs | typeof Versioned): Promise<void> {
  const table = await world.repository(model as typeof Jobs)
  await table.update({ queue, n: 1 }, { state: 'open' })
  await table.update({ queue, n: 2 }, { note: 'seen' })
  await table.delete({ queue, n: 3 })
  await table.delete({ queue, n: 4 })
  await table.insert({ queue, n: 4, state: 'open', note: 'new' })
  await table.put({ queue, n: 5, state: 'open', note: 'put' })
}

const openOnes = [
  { n: 1, note: null },
  { n: 4, note: 'new' },
  { n: 5, note: 'put' },
  { n: 9, note: null },
  { n: 14, note: null },
  { n: 19, note: null },
]

export const removals: readonly Rule[] = [
  ...[Jobs, Versioned].flatMap((model) =>
    (
      [
        ['by its conditions', { queue, state }, {}],
        ['by its conditions on a list of keys', { queue, n: { in: upTo(20) }, state }, {}],
        ['by a filter in code', { queue }, { filter: (row: { readonly state: string }) => row.state === 'done' }],
        ['by both, with a limit', { queue, state }, { filter: () => true, limit: 100 }],
      ] as const
    ).map(([how, where, options]) =>
      rule(
        `SCAN-9: deleteAll() leaves a row of ${model === Jobs ? 'a table' : 'a table with versions'} that does not meet the scan any more, ${how}`,
        async (world) => {
          const table = await world.repository(model as typeof Jobs)
          await table.putMany(all)
          const late = interrupted(world, () => others(world, model)).repository(model as typeof Jobs)
          // 16 are done: 1 and 5 are open again, 3 is gone.
          same(await late.scan(where, options).deleteAll(), 13, 'the number of rows that it deleted')
          const left = await table.scan({ queue }).toArray()
          same(
            left.map(({ n, note }) => ({ n, note })),
            openOnes,
            'the rows that are left',
          )
          same(await late.scan(where, options).deleteAll(), 0, 'the number of rows of a scan that finds none')
        },
        model === Jobs ? 'columns' : 'versions',
      ),
    ),
  ),

  rule(
    'SCAN-9: deleteAll() over keys alone deletes what has these keys, whatever has become of it',
    async (world) => {
      const table = await world.repository(Versioned)
      await table.putMany(all)
      const late = interrupted(world, () => others(world, Versioned)).repository(Versioned)
      await late.scan({ queue }).deleteAll()
      same(await table.scan({ queue }).toArray(), [], 'the rows that are left')
    },
    'versions',
  ),

  rule(
    'SCAN-9: of several deleteAll() at a time each row is counted once',
    async (world) => {
      const table = await world.repository(Jobs)
      await table.putMany(all)
      const counts = await Promise.all(world.processes(Jobs, 3).map((each) => each.scan({ queue, state }).deleteAll()))
      same(
        counts.reduce((sum, count) => sum + count, 0),
        16,
        `the sum of ${counts.join(', ')}`,
      )
      same(await table.scan({ queue }).count(), 4, 'the rows that are left')
    },
    'columns',
  ),
]
