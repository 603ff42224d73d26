// Tested by wrong.test.ts.
import { createMapper, type Mapper, type PlainRepository, type RepositoryOf } from '#mapper'
import { defineTable, type TableSchema } from '#model'
import type { Adapter } from '#store/adapter'
import { bucket, int32, nullable, text } from '#codec'
import { check, refusalOf, same } from '../check.js'
import { delegate } from '../delegate.js'
import { rule, type Need, type Rule } from '../suite/rule.js'
import type { World } from '../suite/world.js'

const columns = { host: text(), n: int32(), v: nullable(text()), count: int32({ default: 0 }) }
const Plain = defineTable('dropped_plain', { columns, key: ['host', 'n'], salt: bucket({ of: 'host', count: 2 }), writes: 'plain' })
const Checked = defineTable('dropped', { columns, key: ['host', 'n'], salt: bucket({ of: 'host', count: 2 }), version: 'rev', ttl: '30d' })

const key = { host: 'a', n: 1 }
const row = (n: number) => ({ host: 'a', n, v: 'x' })
const rows = Array.from({ length: 60 }, (_, n) => row(n))

/** For stores that do not delete expired rows by themselves. */
const purge = 'a purge'

type Calls<S extends TableSchema> = Readonly<Record<string, (table: RepositoryOf<S>, db: Mapper) => Promise<unknown>>>

const reads: Calls<typeof Plain> = {
  'a get': (table) => table.get(key),
  'a get of several rows': (table) => table.getMany([key, { host: 'b', n: 2 }]),
  'a scan': (table) => table.scan({ host: 'a' }).toArray(),
  'a reverse scan of several buckets with a filter': (table) => table.scan({ host: { in: ['a', 'b'] }, v: 'x' }).page(),
  'a scan of keys': (table) => table.scan({ host: 'a', n: { in: [1, 2] } }).toArray(),
  'a full scan': (table) => table.readAll().count(),
  'a full scan in parts': (table) => table.readAll({ parallel: 2 }).count(),
  // Where a store computes its splits, the scan of one is the first that asks for the table.
  'a scan of a split': async (table) => {
    const [checkpoint] = await table.parts(2)
    await table.readAll({ checkpoint }).count()
  },
}

const writes: Calls<typeof Plain> = {
  'a put': (table) => table.put(row(1)),
  'a delete': (table) => table.delete(key),
  'a batch of puts': (table) => table.putMany(rows),
  'a batch of deletes': (table) => table.deleteMany([key, { host: 'b', n: 2 }]),
  'a stream of puts': (table) => table.putMany(rows.values()),
  'writes of a mapper': (table, db) => db.write([table.ops.put(row(1)), table.ops.delete({ host: 'b', n: 1 })]),
  'a deletion of all rows': (table) => table.scan({ host: 'a' }).deleteAll(),
}

const changes: Calls<typeof Checked> = {
  'an insert': (table) => table.insert(row(1)),
  'an update': (table) => table.update(key, { v: 'y' }),
  'an update with a condition': (table) => table.update(key, { v: 'y' }, { if: { v: 'x' } }),
  'a put with a condition': (table) => table.put(row(1), { if: { v: 'x' } }),
  'a put with a version': (table) => table.put(row(1), { if: { rev: 'x' } }),
  'a delete with a condition': (table) => table.delete(key, { if: { v: { isNull: false } } }),
  'a delete with a version': (table) => table.delete(key, { if: { rev: 'x' } }),
  'an upsert': (table) => table.upsert(row(1)),
  'an increment': (table) => table.increment(key, { count: 1 }),
  'an increment that creates': (table) => table.increment(key, { count: 1 }, { create: true }),
  'an increment with a condition': (table) => table.increment(key, { count: 1 }, { if: { v: 'x' } }),
  'a modification': (table) => table.modify(key, () => ({ v: 'z' })),
  'changes of a mapper': (table, db) => db.write(rows.map(({ n }) => table.ops.update({ host: 'a', n }, { v: 'y' }, { if: { v: 'x' } }))),
  [purge]: (_, db) => db.purgeExpired(Checked),
}

const batches: Calls<typeof Checked> = {
  'an atomic batch': (table, db) => db.write([table.ops.put(row(1)), table.ops.put(row(2))], { atomic: true }),
  'an atomic batch with conditions': (table, db) =>
    db.write([table.ops.update(key, { v: 'y' }, { if: { v: 'x' } }), table.ops.increment({ host: 'a', n: 2 }, { count: 1 })], {
      atomic: true,
    }),
}

/** Calls on a table that somebody else drops. */
function answers<S extends TableSchema>(what: string, model: S, calls: Calls<S>, ...needs: readonly Need[]): Rule {
  return rule(`TABLE-10: a dropped table is TABLE_NOT_FOUND for ${what}`, (world) => answered(world, model, calls), ...needs)
}

async function answered<S extends TableSchema>(world: World, model: S, calls: Calls<S>): Promise<void> {
  const first = (await world.repository(model)) as unknown as PlainRepository<typeof Plain>
  await first.putMany([row(1), row(2)])
  const isPurged = (await world.open(model)).store.purgeExpired !== undefined
  let sent = 0
  const counting: Adapter = delegate(world.adapter, {
    write(batch, options) {
      sent++
      return world.adapter.write(batch, options)
    },
  })
  // Each with a mapper of its own that knows the table: after this answer, a mapper looks whether there is a table before it does anything else.
  const prepared = await Promise.all(
    Object.entries(calls).map(async ([call, run]) => {
      const db = createMapper(counting, { prefix: world.prefix, clock: () => world.clock.now })
      const table = db.repository(model)
      await (table as unknown as PlainRepository<typeof Plain>).get(key)
      return { call, run: () => run(table, db) }
    }),
  )
  await createMapper(world.adapter, { prefix: world.prefix }).dropTables([model])
  for (const { call, run } of prepared) {
    if (call === purge && !isPurged) continue
    sent = 0
    const error = await refusalOf(`${call} of a dropped table`, run)
    same(error.code, 'TABLE_NOT_FOUND', `the answer to ${call} of a dropped table, ${error.message}`)
    same((error.details as { table?: unknown }).table, world.prefix + model.name, `the table of the answer to ${call}`)
    check(error.message.includes('ensureTables'), `the answer to ${call} of a dropped table does not say what to do`)
    check(sent <= 1, `${call} of a dropped table is sent ${sent} times`)
  }
}

export const dropped: readonly Rule[] = [
  answers('reads', Plain, reads),
  answers('writes', Plain, writes),
  answers('changes with conditions', Checked, changes, 'columns'),
  answers('atomic batches', Checked, batches, 'columns', 'atomic tables'),
]
