import { bucket, desc, int32, nullable, text } from '#codec'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { defineTable, renameTable } from '#model'
import { writeCursor } from '#store/engine'
import { compileQuery } from '#store'
import type { Bound, Row } from '#store/adapter'
import { describe, expect, test } from 'vitest'
import { codeOf, differs, refusalOf } from '../../../../test/kit/refusal.js'

const columns = { host: text(), n: int32(), note: nullable(text()) }
const Things = defineTable('things', { columns, key: ['host', 'n'], salt: bucket({ of: 'n', modulo: 3 }) })
const Turned = defineTable('turned', { columns: { ...columns, n: desc(int32()) }, key: ['host', 'n'] })

async function open(rows = 10) {
  const store = memory()
  const db = createMapper(store)
  await db.ensureTables([Things, Turned])
  const [things, turned] = [db.repository(Things), db.repository(Turned)]
  const data = ['a', 'b', 'c'].flatMap((host) => Array.from({ length: rows }, (_, n) => ({ host, n, note: n % 2 === 0 ? 'even' : null })))
  await things.putMany(data)
  await turned.putMany(data)
  return { things, turned, store }
}

const where = { host: 'b', n: { gte: 2, lt: 8 } }

async function firstCursor(): Promise<string> {
  const { things } = await open()
  const { cursor = '' } = await things.scan(where).page({ size: 2 })
  expect(cursor).toMatch(/^[\w-]{24,}$/)
  return cursor
}

describe('PAGE-3: text that is no cursor is CURSOR_INVALID', () => {
  test('PAGE-3: cut, padded, changed, of another version, empty', async () => {
    const { things } = await open()
    const cursor = await firstCursor()
    const bytes = Buffer.from(cursor, 'base64url')
    const changed = (change: (bytes: Buffer) => void): string => {
      const copy = Buffer.from(bytes)
      change(copy)
      return copy.toString('base64url')
    }
    const wrong: string[] = [
      '',
      'A',
      'AAAA',
      'not a cursor',
      `${cursor}=`,
      `${cursor} `,
      cursor.slice(0, 20),
      cursor.slice(0, -1),
      cursor.slice(0, -2),
      cursor.slice(0, -6),
      `${cursor}AAAA`,
      changed((copy) => (copy[0] = 3)),
      changed((copy) => (copy[0] = 1)), // its table would be its key
      changed((copy) => (copy[0] = 0)),
      changed((copy) => (copy[1] = 2)),
      changed((copy) => copy.writeUInt8(0xff, 26)), // no UTF-8
    ]
    for (const given of wrong) {
      expect(await codeOf(() => things.scan(where).page({ cursor: given })), given).toBe('CURSOR_INVALID')
    }
    expect((await refusalOf(() => things.scan(where).page({ cursor: changed((copy) => (copy[0] = 3)) }))).message).toContain(
      'it has format 3, but this version reads formats 1 and 2',
    )
  })
})

describe('PAGE-3: the cursor of another query is CURSOR_MISMATCH, which says what differs', () => {
  test('PAGE-3: another layout, predicate, direction', async () => {
    const { things, turned } = await open()
    const cursor = await firstCursor()
    expect(await differs(() => turned.scan(where).page({ cursor }))).toBe('layout')
    const others = [
      { ...where, host: 'c' },
      { host: 'b' },
      { ...where, n: { gt: 2, lt: 8 } },
      { ...where, note: 'even' },
      { ...where, n: { in: [2, 3] } },
    ]
    for (const other of others) expect(await differs(() => things.scan(other).page({ cursor }))).toBe('predicate')
    expect(await differs(() => things.scan(where, { order: 'reverse' }).page({ cursor }))).toBe('direction')
    expect(await differs(() => things.scan(where, { order: { n: 'desc' } }).page({ cursor }))).toBe('direction')
  })

  test('PAGE-3: conditions that mean the same in another order or form are the same predicate', async () => {
    const { things } = await open()
    const cursor = await firstCursor()
    const same = [
      { n: { lt: 8, gte: 2 }, host: 'b' },
      { host: { in: ['b', 'b'] }, n: { gte: 2, lt: 8 } },
      { host: 'b', n: { gte: 2, gt: -5, lt: 8 } },
    ]
    for (const each of same) expect((await things.scan(each).page({ cursor })).rows.map(({ n }) => n)).toEqual([4, 5, 6, 7])
  })
})

test('PAGE-3: a forged key cannot lead outside the ranges of its query', async () => {
  const { things } = await open()
  const numbers = async (after: Row, reverse: boolean): Promise<string[]> => {
    const query = compileQuery(Things, where, { order: reverse ? 'reverse' : undefined })
    const cursor = writeCursor(Things, query, { prefix: after, edge: reverse ? 'before' : 'after' })
    return (await things.scan(where, { order: reverse ? 'reverse' : undefined }).page({ cursor })).rows.map(
      ({ host, n }) => host + String(n),
    )
  }
  const whole = ['b2', 'b3', 'b4', 'b5', 'b6', 'b7']
  expect(await numbers(['', -99], false)).toEqual(whole)
  expect(await numbers(['a', 5], false)).toEqual(whole)
  expect(await numbers(['b', -1], false)).toEqual(whole)
  expect(await numbers(['b', 5], false)).toEqual(['b6', 'b7'])
  expect(await numbers(['b', 9], false)).toEqual([])
  expect(await numbers(['c', 0], false)).toEqual([])
  expect(await numbers(['c', 0], true)).toEqual(whole.toReversed())
  expect(await numbers(['b', 5], true)).toEqual(['b4', 'b3', 'b2'])
  expect(await numbers(['a', 9], true)).toEqual([])
})

