import { runInNewContext } from 'node:vm'
import { bytes, dictionary, float64, int32, int64, json, nullable, reversed, text, timestamp } from '#codec'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { defineTable } from '#model'
import { describe, expect, test } from 'vitest'
import { refusalOf } from '../../../../test/kit/refusal.js'
import { Watch } from '../../../../test/kit/watched.js'
import { wrapped } from '../../../../test/kit/wrapped.js'

const Things = defineTable('things', {
  columns: {
    k: text(),
    n: int32(),
    f: nullable(float64()),
    t: nullable(text()),
    b: nullable(bytes()),
    big: nullable(int64()),
    at: nullable(timestamp('ms')),
    shop: nullable(dictionary({ taobao: 'z', tmall: 'a' })),
    back: nullable(reversed(text())),
    data: nullable(json()),
  },
  key: ['k', 'n'],
})

async function open(rows: readonly object[] = []) {
  const watch = new Watch()
  let gets = 0
  const store = wrapped(memory(), {
    scan: (_, inner) => watch.source(inner()),
    get: (keys, inner, options) => {
      gets++
      return inner(keys, options)
    },
  })
  const db = createMapper(store)
  await db.ensureTables([Things])
  const things = db.repository(Things)
  await things.putMany(rows.map((row, n) => ({ k: 'x', n, ...row })))
  const found = async (where: object): Promise<number[]> => (await things.scan({ k: 'x', ...where }).toArray()).map(({ n }) => n)
  return { things, found, calls: () => watch.opened + gets }
}

describe('PRED-1: one comparison per type', () => {
  test('PRED-1: a value, and operators that must all hold', async () => {
    const { found } = await open([{ t: 'a' }, { t: 'b' }, { t: 'c' }, { t: 'd' }])
    expect(await found({ t: 'b' })).toEqual([1])
    expect(await found({ t: { in: ['d', 'b', 'b'] } })).toEqual([1, 3])
    expect(await found({ t: { gt: 'a', lte: 'c' } })).toEqual([1, 2])
    expect(await found({ t: { gte: 'b', lt: 'd', in: ['a', 'c', 'd'] } })).toEqual([2])
    expect(await found({ t: { startsWith: 'c', gt: 'a', isNull: false } })).toEqual([2])
    expect(await found({ n: { gt: 0, gte: 2, lt: 9, lte: 3 } })).toEqual([2, 3])
  })

  test('PRED-1: of two limits on one side the tighter one holds, whichever comes first', async () => {
    const { found } = await open(Array.from({ length: 6 }, () => ({})))
    const numbers = [0, 1, 2, 3, 4, 5]
    for (const a of numbers) {
      for (const b of numbers) {
        const low = numbers.filter((n) => n > a && n >= b)
        expect([await found({ n: { gt: a, gte: b } }), await found({ n: { gte: b, gt: a } })]).toEqual([low, low])
        const high = numbers.filter((n) => n < a && n <= b)
        expect([await found({ n: { lt: a, lte: b } }), await found({ n: { lte: b, lt: a } })]).toEqual([high, high])
      }
    }
  })

  test('PRED-1: text by code point, not by UTF-16 unit', async () => {
    const { found } = await open([{ t: '\uff5e' }, { t: '\u{1f600}' }])
    expect(await found({ t: { gt: '\uff5e' } })).toEqual([1])
    expect(await found({ t: { lt: '\u{1f600}' } })).toEqual([0])
  })

  test('PRED-1: −0 is 0, NaN is itself and above Infinity', async () => {
    const { found } = await open([{ f: 0 }, { f: -0 }, { f: NaN }, { f: Infinity }, { f: -1 }])
    expect(await found({ f: 0 })).toEqual([0, 1])
    expect(await found({ f: -0 })).toEqual([0, 1])
    expect(await found({ f: { gte: -0 } })).toEqual([0, 1, 2, 3])
    expect(await found({ f: { in: [NaN] } })).toEqual([2])
    expect(await found({ f: { gt: Infinity } })).toEqual([2])
    expect(await found({ f: { lt: NaN } })).toEqual([0, 1, 3, 4])
  })

  test('PRED-1: bytes by content, 64-bit integers exactly, Dates by instant', async () => {
    const at = new Date(1_700_000_000_000)
    const { found } = await open([
      { b: new Uint8Array([1]), big: 9_007_199_254_740_993n, at },
      { b: new Uint8Array([1, 0]), big: 9_007_199_254_740_992n, at: new Date(0) },
      { b: new Uint8Array([255]), big: -1n },
    ])
    expect(await found({ b: new Uint8Array([1]) })).toEqual([0])
    expect(await found({ b: { in: [Buffer.from([1, 0]), new Uint8Array([9])] } })).toEqual([1])
    expect(await found({ b: { gt: new Uint8Array([1]) } })).toEqual([1, 2])
    expect(await found({ big: { gt: 9_007_199_254_740_992n } })).toEqual([0])
    expect(await found({ big: 9_007_199_254_740_993n })).toEqual([0])
    expect(await found({ at: new Date(at) })).toEqual([0])
    expect(await found({ at: { lt: at } })).toEqual([1])
  })

  test('PRED-1: objects of another realm are operators, dates and bytes too', async () => {
    const { found } = await open([{ t: 'a', at: new Date(5), b: new Uint8Array([7]) }, { t: 'b' }])
    expect(await found({ t: runInNewContext("({ in: ['a'] })") })).toEqual([0])
    expect(await found({ at: runInNewContext('new Date(5)') })).toEqual([0])
    expect(await found({ b: runInNewContext('new Uint8Array([7])') })).toEqual([0])
    expect(await found({ t: Object.assign(Object.create(null), { gt: 'a' }) })).toEqual([1])
  })
})

