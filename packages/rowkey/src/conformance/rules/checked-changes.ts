// Tested by wrong.test.ts.
import { bool, bytes, decimal, float64, int64, json, nullable, text, timestamp, uuid } from '#codec'
import { defineTable } from '#model'
import { refused, same } from '../check.js'
import { rule, type Rule } from '../suite/rule.js'

const columns = {
  id: text(),
  data: nullable(json()),
  ratio: nullable(float64()),
  raw: nullable(bytes()),
  at: nullable(timestamp('us')),
  uid: nullable(uuid()),
  spent: nullable(decimal(9, 2)),
  total: nullable(int64()),
  ok: nullable(bool()),
  note: nullable(text()),
  state: text(),
}
/** Refuses rows in the state 'refused'. */
const check = {
  '~standard': {
    version: 1,
    vendor: 'rowkey',
    validate: (row: unknown) => ((row as { state: string }).state === 'refused' ? { issues: [{ message: 'refused' }] } : { value: row }),
  },
} as const
const Checked = defineTable('checked', { columns, key: ['id'], check })
const Expiring = defineTable('checked_expiring', { columns, key: ['id'], check, ttl: '30d' })

/** Values that stores compare in their own ways, or not at all. */
const rows = [
  { data: { a: [1, { b: 'x' }], z: null }, ratio: NaN, raw: new Uint8Array([0, 255]), at: 5n, ok: false, note: '', state: '' },
  { data: [], ratio: -0, raw: new Uint8Array(), uid: '00000000-0000-0000-0000-000000000001', note: '\u{1f600}', state: 'x' },
  { data: 0, ratio: 1e-300, at: -1n, spent: '-1.50', total: -(2n ** 63n), ok: true, state: 'y' },
  { data: 'text', ratio: -Infinity, total: 2n ** 63n - 1n, state: 'z' },
  { data: { '': 1e21, é: 'é' }, ratio: Number.MAX_VALUE, state: 'z' },
  { data: false, ratio: 5e-324, note: '\uffff', state: 'z' },
]

export const checkedChanges: readonly Rule[] = [
  rule(
    'WRITE-19 WRITE-21 ROW-6: a change of a row with checks is written if the row is as it was checked, whatever is in its columns',
    async (world) => {
      for (const model of [Checked, Expiring]) {
        const table = await world.repository(model)
        for (const [n, row] of rows.entries()) {
          const id = String(n)
          await table.put({ id, ...row })
          const before = await table.getOrThrow({ id })
          await refused('a state that the check refuses', () => table.update({ id }, { state: 'refused' }), 'VALIDATION_FAILED')
          await table.update({ id }, { state: 'changed' })
          same(await table.get({ id }), { ...before, state: 'changed' }, 'the row after an update')
          await table.upsert({ id, state: 'again' })
          await table.increment({ id }, { spent: '2.00' })
          const spent = before.spent === null ? '2.00' : '0.50'
          same(await table.get({ id }), { ...before, state: 'again', spent }, 'the row after an upsert and an increment')
        }
        const id = '0'
        await Promise.all(world.processes(model, 3).map((each, i) => each.update({ id }, { note: `n${i}`, state: `n${i}` })))
        const { note, state } = await table.getOrThrow({ id })
        same(note, state, 'the columns of concurrent updates, each written whole')
      }
    },
    'columns',
  ),
]
