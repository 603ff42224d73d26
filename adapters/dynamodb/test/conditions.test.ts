import { bytes, decimal, defineTable, float64, int64, nullable, text, createMapper } from 'rowkey'
import { afterAll, expect, test } from 'vitest'
import { inspect } from 'node:util'
import { codeOf } from '../../../test/kit/refusal.js'
import { onEachServer } from './servers.js'

const Things = defineTable('conditions', {
  columns: { id: text(), t: nullable(text()), b: nullable(bytes()), f: nullable(float64()), n: nullable(int64()) },
  key: ['id'],
})

const Amounts = defineTable('amounts', { columns: { id: text(), big: decimal(38, 0) }, key: ['id'] })

const key = { id: '1' }

onEachServer((server) => {
  const db = createMapper(server.adapter(server.client()), { prefix: 'cond_' })
  const things = db.repository(Things)
  afterAll(() => db.dropTables([Things]))

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
  test(`${server.name}: WRITE-19: amounts of more digits than a server adds`, async () => {
    await db.ensureTables([Amounts])
    const amounts = db.repository(Amounts)
    const nines = '9'.repeat(38)
    const range = `1${'9'.repeat(37)}8` // from the least value to the greatest
    await amounts.put({ ...key, big: `-${nines}` })
    expect((await amounts.increment(key, { big: range }, { returning: true })).row).toEqual({ ...key, big: nines })
    expect(await codeOf(() => amounts.increment(key, { big: range }))).toBe('OUT_OF_RANGE')
    await amounts.increment(key, { big: `-${range}` })
    expect(await codeOf(() => amounts.increment(key, { big: '-1' }))).toBe('OUT_OF_RANGE')
    expect(await codeOf(() => amounts.increment(key, { big: `1${'9'.repeat(37)}9` }))).toBe('INVALID_VALUE')
    expect(await amounts.get(key)).toEqual({ ...key, big: `-${nines}` })
    await db.dropTables([Amounts])
  })
})
