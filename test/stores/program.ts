import { createMapper, isRowkeyError, type Adapter, type PlainRepository, type Repository } from 'rowkey'
import { canonical } from '../../examples/src/swap-the-store/canonical.js'
import { lacksOf, type Lack } from '../kit/lacks.js'
import { Conditional, Expiring, Plain, Present } from './models.js'

/** The time of the program: ahead of every server's clock, so that only the program makes rows expire. */
const start = 2_000_000_000_000
const day = 86_400_000

/** mulberry32 */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

/** What a program saw: a line per operation and per checkpoint. */
export interface Log {
  readonly operations: readonly string[]
  readonly checkpoints: readonly string[]
}

/** Operations of one round are of different rows, so that they can be under way together. */
const roundLength = 10

/**
 * The same random operations for every store that is given the same numbers, without those that need what is in `lacks`. Everything the store says is
 * in the log, but for versions, which are new each time.
 */
export async function runProgram(
  adapter: Adapter,
  seed: number,
  operations: number,
  checkpoints: number,
  lacks: readonly Lack[] = lacksOf(adapter),
): Promise<Log> {
  let now = start
  const db = createMapper(adapter, { prefix: `diff${seed}_`, clock: () => now })
  const can = (need: Lack): boolean => !lacks.includes(need)
  // A table without versions has fewer options, none of which the program then gives.
  const First = can('versions') ? Conditional : (Present as unknown as typeof Conditional)
  for (const model of [First, Plain, Expiring]) await db.dropTables([model])
  await db.ensureTables([First, Plain, Expiring])
  const [conditional, plain, expiring] = [db.repository(First), db.repository(Plain), db.repository(Expiring)]
  const below = random(seed)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const some = <T>(list: readonly T[]): T | null => (below(4) === 0 ? null : pick(list))
  const anyValues = () => ({
    n: some([0n, -1n, 2n ** 63n - 1n, -(2n ** 63n), 9_007_199_254_740_993n]),
    u: some([0n, 2n ** 64n - 1n, 2n ** 63n]),
    f: pick([0, -0, 1.5, NaN, Infinity, -Infinity, 5e-324, 1e-200, 1.7e308]),
    d: some(['0.000', '-0.001', '1.500', '99999999999999999.999']),
    t: some(['', 'a', '\0', '\u{1f600}', '\uffff', "'; DROP", '}{:"']),
    b: some([new Uint8Array(), new Uint8Array([0]), new Uint8Array([255, 0, 1])]),
    j: some([1, '', [], { a: [null, -0.5] }]),
  })
  const conditionalKey = () => ({ part: pick(['', 'a', 'a\0']), at: new Date(below(12) * 1000 - 3000), k: some([0, -5, 7]) })
  const plainKey = () => ({ host: pick(['web', 'web-1', '\0']), id: below(40) - 20 })
  const expiringKey = () => ({ host: pick(['web', 'web-1', '\0']), at: new Date(start + below(12) * 60 * day) })
  const anyExpiry = () => pick([null, null, new Date(now + 5), new Date(now + 50), new Date(now - 1)])
  const versions = new Map<string, string>()

  const one = (key: ReturnType<typeof conditionalKey>): (() => Promise<unknown>) => {
    const name = canonical(key)
    const row = { ...key, ...anyValues() }
    const drawn = { expires: anyExpiry() }
    const expiry = can('versions') ? drawn : {}
    const remember = ({ version }: { readonly version?: string }): string => {
      if (version !== undefined) versions.set(name, version)
      return 'written'
    }
    const remembered = ({ row: returned, ...written }: { readonly version?: string; readonly row: object }): object => {
      remember(written)
      return returned
    }
    const rev = below(3) === 0 ? '01ARZ3NDEKTSV4RRFFQ69G5FAV' : versions.get(name)
    const guarded = rev === undefined ? {} : { if: { rev } }
    const patch = { n: row.n, t: row.t, f: row.f }
    const amounts = { n: pick([1n, -1n, 2n ** 63n - 1n, undefined]), u: pick([1n, -1n]), d: pick(['0.001', '-1', undefined]) }
    const condition = pick<object>([
      { f: row.f },
      { t: row.t },
      { b: row.b },
      { n: { lt: 5n } },
      { f: { gte: 0 } },
      { d: null, t: { isNull: false } },
      { t: { gt: '\uffff' } },
      { u: { in: [0n, 2n ** 63n] } },
    ])
    const ofEvery: readonly (() => Promise<unknown>)[] = [
      () => conditional.put(row, expiry).then(remember),
      () => conditional.insert(row, expiry).then(remember),
      () => conditional.insert(row).then(remember),
      () => conditional.update(key, patch).then(remember),
      () => conditional.update(key, patch, { returning: true }).then(remembered),
      () => conditional.delete(key),
      () => conditional.get(key),
    ]
    const withVersions: typeof ofEvery = [
      () => conditional.update(key, patch, guarded).then(remember),
      () => conditional.put(row, { ...expiry, ...guarded }).then(remember),
      () => conditional.delete(key, guarded),
    ]
    const withColumns: typeof ofEvery = [
      () => conditional.increment(key, amounts).then(remember),
      () => conditional.increment(key, amounts, { create: { f: row.f }, returning: true }).then(remembered),
      () => conditional.increment(key, amounts, { if: condition }).then(remember),
      () => conditional.upsert({ ...key, f: row.f, t: row.t }, { returning: true }).then(remembered),
      () => conditional.update(key, patch, { if: condition, returning: true }).then(remembered),
      () => conditional.put(row, { ...expiry, if: condition }).then(remember),
      () => conditional.delete(key, { if: condition }),
    ]
    return pick([...ofEvery, ...(can('versions') ? withVersions : []), ...(can('columns') ? withColumns : [])])
  }
  const other = (key: ReturnType<typeof plainKey>): (() => Promise<unknown>) => {
    const row = { ...key, ok: below(2) === 0, ...anyValues() }
    return pick<() => Promise<unknown>>([
      () => plain.put(row).then(() => 'written'),
      () => plain.put(row).then(() => 'written'),
      () => plain.delete(key),
      () => plain.get(key),
    ])
  }
  const third = (key: ReturnType<typeof expiringKey>): (() => Promise<unknown>) => {
    const [row, expires] = [{ ...key, ...anyValues() }, anyExpiry()]
    return pick<() => Promise<unknown>>([
      () => expiring.put(row, { expires }).then(() => 'written'),
      () => expiring.put(row).then(() => 'written'),
      () => expiring.delete(key),
      () => expiring.get(key),
    ])
  }

  const log: string[] = []
  const seen: string[] = []
  const perCheckpoint = Math.ceil(operations / checkpoints / roundLength)
  for (let at = 0; at < checkpoints; at++) {
    for (let round = 0; round < perCheckpoint; round++) {
      const rows = new Map<string, () => Promise<unknown>>()
      while (rows.size < roundLength) {
        const key = pick([conditionalKey, conditionalKey, conditionalKey, plainKey, plainKey, expiringKey])()
        const name = canonical(key)
        const run = 'part' in key ? one(key) : 'id' in key ? other(key) : third(key)
        if (!rows.has(name)) rows.set(name, run)
      }
      log.push(...(await Promise.all([...rows.values()].map(answerOf))))
      now += 3
    }
    seen.push(await checkpoint({ conditional, plain, expiring }, pick, below, can('reverse')))
  }
  for (const model of [First, Plain, Expiring]) await db.dropTables([model])
  return { operations: log, checkpoints: seen }
}

