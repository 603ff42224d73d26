import { desc, int32, nullable, text, uint8 } from '#codec'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { defineTable, defined } from '#model'
import { describe, expect, test } from 'vitest'
import { codeOf, differs, refusalOf } from '../../../../test/kit/refusal.js'
import { wrapped } from '../../../../test/kit/wrapped.js'

const Orders = defineTable('orders', {
  columns: { buyer: text(), at: nullable(desc(int32())), no: int32(), cents: int32() },
  key: ['buyer', 'at', 'no'],
})

const all = ['ann', 'bob'].flatMap((buyer) => [null, 9, 5, 5, 2].map((at, no) => ({ buyer, at, no, cents: no * 10 })))

async function open(adapter = memory()) {
  const db = createMapper(adapter)
  await db.ensureTables([Orders])
  const orders = db.repository(Orders)
  await orders.putMany(all)
  return orders
}

describe('SCAN-11: bounds', () => {
  test('SCAN-11: a null is a value of a bound', async () => {
    const orders = await open()
    const numbers = async (options: object) => (await orders.scan({ buyer: 'ann' }, options).toArray()).map(({ no }) => no)
    expect(await numbers({ after: { at: null } })).toEqual([1, 2, 3, 4])
    expect(await numbers({ to: { at: null } })).toEqual([0])
    expect(await numbers({ from: { at: 5, no: 3 } })).toEqual([3, 4])
    expect(await numbers({ order: 'reverse', from: { at: 5, no: 3 } })).toEqual([3, 2, 1, 0])
    expect(await numbers({ order: 'reverse', after: { at: 5 }, to: { buyer: 'ann', at: 9 } })).toEqual([1])
    expect(await numbers({ from: undefined, to: undefined })).toEqual([0, 1, 2, 3, 4])
  })

  test('SCAN-11: bounds also clip lists of keys', async () => {
    const orders = await open()
    const where = { buyer: 'ann', at: { in: [9, 5, 2] }, no: { in: [1, 2, 3, 4] } }
    const scan = orders.scan(where, { after: { at: 9 }, before: { at: 5, no: 3 } })
    expect((await scan.toArray()).map(({ no }) => no)).toEqual([2])
    expect(scan.explain().kind).toBe('MULTI-GET')
  })

  test('SCAN-11: an empty list before the columns of a bound is one without a row, as one with a value can be', async () => {
    const orders = await open()
    for (const at of [[], [5]]) {
      const scan = orders.scan({ buyer: 'ann', at: { in: at } }, { after: { no: 9 } })
      expect(await scan.toArray()).toEqual([])
    }
    expect(() => orders.scan({ buyer: 'ann', at: { in: [] } }, { after: { no: 'x' } as never }).explain()).toThrow('INVALID_PREDICATE')
  })

  const refused: [options: object, column: string, message: string][] = [
    [{ from: {} }, '', 'names no key column'],
    [{ from: { no: 1 } }, 'at', "has 'no' but not 'at', which orders the rows before it"],
    [{ from: { at: 1, cents: 5 } }, 'cents', "'cents', which is not a key column"],
    [{ after: { nope: 1 } }, 'nope', "'nope', which is not a column"],
    [{ after: JSON.parse('{"__proto__":{"at":1}}') as object }, '__proto__', 'which is not a column'],
    [{ to: { at: 'x' } }, 'at', "to of the scan of 'orders', operator to: column 'at' cannot hold"],
    [{ to: { buyer: null } }, 'buyer', 'null'],
    [{ from: { buyer: 'x'.repeat(2000) } }, 'buyer', 'Shorten it'],
    [{ from: { at: { gte: 1 } } }, 'at', 'cannot hold an object'],
    [{ from: 'ann' }, '', 'Give a key'],
    [{ before: null }, '', 'Give a key'],
    [{ from: null }, '', 'Give a key'],
    [{ after: null }, '', 'Give a key'],
    [{ to: null }, '', 'Give a key'],
    [{ before: ['ann'] }, '', 'Give a key'],
    [{ to: 5 }, '', 'Give a key'],
  ]
  test.each(['from', 'after', 'to', 'before'])('SCAN-11: deleteAll() with nothing but %s: null deletes no row', async (bound) => {
    const orders = await open()
    expect(await codeOf(() => orders.scan({ buyer: 'ann' }, { [bound]: null }).deleteAll())).toBe('INVALID_PREDICATE')
    expect(await orders.scan({ buyer: 'ann' }).count()).toBe(5)
  })

  test.each(refused)('SCAN-11: %j is refused as data of the query, with the column and the bound', async (options, column, message) => {
    const orders = await open()
    const error = await refusalOf(() => orders.scan({ buyer: 'ann' }, options).page())
    expect([error.code, error.details]).toEqual(['INVALID_PREDICATE', { table: 'orders', column, bound: Object.keys(options)[0] }])
    expect(error.message).toContain(message)
  })

  test('SCAN-11: two starts or two ends are a mistake of the application', async () => {
    const orders = await open()
    for (const [one, other] of [
      ['from', 'after'],
      ['to', 'before'],
    ] as const) {
      const error = await refusalOf(() => orders.scan({ buyer: 'ann' }, { [one]: { at: 1 }, [other]: { at: 1 } }).page())
      expect([error.code, error.details]).toEqual(['INVALID_OPTION', { option: other, value: 'an object' }])
      expect(error.message).toContain(`both ${one} and ${other}`)
    }
  })

  test('SCAN-11: a bound is not a condition: the first column still has to be bound', async () => {
    const orders = await open()
    expect(await codeOf(() => orders.scan({} as never, { from: { buyer: 'ann' } }).page())).toBe('FULL_SCAN_REFUSED')
    const found = await orders.scan({}, { unbounded: true, after: { buyer: 'ann' }, limit: 1 }).toArray()
    expect(found.map(({ buyer }) => buyer)).toEqual(['bob'])
  })

  test('SCAN-11 PAGE-3: another bound is another query for a cursor', async () => {
    const orders = await open()
    const where = { buyer: 'ann' }
    const { cursor } = await orders.scan(where, { from: { at: 9 } }).page({ size: 1 })
    expect((await orders.scan(where, { from: { at: 9 } }).page({ cursor })).rows.map(({ no }) => no)).toEqual([2, 3, 4])
    for (const options of [{}, { from: { at: 5 } }, { after: { at: 9 } }, { from: { at: 9 }, to: { at: 2 } }]) {
      expect(await differs(() => orders.scan(where, options).page({ cursor }))).toBe('predicate')
    }
  })

  test('SCAN-11: a merged feed and its bounds in an explanation', async () => {
    const orders = await open()
    const scan = orders.scan(
      { buyer: { in: ['ann', 'bob'] }, at: { isNull: false } },
      { order: { at: 'desc' }, after: { at: 9 }, limit: 2 },
    )
    expect(scan.explain().text).toMatchInlineSnapshot(`
      "MERGED SCAN orders, ordered by (at desc, no asc, buyer asc)
      ├ where buyer in ("ann", "bob") and at is not null
      ├ after (at 9)
      ├ 2 of 3 key columns narrow the read; 'no' is the first that does not
      ├ 2 ranges in 1 of 1 bucket, merged
      │   bucket  0  from 616e6e0000017ffffff7  to 616e6e0001
      │   bucket  0  from 626f620000017ffffff7  to 626f620001
      └ no filter after reading"
    `)
    expect((await scan.toArray()).map(({ buyer, no }) => [buyer, no])).toEqual([
      ['ann', 2],
      ['bob', 2],
    ])
  })
})

