// Also tested by wrong.test.ts and conformance.test.ts.
import { defineTable, type TableSchema } from '#model'
import type { World } from '../suite/world.js'
import {
  bucket,
  compareKeys,
  compareText,
  desc,
  fixedText,
  followedBy,
  fromHex,
  hashPrefix,
  keyLayout,
  lastBytes,
  lastText,
  separatedText,
  toHex,
  uint8,
  type ColumnType,
  type KeyLayout,
  type Salt,
} from '#codec'
import { typeFacts } from '#codec/internal'
import { same } from '../check.js'
import { Random } from '../oracle/random.js'
import { rule, type Rule } from '../suite/rule.js'
import { textOf } from '../text-of.js'

type Key = Readonly<Record<string, unknown>>

/** A table whose keys begin other keys, and the values that its columns get. */
interface Subject {
  readonly schema: TableSchema
  /** The bytes of a key, or of its first columns, without salts. */
  readonly layout: KeyLayout
  readonly pools: Readonly<Record<string, readonly unknown[]>>
  /** Columns that have ranges, and those with `startsWith`. */
  readonly ordered: readonly string[]
  readonly prefixed: readonly string[]
}

function subject(
  name: string,
  columns: Readonly<Record<string, readonly [type: ColumnType, pool: readonly unknown[]]>>,
  salt: readonly Salt[],
): Subject {
  const names = Object.keys(columns)
  const types = Object.fromEntries(names.map((each) => [each, columns[each]?.[0] as ColumnType]))
  return {
    schema: defineTable(name, { columns: types, key: names as [string, ...string[]], salt, writes: 'plain' }),
    layout: keyLayout(names.map((each) => [each, types[each] as ColumnType] as const)),
    pools: Object.fromEntries(names.map((each) => [each, columns[each]?.[1] ?? []])),
    ordered: names.filter((each) => types[each]?.ordered === true),
    prefixed: names.filter((each) => typeFacts(types[each] as ColumnType).startsWith),
  }
}

const texts = [
  'a',
  'a\0',
  'a\0\0',
  'ab',
  'a\u0001',
  'aa',
  '\0',
  '\0\0',
  '\xff',
  '\xff\xff',
  'a\xff',
  '\u{10ffff}',
  '\u{10ffff}\u{10ffff}',
  '\uffff',
  'b',
]
const blobs = ['00', '0000', '0001', '01', '0100', 'ff', 'ffff', 'ff00', 'fe', 'feff'].map(fromHex)
// Many of them continue another one with a separator, or are all of another key up to its last columns.
const users = ['', '_', 'bob', 'bob_', 'bob_7', 'bob_7_', 'bob_77', 'bob_7_a', 'bob__', 'bo', 'boc', 'bob`', 'bob^', 'ann', 'bob_7__7_b']
const days = ['_7', '7_', '__', 'ab', '7a', '_a', '\0\0', '``', '7`']
const few = [0, 1, 0x5f, 0x60, 0xa0, 0xff]

/** Tables that every store has in the right order. */
export const lasts: readonly Subject[] = [
  subject('last_text', { host: [separatedText('|'), ['', 'h', 'h2']], path: [lastText(), texts] }, []),
  subject('last_text_alone', { path: [lastText(), texts] }, []),
  subject('last_text_salted', { n: [followedBy(desc(uint8()), '_'), few], path: [lastText(), texts] }, [
    bucket({ of: 'path', count: 3, separator: '_' }),
  ]),
  subject('last_bytes', { day: [fixedText(1), ['a', 'b']], b: [lastBytes(), blobs] }, [
    hashPrefix({ of: 'day', digits: 1, separator: '__' }),
  ]),
]
/** Tables whose keys only have the order of their bytes. */
export const splits: readonly Subject[] = [
  subject(
    'split',
    { user: [separatedText('_', { split: 'last' }), users], day: [fixedText(2), days], n: [desc(uint8()), [0x5f, 0xa0]] },
    [],
  ),
  subject('split_by_user', { user: [separatedText('_', { split: 'last' }), users], day: [fixedText(2), days] }, [
    hashPrefix({ of: 'user', digits: 1, separator: '_' }),
  ]),
  subject('split_bare', { user: [separatedText('', { split: 'last' }), users], day: [fixedText(2), days] }, []),
  subject('split_bare_salted', { user: [separatedText('', { split: 'last' }), users], n: [desc(uint8()), [0x5f, 0xa0]] }, [
    hashPrefix({ of: 'user', digits: 1 }),
  ]),
  subject('split_by_day', { n: [uint8(), [0, 1]], user: [separatedText('_', { split: 'last' }), users], day: [fixedText(2), days] }, [
    bucket({ of: 'day', count: 3 }),
  ]),
]

