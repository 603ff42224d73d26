import { bytes, defineTable, float64, int64, nullable, text, createMapper } from 'rowkey'
import { afterAll, expect, test } from 'vitest'
import { inspect } from 'node:util'
import { codeOf } from '../store/refusal.js'
import { onEachServer } from './servers.js'

const Things = defineTable('conditions', {
  columns: { id: text(), t: nullable(text()), b: nullable(bytes()), f: nullable(float64()), n: nullable(int64()) },
  key: ['id'],
})

const key = { id: '1' }

onEachServer((server) => {
  const db = createMapper(server.adapter(server.client()), { prefix: 'cond_' })
  const things = db.repository(Things)
  afterAll(() => db.dropTable(Things))

  test(`${server.name}: WRITE-20: conditions on values that servers compare in their own way`, async () => {
    await db.ensureTables([Things])
    const values: [object, object][] = [
      [{ t: '' }, { t: 'x' }],
      [{ b: new Uint8Array() }, { b: new Uint8Array([0]) }],
      [{ f: -0 }, { f: 1 }],
      [{ f: NaN }, { f: null }],
      [{ f: 1e300 }, { f: { lt: 0 } }],
      [{ t: '\u{1f600}' }, { t: { lt: '\uffff' } }],
      [{ n: 2n ** 63n - 1n }, { n: 0n }],
      [{ t: null }, { t: { isNull: false } }],
    ]
    for (const [held, other] of values) {
      await things.put({ ...key, ...held })
      expect(await codeOf(() => things.update(key, { n: 1n }, { if: other })), inspect(other)).toBe('CONDITION_FAILED')
      expect(await things.update(key, { f: 9 }, { if: held }).then(() => 'applied', String), inspect(held)).toBe('applied')
      await things.put({ ...key, ...held })
      await things.put({ ...key, n: 5n }, { if: held })
      await things.put({ ...key, ...held })
      await things.delete(key, { if: held })
      expect(await things.exists(key)).toBe(false)
    }
  })

  test(`${server.name}: WRITE-22: an update without a change returns the row`, async () => {
    await db.ensureTables([Things])
    await things.put({ ...key, n: 5n })
    await things.update(key, {})
    const { row } = await things.update(key, {}, { returning: true })
    expect(row).toEqual({ ...key, t: null, b: null, f: null, n: 5n })
  })
})