describe('PAGE-6: previous pages', () => {
  test('PAGE-6: cursorOf a row is the cursor of a page that ends with it', async () => {
    const orders = await open()
    const scan = orders.scan({ buyer: 'ann' })
    const { rows, cursor } = await scan.page({ size: 2 })
    expect(await scan.cursorOf(rows[1] ?? expect.fail())).toBe(cursor)
    expect(await scan.cursorOf({ buyer: 'ann', at: 9, no: 1 })).toBe(cursor)
    expect(await codeOf(() => scan.cursorOf({ buyer: 'ann' } as never))).toBe('INVALID_VALUE')
    const back = await orders.scan({ buyer: 'ann' }).page({ size: 2, cursor })
    expect(back.previous).toBeDefined()
  })

  test('PAGE-6: a row that is written between two pages is on one of them when it is read again', async () => {
    const db = createMapper(memory())
    const model = defineTable('met', { columns: { a: uint8(), n: uint8() }, key: ['a', 'n'] })
    await db.ensureTables([model])
    const rows = db.repository(model)
    await rows.putMany([10, 20, 30, 40, 50, 60].map((n) => ({ a: 1, n })))
    const page = (cursor?: string) => rows.scan({ a: 1 }).page({ size: 2, cursor })
    const ns = (found: { readonly rows: readonly { readonly n: number }[] }): number[] => found.rows.map(({ n }) => n)
    const first = await page()
    const second = await page(first.cursor)
    const third = await page(second.cursor)
    // After the last row of the second page: it is on the third one, though the second was read backwards.
    await rows.put({ a: 1, n: 45 })
    const back = await page(third.previous)
    expect([ns(back), ns(await page(back.cursor))]).toEqual([
      [30, 40],
      [45, 50],
    ])
    // Before it, where the first page had ended: it is on the first one.
    await rows.delete({ a: 1, n: 20 })
    await rows.put({ a: 1, n: 15 })
    expect(ns(await page(second.previous))).toEqual([10, 15])
  })

  test('PAGE-6: a page after the end still has a page before it', async () => {
    const orders = await open()
    const scan = orders.scan({ buyer: 'ann' })
    const { cursor, rows } = await scan.page({ size: 5 })
    const empty = await orders.scan({ buyer: 'ann' }).page({ size: 5, cursor })
    expect(empty.rows).toEqual([])
    const back = await orders.scan({ buyer: 'ann' }).page({ size: 5, cursor: empty.previous })
    expect(back).toMatchObject({ rows, stop: 'exhausted', stats: { returned: 5 } })
    expect(back.previous).toBeUndefined()
  })

  test('PAGE-6: rows that came before the first page are found from it', async () => {
    const orders = await open()
    const first = await orders.scan({ buyer: 'ann' }, { after: { at: null } }).page({ size: 2 })
    const second = await orders.scan({ buyer: 'ann' }, { after: { at: null } }).page({ size: 2, cursor: first.cursor })
    await orders.put({ buyer: 'ann', at: 20, no: 0, cents: 0 })
    const back = await orders.scan({ buyer: 'ann' }, { after: { at: null } }).page({ size: 2, cursor: second.previous })
    expect(back.rows).toEqual(first.rows)
    const newest = await orders.scan({ buyer: 'ann' }, { after: { at: null } }).page({ size: 2, cursor: back.previous })
    expect(newest.rows.map(({ at }) => at)).toEqual([20])
    expect(newest.previous).toBeUndefined()
  })

  test('PAGE-6: a cap ends a previous page early, and it goes on from there', async () => {
    const orders = await open()
    const where = { buyer: 'ann', cents: { lt: 5 } }
    const end = await orders.scan(where).cursorOf({ buyer: 'ann', at: 2, no: 9 })
    const last = await orders.scan(where).page({ size: 9, cursor: end })
    const found: number[] = []
    let previous = last.previous
    let pages = 0
    while (previous !== undefined) {
      const page = await orders.scan(where, { maxExamined: 1 }).page({ size: 9, cursor: previous })
      found.unshift(...page.rows.map(({ no }) => no))
      previous = page.previous
      if (page.rows.length === 0) expect(page.stop).not.toBe('size')
      if (++pages > 20) expect.fail()
    }
    expect(found).toEqual([0])
    expect(pages).toBeGreaterThan(3)
  })

  test('PAGE-6: a store that cannot read backwards has no previous pages', async () => {
    const base = memory()
    const adapter = wrapped(base, {})
    const oneWay = new Proxy(adapter, {
      get: (target, name) => (name === 'capabilities' ? { ...target.capabilities, reverse: false } : Reflect.get(target, name)) as unknown,
    })
    const orders = await open(oneWay)
    const { cursor } = await orders.scan({ buyer: 'ann' }).page({ size: 2 })
    const page = await orders.scan({ buyer: 'ann' }).page({ size: 2, cursor })
    expect(page.rows).toHaveLength(2)
    expect(page.previous).toBeUndefined()
  })
})

