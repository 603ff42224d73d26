// Tested by wrong.test.ts.
import { int32, nullable, text } from '#codec'
import { defineTable } from '#model'
import { refused, same } from '../check.js'
import { upTo } from '../suite/reading.js'
import { rule, type Rule } from '../suite/rule.js'

const Keys = defineTable('keys_alone', { columns: { group: text(), id: int32() }, partition: ['group'], key: ['id'] })
const Notes = defineTable('notes', {
  columns: { group: text(), id: int32(), note: nullable(text()), hits: nullable(int32()) },
  partition: ['group'],
  key: ['id'],
})
const Expiring = defineTable('expiring_notes', {
  columns: { id: int32(), a: nullable(text()), b: nullable(text()), hits: nullable(int32()) },
  key: ['id'],
  ttl: '30d',
})

const group = 'g'

export const upserts: readonly Rule[] = [
  rule(
    'WRITE-21 EXPIRY-2: an upsert that gives an expiry gives it to the whole row, and one that gives none keeps it',
    async (world) => {
      const table = await world.repository(Expiring)
      const { now } = world.clock
      const [soon, later] = [new Date(now + 1000), new Date(now + 100_000)]
      const cases = [soon, later, null].flatMap((before) => [soon, later, null, undefined].map((given) => ({ before, given })))
      for (const [id, { before }] of cases.entries()) await table.put({ id, a: 'a', b: 'b', hits: 1 }, { expires: before })
      for (const [id, { given }] of cases.entries())
        await table.upsert({ id, a: id % 2 === 0 ? 'A' : null }, given === undefined ? {} : { expires: given })
      for (const id of cases.keys()) await table.increment({ id }, { hits: 1 })
      for (const id of cases.keys()) await table.update({ id }, { b: 'B' })
      for (const [at, isThere] of [
        [now + 999, () => true],
        [now + 1000, (expiry: Date | null) => expiry !== soon],
        [now + 99_999, (expiry: Date | null) => expiry !== soon],
        [now + 100_000, (expiry: Date | null) => expiry === null],
      ] as const) {
        world.clock.now = at
        const wanted = cases.flatMap(({ before, given }, id) =>
          isThere(given === undefined ? before : given) ? [{ id, a: id % 2 === 0 ? 'A' : null, b: 'B', hits: 2 }] : [],
        )
        same(await table.scan({}, { unbounded: true }).toArray(), wanted, `the rows after ${at - now} ms`)
      }
      await refused('an update of a row that an upsert let expire', () => table.update({ id: 0 }, { b: 'x' }), 'ROW_NOT_FOUND')
      await table.upsert({ id: 0, hits: 3 }, { expires: null })
      same(await table.get({ id: 0 }), { id: 0, a: null, b: null, hits: 3 }, 'a row that an upsert created in place of an expired one')
    },
    'columns',
  ),

  rule(
    'WRITE-21 WRITE-22: a row that is only a key is upserted again and again',
    async (world) => {
      const table = await world.repository(Keys)
      for (const n of upTo(3)) {
        const { row } = await table.upsert({ group, id: 1 }, { returning: true })
        same(row, { group, id: 1 }, `the row after upsert ${n}`)
        await table.upsert({ group, id: 2 })
        await world.db.write([table.ops.upsert({ group, id: 2 }), table.ops.upsert({ group, id: 3 })])
      }
      await Promise.all(world.processes(Keys, 4).map((each) => each.upsert({ group, id: 4 })))
      const wanted = [1, 2, 3, 4].map((id) => ({ group, id }))
      same(await table.scan({ group }).toArray(), wanted, 'the rows')
    },
    'columns',
  ),

  rule(
    'WRITE-21 WRITE-22: an upsert without values creates a row, and leaves one that exists as it is',
    async (world) => {
      const table = await world.repository(Notes)
      const rowOf = (id: number, given: object = {}) => ({ group, id, note: null, hits: null, ...given })
      await table.put({ group, id: 1, note: 'x', hits: 1 })
      await table.upsert({ group, id: 1 })
      same((await table.upsert({ group, id: 1 }, { returning: true })).row, rowOf(1, { note: 'x', hits: 1 }), 'the row that exists')
      await table.upsert({ group, id: 2 })
      same((await table.upsert({ group, id: 3 }, { returning: true })).row, rowOf(3), 'the row that is created')
      const wanted = [rowOf(1, { note: 'x', hits: 1 }), rowOf(2), rowOf(3)]
      same(await table.scan({ group }).toArray(), wanted, 'the rows')
    },
    'columns',
  ),

  rule(
    'WRITE-21: a row whose values are all null is upserted like any other, and remains a row when they are null again',
    async (world) => {
      const table = await world.repository(Notes)
      const rowOf = (given: object = {}) => ({ group, id: 1, note: null, hits: null, ...given })
      const key = { group, id: 1 }
      await table.put(key)
      await table.upsert(key)
      same(await table.get(key), rowOf(), 'the row after an upsert without values')
      await table.upsert({ ...key, hits: null })
      same(await table.get(key), rowOf(), 'the row after an upsert of a null')
      await table.upsert({ ...key, note: 'x' })
      same(await table.get(key), rowOf({ note: 'x' }), 'the row after an upsert of a value')
      await table.upsert({ ...key, note: null })
      same(await table.get(key), rowOf(), 'the row after an upsert that takes its only value away')
      const created = { group, id: 2 }
      await table.upsert({ ...created, note: null })
      await table.upsert({ ...created, hits: 1 })
      same(await table.get(created), { ...created, note: null, hits: 1 }, 'a row that an upsert created without values')
    },
    'columns',
  ),

  rule(
    'WRITE-14 WRITE-21: upserts without values take part in an atomic batch',
    async (world) => {
      const [keys, notes] = [await world.repository(Keys), await world.repository(Notes)]
      await keys.put({ group, id: 1 })
      await world.db.write(
        [1, 2].map((id) => keys.ops.upsert({ group, id })),
        { atomic: true },
      )
      await world.db.write(
        [1, 2].map((id) => keys.ops.upsert({ group, id })),
        { atomic: true },
      )
      same((await keys.scan({ group }).toArray()).length, 2, 'rows that are only keys')
      await notes.put({ group, id: 1 })
      const batch = () => [
        notes.ops.upsert({ group, id: 1 }),
        notes.ops.upsert({ group, id: 2 }),
        notes.ops.insert({ group, id: 3, note: 'once' }),
      ]
      await world.db.write(batch(), { atomic: true })
      await refused('a batch whose insert finds a row', () => world.db.write(batch(), { atomic: true }), 'ROW_EXISTS')
      same(
        (await notes.scan({ group }).toArray()).map(({ id, note }) => [id, note]),
        [
          [1, null],
          [2, null],
          [3, 'once'],
        ],
        'the rows of the batch that was applied',
      )
    },
    'columns',
    'atomic batches',
  ),
]
