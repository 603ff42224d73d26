// Tested by wrong.test.ts.
import type { World } from '../suite/world.js'
import { bucket, float64, hashPrefix, int32, nullable, text } from '#codec'
import { defineTable } from '#model'
import { check, refused, same } from '../check.js'
import { upTo } from '../suite/reading.js'
import { rule, type Rule } from '../suite/rule.js'
import { Timeline } from '../suite/tables.js'

const Wide = defineTable('wide', {
  columns: { at: int32(), host: text(), t: nullable(text()), f: nullable(float64()) },
  key: ['at', 'host'],
  salt: [bucket({ of: 'host', count: 4 }), bucket({ of: 'at', modulo: 4 })],
  writes: 'plain',
})

const rows = upTo(200).map((i) => ({
  at: i >> 1,
  host: i % 2 === 0 ? 'a' : 'b',
  t: i % 5 === 0 ? null : i % 7 === 0 ? '' : `t${i % 9}`,
  f: [0, -0, NaN, Infinity, -1.5, null][i % 6] ?? null,
}))

const Prefixed = defineTable('prefixed', {
  columns: { user: text(), n: int32() },
  key: ['user', 'n'],
  salt: hashPrefix({ of: 'user', digits: 2 }),
  writes: 'plain',
})

async function merged(world: World, reverse: boolean): Promise<void> {
  const table = await world.repository(Wide)
  await table.putMany(rows)
  const wanted = rows.filter(({ at }) => at >= 20 && at < 90)
  const ordered = reverse ? wanted.toReversed() : wanted
  const where = { at: { gte: 20, lt: 90 } }
  same(await table.scan(where, { order: reverse ? 'reverse' : undefined }).toArray(), ordered, 'rows of 16 buckets')
  same(await table.scan(where, { order: reverse ? 'reverse' : undefined, limit: 9 }).toArray(), ordered.slice(0, 9), 'the first nine')
  const some = ordered.filter(({ t }) => t?.startsWith('t3') === true)
  same(
    await table.scan({ ...where, t: { startsWith: 't3' } }, { order: reverse ? 'reverse' : undefined, limit: 5 }).toArray(),
    some.slice(0, 5),
    'a limit after a condition',
  )
  const { stats } = await table.scan(where, { order: reverse ? 'reverse' : undefined }).page({ size: 10 })
  check(stats.streams === 16 && stats.returned === 10, `statistics: ${stats.streams} streams, ${stats.returned} rows returned`)
}

export const queries: readonly Rule[] = [
  rule('R14 R15: rows of 16 buckets are merged by key, with any limit', (world) => merged(world, false)),
  rule('R18 R14: the same in reverse', (world) => merged(world, true), 'reverse'),

  rule('PRED-1 PRED-2 PRED-3: conditions mean the same on every store: null, empty text, −0, NaN, code points', async (world) => {
    const table = await world.repository(Wide)
    await table.putMany(rows)
    const found = async (where: object): Promise<readonly string[]> =>
      (await table.scan({ at: { gte: 0 }, ...where }).toArray()).map(({ at, host }) => `${at}${host}`)
    const wanted = (passes: (row: (typeof rows)[number]) => boolean): readonly string[] =>
      rows.filter(passes).map(({ at, host }) => `${at}${host}`)
    same(
      await found({ t: null }),
      wanted(({ t }) => t === null),
      't is null',
    )
    same(
      await found({ t: { isNull: false } }),
      wanted(({ t }) => t !== null),
      't is not null',
    )
    same(
      await found({ t: '' }),
      wanted(({ t }) => t === ''),
      't is empty',
    )
    same(
      await found({ t: { in: ['t1', ''] } }),
      wanted(({ t }) => t === 't1' || t === ''),
      't in a list',
    )
    same(
      await found({ t: { gte: '' } }),
      wanted(({ t }) => t !== null),
      't from the lowest text on: without nulls',
    )
    same(
      await found({ f: 0 }),
      wanted(({ f }) => f === 0),
      'f is 0 or −0',
    )
    same(
      await found({ f: NaN }),
      wanted(({ f }) => Number.isNaN(f)),
      'f is NaN',
    )
    same(
      await found({ f: { gt: 0 } }),
      wanted(({ f }) => f !== null && (f > 0 || Number.isNaN(f))),
      'f above 0: NaN too',
    )
    same(await found({ t: { in: [] } }), [], 'an empty list')
  }),

  rule('R6 R9 R11: points and ranges in partitions and buckets only read those', async (world) => {
    const table = await world.repository(Timeline)
    const all = ['a', 'b', 'c'].flatMap((tenant) => ['x', 'y'].flatMap((host) => upTo(12).map((at) => ({ tenant, host, at, v: null }))))
    await table.putMany(all)
    const newest = all.filter(({ tenant, host, at }) => tenant === 'b' && host === 'y' && at >= 4 && at < 9).toReversed()
    same(await table.scan({ tenant: 'b', host: 'y', at: { gte: 4, lt: 9 } }).toArray(), newest, 'a range of one host, newest first')
    const points = await table.scan({ tenant: { in: ['c', 'a'] }, host: 'x', at: { in: [3, 7, 99] } }).toArray()
    same(
      points.map(({ tenant, at }) => `${tenant}${at}`),
      ['a7', 'a3', 'c7', 'c3'],
      'points of two partitions',
    )
    await refused('a scan that leaves the partition open', () => table.scan({ host: 'x' } as never).toArray(), 'PARTITION_REQUIRED')
    const prefixed = await world.repository(Prefixed)
    const users = ['', 'a', 'ab', 'b\0', '\u{1f600}']
    await prefixed.putMany(users.flatMap((user) => upTo(5).map((n) => ({ user, n }))))
    for (const user of users)
      same(
        (await prefixed.scan({ user, n: { gt: 1 } }).toArray()).map(({ n }) => n),
        [2, 3, 4],
        `user ${JSON.stringify(user)}`,
      )
    const scan = prefixed.scan({ user: { in: ['a', 'ab', 'none'] } })
    same(
      (await scan.toArray()).map(({ user, n }) => `${user}${n}`),
      ['a0', 'a1', 'a2', 'a3', 'a4', 'ab0', 'ab1', 'ab2', 'ab3', 'ab4'],
      'two users',
    )
    check(scan.explain().ranges === 3, 'each value is paired with its own bucket')
  }),
]