/** Some of all combinations of values. */
function keysOf({ pools }: Subject, random: Random, most: number): readonly Key[] {
  const all = Object.entries(pools).reduce<readonly Key[]>(
    (keys, [name, pool]) => keys.flatMap((key) => pool.map((value) => ({ ...key, [name]: value }))),
    [{}],
  )
  return random.shuffled(all).slice(0, most)
}

/** Value order: numbers by size, text by its code points, bytes unsigned. */
function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number') return a - (b as number)
  return typeof a === 'string' ? compareText(a, b as string) : compareKeys(a as Uint8Array, b as Uint8Array)
}

interface Tested {
  readonly given: unknown
  passes(value: unknown): boolean
}

function randomCondition({ pools, ordered, prefixed }: Subject, random: Random, name: string): Tested {
  const pool = pools[name] ?? []
  const [one, other] = [random.pick(pool), random.pick(pool)]
  const isRange = ordered.includes(name) && random.chance(0.6)
  if (!isRange && random.chance(0.5)) return { given: one, passes: (value) => compareValues(value, one) === 0 }
  if (!isRange) {
    const list = [one, ...random.some(pool, 5)]
    return { given: { in: list }, passes: (value) => list.some((each) => compareValues(value, each) === 0) }
  }
  if (prefixed.includes(name) && random.chance(0.4)) {
    const start = Array.from(one as string)
      .slice(0, 1 + random.below(2))
      .join('')
    return { given: { startsWith: start }, passes: (value) => (value as string).startsWith(start) }
  }
  const low = random.pick(['gt', 'gte', undefined])
  const high = low === undefined ? random.pick(['lt', 'lte']) : random.pick(['lt', 'lte', undefined])
  return {
    given: { ...(low === undefined ? {} : { [low]: one }), ...(high === undefined ? {} : { [high]: other }) },
    passes: (value) =>
      (low === undefined || compareValues(value, one) > (low === 'gt' ? 0 : -1)) &&
      (high === undefined || compareValues(value, other) < (high === 'lt' ? 0 : 1)),
  }
}

/** The start or the end of a scan, a key or its first columns, by bytes. Columns that the query binds to one value follow by themselves. */
function randomBound(
  { layout, pools }: Subject,
  random: Random,
  keys: readonly Key[],
  option: 'from' | 'after' | 'to' | 'before',
  { where, reverse }: { readonly where: Key; readonly reverse: boolean },
): Tested {
  const columns = Object.keys(pools)
  const given = Object.fromEntries(Object.entries(random.pick(keys)).slice(0, 1 + random.below(columns.length)))
  const prefix: Record<string, unknown> = { ...given }
  for (const name of columns.slice(Object.keys(given).length)) {
    const value = valueOf(where[name])
    if (value === undefined) break
    prefix[name] = value
  }
  const start = toHex(layout.bound(prefix, 'before'))
  const isWhole = Object.keys(prefix).length === columns.length
  return {
    given: { [option]: given },
    passes(key) {
      const hex = toHex(layout.encode(key as Key))
      if (isWhole ? hex === start : hex.startsWith(start)) return option === 'from' || option === 'to'
      return (option === 'from' || option === 'after') === (hex > start !== reverse)
    },
  }
}