test('PAGE-3: a forged key cannot lead outside the keys of a GET plan', async () => {
  const { things } = await open()
  const keys = { host: 'b', n: { in: [1, 3, 5] } }
  const query = compileQuery(Things, keys)
  for (const [after, left] of [
    [
      ['a', 9],
      [1, 3, 5],
    ],
    [
      ['b', 2],
      [3, 5],
    ],
    [['b', 5], []],
    [['c', 0], []],
  ] as const) {
    const found = (await things.scan(keys).page({ cursor: writeCursor(Things, query, { prefix: after, edge: 'after' }) })).rows
    expect(found.map(({ n }) => n)).toEqual(left)
  }
})

test('PAGE-3: page size, columns, filter and caps may change between pages', async () => {
  const { things } = await open()
  const first = await things.scan(where).page({ size: 2 })
  const second = await things.scan(where, { select: ['n'], maxRanges: 5 }).page({ size: 1, cursor: first.cursor ?? '' })
  expect(second.rows).toEqual([{ n: 4 }])
  const third = await things.scan(where, { filter: ({ n }) => n !== 6, maxFanOut: 3 }).page({ size: 9, cursor: second.cursor ?? '' })
  expect(third.rows.map(({ n }) => n)).toEqual([5, 7])
})

test('R17: a cursor survives the deletion of its row, new rows around it, another bucket count and a restart', async () => {
  const { things, store } = await open()
  const { cursor = '' } = await things.scan(where).page({ size: 2 })
  await things.delete({ host: 'b', n: 3 })
  expect((await things.scan(where).page({ cursor })).rows.map(({ n }) => n)).toEqual([4, 5, 6, 7])
  const Again = renameTable(defineTable('things', { columns, key: ['host', 'n'], salt: bucket({ of: ['host', 'n'], count: 7 }) }), 'again')
  const other = createMapper(store, { prefix: 'dev_' })
  await other.ensureTables([Again])
  await other.repository(Again).putMany([2, 3, 4, 5].map((n) => ({ host: 'b', n })))
  expect((await other.repository(Again).scan(where).page({ cursor })).rows.map(({ n }) => n)).toEqual([4, 5])
})

test('PAGE-2: the end is an absent cursor, and nothing else', async () => {
  const { things } = await open()
  const exact = await things.scan(where).page({ size: 6 })
  expect(exact.rows).toHaveLength(6)
  if (exact.cursor !== undefined) {
    const rest = await things.scan(where).page({ size: 6, cursor: exact.cursor })
    expect([rest.rows, rest.cursor, rest.stop]).toEqual([[], undefined, 'exhausted'])
  }
  const more = await things.scan(where).page({ size: 7 })
  expect([more.rows.length, more.cursor, more.stop]).toEqual([6, undefined, 'exhausted'])
  // A page of a GET plan whose keys are all absent.
  const absent = await things.scan({ host: 'b', n: { in: [-3, -2, -1, 1] } }).page({ size: 2 })
  expect([absent.rows, typeof absent.cursor, absent.stop]).toEqual([[], 'string', 'size'])
})

test('PAGE-3: a forged border of a range cannot lead outside the ranges of its query, nor past rows it names', async () => {
  const { things } = await open()
  const all = ['b2', 'b3', 'b4', 'b5', 'b6', 'b7']
  const at = async (bound: Bound, reverse: boolean): Promise<string[]> => {
    const query = compileQuery(Things, where, { order: reverse ? 'reverse' : undefined })
    const cursor = writeCursor(Things, query, bound)
    return (await things.scan(where, { order: reverse ? 'reverse' : undefined }).page({ cursor })).rows.map(
      ({ host, n }) => host + String(n),
    )
  }
  for (const [prefix, edge, from] of [
    [['a'], 'after', 0],
    [['b'], 'before', 0],
    [['b', 4], 'before', 2],
    [['b', 4], 'after', 3],
    [['b'], 'after', 6],
    [['c'], 'before', 6],
  ] as const) {
    expect(await at({ prefix, edge }, false)).toEqual(all.slice(from))
    expect(await at({ prefix, edge }, true)).toEqual(all.slice(0, from).reverse())
  }
  const query = compileQuery(Things, where, {})
  const bytes = Buffer.from(writeCursor(Things, query, { prefix: ['b'], edge: 'before' }), 'base64url')
  for (const [place, value] of [
    [1, 6],
    [1, 8],
    [26, 0],
    [26, 3],
    [26, 255],
  ] as const) {
    const forged = Buffer.from(bytes)
    forged[place] = value
    expect((await refusalOf(() => things.scan(where).page({ cursor: forged.toString('base64url') }))).code).toBe('CURSOR_INVALID')
  }
})
