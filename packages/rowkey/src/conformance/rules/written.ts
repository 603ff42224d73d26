// Tested by wrong.test.ts.
import { type Outcome, unknown } from '#store/adapter'
import { int32, nullable, text, timestamp, uint32 } from '#codec'
import { createMapper, type Repository } from '#mapper'
import { defineTable } from '#model'
import { delegate } from '../delegate.js'
import { check, same } from '../check.js'
import { rule, type Rule } from '../suite/rule.js'
import type { World } from '../suite/world.js'

const columns = {
  path: text(),
  hits: uint32({ default: 0 }),
  note: nullable(text()),
  level: int32({ default: 5 }),
  seen: nullable(timestamp('ms', { default: 'updatedAt' })),
}
const Pages = defineTable('written_pages', { columns, key: ['path'], version: 'rev' })
const Unversioned = defineTable('written_pages_plain', { columns, key: ['path'] })
const Expiring = defineTable('written_pages_expiring', { columns, key: ['path'], version: 'rev', ttl: '30d' })

type Table = Repository<typeof Pages>
interface Written {
  readonly key: object
  readonly version?: string
  readonly row?: object
}

const ways: readonly (readonly [string, (table: Table, key: { readonly path: string }) => Promise<Written>])[] = [
  ['put', (table, key) => table.put({ ...key, hits: 1 })],
  ['upsert', (table, key) => table.upsert({ ...key, hits: 1 })],
  ['upsert, returning', (table, key) => table.upsert({ ...key, note: 'x' }, { returning: true })],
  ['upsert of the key alone', (table, key) => table.upsert(key)],
  ['increment', (table, key) => table.increment(key, { hits: 1 }, { create: true })],
  ['increment, returning', (table, key) => table.increment(key, { hits: 1, level: -1 }, { create: true, returning: true })],
  ['increment with other columns', (table, key) => table.increment(key, { hits: 1 }, { create: { note: 'new' }, returning: true })],
]
const later: typeof ways = [
  ['update, returning', (table, key) => table.update(key, { note: 'changed' }, { returning: true })],
  ['increment of a row', (table, key) => table.increment(key, { hits: 2 }, { returning: true })],
  ['put on a condition', (table, key) => table.put({ ...key, hits: 7 }, { if: { hits: { gte: 0 } } })],
]

/** Every way to write a row that is not there, and again now that it is there: each resolves to what is then stored. */
async function writtenIsStored(world: World, table: Table, read: Table, isVersioned: boolean): Promise<void> {
  for (const [index, [what, write]] of ways.entries()) {
    const key = { path: `/${index}` }
    for (const [when, again] of [['a new row', write], ['a row that is there', write], ...later] as const) {
      const how = `${what}, ${when}`
      const { key: resolved, version, row } = await again(table, key)
      const stored = await read.getOrThrow(key)
      same(resolved, key, `${how}: the key`)
      same(version, isVersioned ? stored.rev : undefined, `${how}: the version`)
      if (row !== undefined) same(row, stored, `${how}: the row`)
      if (isVersioned) await read.update(key, { level: 9 }, { if: { rev: version as string } })
      world.clock.now += 5
    }
  }
}

export const written: readonly Rule[] = [
  ...[Pages, Unversioned, Expiring].map((model) =>
    rule(
      `WRITE-16 WRITE-22: a write of ${model.name.replaceAll('_', ' ')} resolves to what is stored, whether it creates the row or changes it`,
      async (world) => {
        const table = (await world.repository(model)) as Table
        await writtenIsStored(world, table, table, model.versionIndex >= 0)
        const { ops } = table
        const keys = ['/a', '/b', '/c'].map((path) => ({ path }))
        const [a, b, c] = keys as [(typeof keys)[number], (typeof keys)[number], (typeof keys)[number]]
        for (const what of ['new rows', 'rows that are there']) {
          const { rows: count, results } = await world.db.write([
            ops.increment(a, { hits: 1 }, { create: true }),
            ops.upsert({ ...b, hits: 1 }),
            ops.put(c),
          ])
          const rows = await table.getMany(keys)
          same(
            results,
            rows.map((row, i) => ({ key: keys[i], ...(model.versionIndex < 0 ? {} : { version: row?.rev }) })),
            `a batch of ${what}`,
          )
          same(count, keys.length, 'the number of writes')
        }
      },
      'columns',
    ),
  ),

  rule(
    'WRITE-16: a write with a version whose answer is lost resolves to what is stored, whether it creates the row or changes it',
    async (world) => {
      const read = await world.repository(Pages)
      let lost = 0
      const silent = delegate(world.adapter, {
        async write(batch, options) {
          const outcomes = await world.adapter.write(batch, options)
          return outcomes.map((outcome): Outcome => (outcome.kind === 'applied' ? (lost++, unknown(new Error('lost'))) : outcome))
        },
      })
      const table = createMapper(silent, { prefix: world.prefix, clock: () => world.clock.now }).repository(Pages)
      await writtenIsStored(world, table, read, true)
      check(lost > 20, `only ${lost} answers were lost`)
    },
    'columns',
  ),
]
