// Tested by wrong.test.ts.
import { int32, isRowkeyError, nullable, text, timestamp } from '#codec'
import { defineTable } from '#model'
import { refused, same } from '../check.js'
import { rule, type Rule } from '../suite/rule.js'

const Latest = defineTable('latest_readings', {
  columns: { id: text(), at: timestamp('ms'), value: int32(), note: nullable(text()) },
  key: ['id'],
})
const unlessNewer = (second: number) => ({ if: { at: { lt: new Date(second * 1000) } }, create: true })

const Expiring = defineTable('expiring_notes', {
  columns: { id: text(), hits: int32(), note: nullable(text()) },
  key: ['id'],
  ttl: '30d',
})
const Versioned = defineTable('versioned_notes', { columns: { id: text(), hits: int32() }, key: ['id'], version: 'rev' })

/** Conditions of writes that create the row if there is none. */
export const creating: readonly Rule[] = [
  rule(
    'WRITE-20: of concurrent puts unless the row is newer, the newest one stays',
    async (world) => {
      const table = await world.repository(Latest)
      const order = [7, 2, 11, 3, 1, 12, 5, 4, 9, 10, 8, 6]
      const processes = world.processes(Latest, order.length)
      const outcomes = await Promise.all(
        order.map((second, n) =>
          (processes[n] ?? table).put({ id: 'a', at: new Date(second * 1000), value: second }, unlessNewer(second)).then(
            () => 'put',
            (error: unknown) => (isRowkeyError(error, 'CONDITION_FAILED') ? 'older' : Promise.reject(error as Error)),
          ),
        ),
      )
      same(await table.get({ id: 'a' }), { id: 'a', at: new Date(12000), value: 12, note: null }, 'the row after 12 puts')
      same(outcomes[order.indexOf(12)], 'put', 'the newest put')
      await refused('an older one', () => table.put({ id: 'a', at: new Date(11000), value: 0 }, unlessNewer(11)), 'CONDITION_FAILED')
      await table.delete({ id: 'a' })
      await table.put({ id: 'a', at: new Date(1000), value: 1, note: 'again' }, unlessNewer(1))
      await table.put({ id: 'a', at: new Date(2000), value: 2 }, unlessNewer(2))
      same(await table.get({ id: 'a' }), { id: 'a', at: new Date(2000), value: 2, note: null }, 'a put replaces all columns')
    },
    'columns',
  ),

  rule(
    'WRITE-16 WRITE-20 EXPIRY-1: a condition of a write that creates is not for an expired row, and a version is one',
    async (world) => {
      const table = await world.repository(Expiring)
      const { now } = world.clock
      const condition = { if: { hits: { lt: 5 } }, create: true }
      await table.put({ id: 'a', hits: 9, note: 'x' }, { ...condition, expires: new Date(now + 50) })
      await refused('a put in time', () => table.put({ id: 'a', hits: 1 }, condition), 'CONDITION_FAILED')
      await refused('keeping the expiry', () => table.put({ id: 'a', hits: 1 }, { ...condition, expires: 'keep' }), 'CONDITION_FAILED')
      world.clock.now = now + 50
      await table.put({ id: 'a', hits: 2 }, condition)
      same(await table.get({ id: 'a' }), { id: 'a', hits: 2, note: null }, 'a row in place of an expired one')
      const versioned = await world.repository(Versioned)
      const { version = '' } = await versioned.put({ id: 'a', hits: 1 }, { if: { rev: 'none' }, create: true })
      await refused('another version', () => versioned.put({ id: 'a', hits: 2 }, { if: { rev: 'none' }, create: true }), 'VERSION_CONFLICT')
      await refused('an upsert', () => versioned.upsert({ id: 'a', hits: 2 }, { if: { rev: 'none' } }), 'VERSION_CONFLICT')
      const { version: second = '' } = await versioned.put({ id: 'a', hits: 2 }, { if: { rev: version }, create: true })
      await versioned.upsert({ id: 'a', hits: 3 }, { if: { rev: second, hits: 2 } })
      same((await versioned.get({ id: 'a' }))?.hits, 3, 'the row after an upsert on its version')
    },
    'columns',
  ),
]