interface Tables {
  readonly conditional: Repository<typeof Conditional>
  readonly plain: PlainRepository<typeof Plain>
  readonly expiring: PlainRepository<typeof Expiring>
}

/** All rows of the tables, and some scans and pages. */
async function checkpoint(
  { conditional, plain, expiring }: Tables,
  pick: <T>(list: readonly T[]) => T,
  below: (below: number) => number,
  canReverse: boolean,
): Promise<string> {
  const part = pick(['', 'a', 'a\0'])
  const reverse = below(2) === 0 && canReverse
  const scans = [
    () => conditional.scan({ part: { in: ['', 'a', 'a\0'] } }, { order: reverse ? 'reverse' : undefined }).toArray(),
    () => conditional.scan({ part, at: { gte: new Date(0), lt: new Date(6000) } }, { order: reverse ? 'reverse' : undefined }).toArray(),
    () => conditional.scan({ part, n: { gt: 0n } }).toArray(),
    () => plain.scan({}, { unbounded: true, order: reverse ? 'reverse' : undefined }).toArray(),
    () => plain.scan({ host: { startsWith: 'web' }, id: { gte: -5 } }, { limit: 1 + below(20) }).toArray(),
    () => plain.scan({ host: pick(['web', 'web-1']), t: null }).count(),
    () => expiring.scan({}, { unbounded: true, order: reverse ? 'reverse' : undefined }).toArray(),
    () => expiring.scan({ host: 'web', at: { gte: new Date(start + 100 * day), lt: new Date(start + 400 * day) } }).toArray(),
    () => expiring.scan({ host: { startsWith: 'web' }, t: { isNull: false }, f: { gte: 0 } }).count(),
    async () => {
      const rows: unknown[] = []
      let cursor: string | undefined
      do {
        const page = await plain.scan({ host: 'web' }, { order: reverse ? 'reverse' : undefined }).page({ size: 4, cursor })
        rows.push(...page.rows)
        cursor = page.cursor
      } while (cursor !== undefined)
      return rows
    },
  ]
  return (await Promise.all(scans.map(answerOf))).join('\n')
}

async function answerOf(run: () => Promise<unknown>): Promise<string> {
  try {
    return withoutVersions(canonical(await run()))
  } catch (error) {
    if (!isRowkeyError(error)) throw error
    return `${error.code} ${withoutVersions(error.message)}`
  }
}

/** Versions are new each time; of one that is not right, not every store tells what it is. */
const withoutVersions = (text: string): string =>
  text.replace(/[0-9A-HJKMNP-TV-Z]{26}/g, '<version>').replace(' has another version, not ', ' has version "<version>", not ')