test('PRED-2: a stored null matches null and isNull: true only', async () => {
  const { found } = await open([{ t: null }, { t: '' }, { t: 'x' }])
  expect(await found({ t: null })).toEqual([0])
  expect(await found({ t: { isNull: true } })).toEqual([0])
  expect(await found({ t: { isNull: false } })).toEqual([1, 2])
  expect(await found({ t: { gte: '' } })).toEqual([1, 2])
  expect(await found({ t: { lte: 'zzz' } })).toEqual([1, 2])
  expect(await found({ t: { startsWith: '' } })).toEqual([1, 2])
  expect(await found({ t: { in: ['', 'x'] } })).toEqual([1, 2])
  expect(await found({ data: null })).toEqual([0, 1, 2])
  expect(await found({ shop: { isNull: true }, back: null })).toEqual([0, 1, 2])
})

test('PRED-3: an empty list and contradictions are an empty result, and nothing is read', async () => {
  const { things, calls } = await open([{ t: 'a' }])
  const empty = [
    { k: { in: [] } },
    { k: 'x', t: { in: [] } },
    { k: 'x', n: { gt: 3, lt: 3 } },
    { k: 'x', n: { gte: 3, lt: 3 } },
    { k: 'x', n: { gt: 4, lte: 3 } },
    { k: 'x', n: { in: [1, 2], gt: 2 } },
    { k: 'x', t: { isNull: true, gt: 'a' } },
    { k: 'x', t: { isNull: true, startsWith: '' } },
    { k: 'x', t: { startsWith: '', isNull: true } },
    { k: 'x', t: { isNull: true, in: ['a'] } },
    { k: 'x', t: { startsWith: 'a', lt: 'a' } },
  ]
  for (const where of empty) {
    const scan = things.scan(where)
    expect(scan.explain().kind, JSON.stringify(where)).toBe('EMPTY')
    expect(await scan.toArray()).toEqual([])
    expect(await scan.count()).toBe(0)
    const page = await scan.page()
    expect([page.rows, page.cursor, page.stop, page.stats.calls]).toEqual([[], undefined, 'exhausted', 0])
  }
  expect(calls()).toBe(0)
})

test("PRED-3: startsWith '' binds nothing", async () => {
  const { things, found } = await open([{}, {}])
  expect((await refusalOf(() => things.scan({ k: { startsWith: '' } }).page())).code).toBe('FULL_SCAN_REFUSED')
  expect(await found({ k: { startsWith: '', gte: '' } })).toEqual([0, 1])
})