/** The one value that a condition allows, if it names values. */
function valueOf(condition: unknown): unknown {
  if (typeof condition !== 'object' || condition instanceof Uint8Array) return condition
  const list = (condition as { readonly in?: readonly unknown[] }).in ?? []
  return list.every((value) => compareValues(value, list[0]) === 0) ? list[0] : undefined
}

/** Random queries return what they must by the definition of their conditions, in the order of the bytes of the keys, in pages of any size. */
export async function answers(world: World, one: Subject, seed: number, rounds = 40): Promise<void> {
  const random = new Random(seed)
  const { layout, pools, schema } = one
  const columns = Object.keys(pools)
  const keys = keysOf(one, random, 160)
  const table = await world.repository(schema)
  const stored = keys.slice(0, 140).toSorted((a, b) => compareKeys(layout.encode(a), layout.encode(b)))
  await table.putMany(stored)
  for (const key of keys.slice(0, 20)) same(await table.get(key), key, `the row of ${textOf(key)}`)
  for (const key of keys.slice(140)) same(await table.get(key), undefined, `no row of ${textOf(key)}, although others continue it`)
  const canReverse = world.adapter.capabilities.reverse
  for (let round = 0; round < rounds; round++) {
    const reverse = canReverse && random.chance(0.4)
    const bound = columns.filter((_, at) => random.chance(at === 0 ? 0.8 : 0.5))
    const conditions = bound.map((name) => [name, randomCondition(one, random, name)] as const)
    const where = Object.fromEntries(conditions.map(([name, { given }]) => [name, given]))
    const limits = [['from', 'after'] as const, ['to', 'before'] as const]
      .filter(() => random.chance(0.4))
      .map((pair) => randomBound(one, random, keys, random.pick(pair), { where, reverse }))
    const options = Object.assign({}, ...limits.map(({ given }) => given)) as object
    const passes = (row: Key): boolean =>
      conditions.every(([name, test]) => test.passes(row[name])) && limits.every((test) => test.passes(row))
    const wanted = stored.filter(passes)
    const what = `${schema.name} (seed ${seed}, round ${round}): ${textOf({ where, options, reverse })}`
    const common = { ...options, unbounded: true, order: reverse ? 'reverse' : undefined, maxRanges: random.pick([1, 2, 3, 1000]) }
    same(await table.scan(where, common as never).toArray(), reverse ? wanted.toReversed() : wanted, what)
    const limit = random.pick([3, 7, 20])
    const paged: unknown[] = []
    let cursor: string | undefined
    do {
      const page = await table.scan(where, common as never).page({ size: limit, cursor })
      paged.push(...page.rows)
      cursor = page.cursor
    } while (cursor !== undefined && paged.length <= stored.length)
    same(paged, reverse ? wanted.toReversed() : wanted, `${what}, in pages of ${limit}`)
  }
  const gone = stored.filter((_, i) => i % 2 === 0)
  await table.deleteMany(gone)
  same(
    await table.scan({}, { unbounded: true } as never).toArray(),
    stored.filter((_, i) => i % 2 === 1),
    `${schema.name}: the rows that are left`,
  )
}

export const openEnded: readonly Rule[] = [
  ...lasts.map((each, i) =>
    rule(`SCAN-13: keys that begin other keys (${each.schema.name}): queries return the rows that they must, in order`, (world) =>
      answers(world, each, 11 + i),
    ),
  ),
  ...splits.map((each, i) =>
    rule(
      `SCAN-13: keys that are ordered by their bytes (${each.schema.name}): queries return the rows that they must, in order`,
      (world) => answers(world, each, 21 + i),
      'byte order',
    ),
  ),
]