describe('defined()', () => {
  test('leaves out what is undefined: columns, ends of ranges, whole conditions', async () => {
    const undef = undefined as number | undefined
    expect(defined({ buyer: 'ann', at: { gte: 5, lt: undef }, cents: undef })).toEqual({ buyer: 'ann', at: { gte: 5 } })
    expect(defined({ buyer: 'ann', at: { gte: undef, lt: undef } })).toEqual({ buyer: 'ann' })
    expect(defined({ buyer: 'ann', at: null })).toEqual({ buyer: 'ann', at: null })
    const date = new Date(0)
    expect(defined({ at: date, bytes: new Uint8Array([1]) })).toEqual({ at: date, bytes: new Uint8Array([1]) })
    const orders = await open()
    expect(await orders.scan(defined({ buyer: 'ann', at: { lte: 5, gt: undef } })).count()).toBe(3)
  })

  test('an empty condition stays, so that the scan refuses it', async () => {
    const orders = await open()
    expect(await codeOf(() => orders.scan(defined({ buyer: 'ann', at: {} })).page())).toBe('INVALID_PREDICATE')
    const nobody = undefined as string | undefined
    expect(await codeOf(() => orders.scan(defined({ buyer: nobody }) as never).page())).toBe('FULL_SCAN_REFUSED')
  })
})