test('PRED-4: refused before anything is read', async () => {
  const { things, calls } = await open([{ t: 'a' }])
  const refused: [where: unknown, column: string, says: RegExp][] = [
    [{ k: 'x', hots: 1 }, 'hots', /no such column. The columns are k, n, /],
    [{ k: { gtt: 'a' } }, 'k', /"gtt" is not an operator/],
    [{ k: { toString: 'a' } }, 'k', /"toString" is not an operator/],
    [{ k: undefined }, 'k', /the operand of = is undefined, which would widen the query silently/],
    [{ k: 'x', n: { gt: undefined } }, 'n', /the operand of gt is undefined/],
    [{ k: { in: ['a', undefined] } }, 'k', /the operand of in is undefined/],

    [{ k: { in: ['a', , 'b'] } }, 'k', /the operand of in is undefined/],
    [{ k: null }, 'k', /never null/],
    [{ k: { isNull: false } }, 'k', /never null/],
    [{ k: 'x', t: { gt: null } }, 't', /gt never matches null. Use isNull/],
    [{ k: 'x', t: { in: [null] } }, 't', /in never matches null/],
    [{ k: 'x', t: { isNull: 1 } }, 't', /isNull takes true or false, not 1/],
    [{ k: 'x', t: { isNull: undefined } }, 't', /isNull takes true or false/],
    [{ k: {} }, 'k', /no operator/],
    [{ k: 5 }, 'k', /operator =: column 'k' cannot hold 5/],
    [{ k: ['a'] }, 'k', /a list is not a value\. For several values, give \{ in: \[\.\.\.\] \}/],
    [{ k: { in: 'a' } }, 'k', /in takes a list, not "a"/],
    [{ k: { in: new Set(['a']) } }, 'k', /in takes a list, not an object/],
    [{ k: 'x', n: 1.5 }, 'n', /Give an integer from/],
    [{ k: 'x', n: '1' }, 'n', /cannot hold "1"/],
    [{ k: 'x', n: { in: [1, 2 ** 31] } }, 'n', /cannot hold 2147483648/],
    [{ k: 'x', big: 1 }, 'big', /Give a bigint/],
    [{ k: 'x', at: 5 }, 'at', /Give a valid Date/],
    [{ k: 'x', at: new Date(NaN) }, 'at', /an invalid Date/],
    [{ k: '\ud800' }, 'k', /well-formed text/],
    [{ k: { startsWith: '\ud800' } }, 'k', /startsWith takes well-formed text/],
    [{ k: { startsWith: 5 } }, 'k', /startsWith takes well-formed text, not 5/],
    [{ k: 'x', n: { startsWith: '1' } }, 'n', /startsWith needs a text column, but this is int32/],
    [{ k: 'x', back: { startsWith: 'a' } }, 'back', /startsWith needs a text column/],
    [{ k: 'x', shop: { gt: 'tmall' } }, 'shop', /gt needs a column that is stored in the order of its values/],
    [{ k: 'x', back: { lte: 'a' } }, 'back', /lte needs a column that is stored in the order of its values/],
    [{ k: 'x', shop: 'jd' }, 'shop', /one of "taobao", "tmall"/],
    [{ k: 'x', data: 'text' }, 'data', /json columns have no order and no equality/],
    [{ k: 'x', data: { in: [[1]] } }, 'data', /json columns/],
    [{ k: 'x'.repeat(1001) }, 'k', /1001 bytes, but a rowkey can hold at most 1000/],
    [{ k: { gt: 'é'.repeat(501) } }, 'k', /1002 bytes/],
    [{ k: { startsWith: 'x'.repeat(200_000) } }, 'k', /200000 bytes/],
    [{ k: 'x', t: 'x'.repeat(65_536) }, 't', /65536 bytes, but a column can hold at most 65535/],
    [{ k: 'x', b: new Uint8Array(65_536) }, 'b', /65536 bytes/],
    [undefined, '', /is undefined. Give a plain object of conditions by column/],
    [null, '', /is null/],
    ['k', '', /is "k"/],
    [['k'], '', /is a list of 1/],
  ]
  for (const [where, column, says] of refused) {
    for (const use of ['page', 'toArray', 'count', 'explain'] as const) {
      const error = await refusalOf(() => things.scan(where as never)[use]()).catch((cause: unknown) =>
        Promise.reject(new Error(String(says), { cause })),
      )
      expect(error.code).toBe('INVALID_PREDICATE')
      expect(error.details).toEqual({ table: 'things', column })
      expect(error.message).toMatch(says)
      expect(error.message).toContain("'things'")
    }
  }
  expect(calls()).toBe(0)
  // At the very limits they are taken.
  const fine = [{ k: 'x'.repeat(1000) }, { k: { startsWith: 'é'.repeat(500) } }, { k: 'x', t: 'x'.repeat(65_535) }]
  for (const where of fine) expect(await things.scan(where).toArray()).toEqual([])
})
