import {
  bool,
  bucket,
  date,
  defineTable,
  desc,
  dictionary,
  fixedBytes,
  float64,
  hashPrefix,
  int64,
  isRowkeyError,
  reversed,
  text,
  timestamp,
  uint32,
  uuid,
  type TableSchema,
} from 'rowkey'
import { scaled, shortened } from '@rowkey/servers/scale'
import { expect, test } from 'vitest'
import { seed } from '../../../test/kit/property.js'
import { advise, applyFix, sampleStats, type AdviceOptions, type ConditionShape, type Finding, type QueryShape } from '../src/index.js'
import { cassandra, dynamodb, hbase, kudu, lindorm, redis, type Placed } from './cases.js'

// Each change is judged as an application would: with the same queries and the same rows, sampled again under the changed model.

/** Numbers from 0 to 1, the same in every run of a seed. */
function chance(from: number): () => number {
  let state = from >>> 0
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
}

const names = 'id host at seq status user_id email type day tenant bucket event n region created_at rnd order_no'.split(' ')
const stores: readonly Placed[] = [cassandra, dynamodb, hbase, lindorm, redis, { store: 'lmdb' }, kudu, {}]
const shapes: readonly ConditionShape[] = ['=', '=', '=', ['gte', 'lt'], 'gte', 'startsWith', { in: 3 }]
const rank = { info: 0, warning: 1, error: 2 } as const

interface Drawn {
  readonly schema: TableSchema
  readonly options: AdviceOptions
  /** The rows of a sample; none if there is no sample. */
  readonly rows: readonly object[]
  readonly order: 'written' | 'other' | undefined
}

function draw(random: () => number): Drawn | undefined {
  const int = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1))
  const pick = <T>(list: readonly T[]): T => list[int(0, list.length - 1)] as T
  const some = <T>(list: readonly T[]): readonly T[] => list.filter(() => random() < 0.5)
  const hex = (): string => int(0, 2 ** 32 - 1).toString(16).padStart(8, '0') // prettier-ignore
  const types: readonly (readonly [object, (i: number) => unknown])[] = [
    [text(), () => pick(['a', 'bb', 'web-1', 'x_y', '123', 'ü']) + String(int(0, 50))],
    [timestamp('ms'), (i) => new Date(1_767_225_600_000 + i * 1000)],
    [uint32(), (i) => (random() < 0.5 ? i : int(0, 1e6))],
    [int64(), (i) => BigInt(i * 8)],
    [uuid(), () => `${hex()}-0000-4000-8000-${hex()}0000`],
    [bool(), () => random() < 0.5],
    [date(), (i) => new Date(Date.UTC(2026, 0, 1 + (i % 40)))],
    [dictionary({ aa: 'a', bb: 'b' }), () => pick(['aa', 'bb'])],
    [float64(), random],
    [fixedBytes(4), () => Uint8Array.of(int(0, 255), int(0, 255), int(0, 255), int(0, 255))],
    [reversed(text()), () => `u${int(0, 1e6)}`],
  ]
  const all = [...new Set(Array.from({ length: int(2, 7) }, () => pick(names)))]
  const made = all.map((name) => [name, pick(types)] as const)
  const key = all.slice(0, int(1, Math.min(5, all.length)))
  const partition = random() < 0.4 ? int(0, key.length - 1) : 0
  const of = some(key)
  const salts = [
    () => bucket({ of, count: pick([2, 4, 16, 100]) }),
    () => hashPrefix({ of }),
    () => bucket({ of: of[0] ?? '', modulo: 16 }),
  ]
  try {
    const schema = defineTable('things', {
      columns: Object.fromEntries(made.map(([name, [type]]) => [name, random() < 0.2 ? desc(type as never) : type])),
      ...(partition === 0 ? {} : { partition: key.slice(0, partition) }),
      key: key.slice(partition),
      ...(of.length === 0 || random() < 0.6 ? {} : { salt: pick(salts)() }),
      ...(random() < 0.3 ? { writes: 'plain' } : {}),
      ...(random() < 0.2 ? { ttl: pick(['1h', '30d']) } : {}),
      ...(random() < 0.3 ? { stores: { hbase: { splits: pick([4, ['40', '80']]) } } } : {}),
    } as never)
    const queries = Array.from({ length: int(0, 3) }, (): QueryShape => ({
      table: 'things',
      where: Object.fromEntries(some(all).map((name) => [name, pick(shapes)])),
      ...(random() < 0.4 ? { order: { [pick(key)]: pick(['asc', 'desc'] as const) } } : {}),
      ...(random() < 0.5 ? { limit: int(1, 1000) } : {}),
      ...(random() < 0.7 ? { perSecond: pick([0.001, 1, 50, 5000]) } : {}),
      ...(random() < 0.3 ? { span: pick(['1h', '30d'] as const) } : {}),
    }))
    const distinct = Object.fromEntries(some(key).map((name) => [name, pick([1, 5, 1000, 1e6])]))
    const writes = [{ table: 'things', perSecond: { inserts: pick([1, 100, 5000, 1e5]) }, ...(random() < 0.5 ? { distinct } : {}) }]
    const row = (i: number): object => Object.fromEntries(made.map(([name, [, value]]) => [name, value(i)]))
    return {
      schema,
      options: { ...pick(stores), queries, ...(random() < 0.6 ? { writes } : {}) },
      rows: random() < 0.5 ? Array.from({ length: 300 }, (_, i) => row(i)) : [],
      order: pick(['written', 'other', undefined] as const),
    }
  } catch (error) {
    if (isRowkeyError(error)) return undefined // such a table cannot be declared
    throw error
  }
}

/** The options with the rows sampled for a schema; without them if it cannot hold them. */
function withSample({ options, rows, order }: Drawn, schema: TableSchema): AdviceOptions {
  if (rows.length === 0) return options
  try {
    return { ...options, stats: [sampleStats(schema, rows, { total: 1e8, ...(order === undefined ? {} : { order }) })] }
  } catch (error) {
    if (isRowkeyError(error, 'INVALID_VALUE')) return options
    throw error
  }
}

const alarms = (findings: readonly Finding[]): number => findings.filter(({ severity }) => severity !== 'info').length

/** What is wrong with a change. */
function faultsOf(before: readonly Finding[], finding: Finding, after: readonly Finding[]): readonly string[] {
  const like = after.filter(
    (each) => each.code === finding.code && each.column === finding.column && rank[each.severity] >= rank[finding.severity],
  )
  const had = before.filter(({ code, column }) => code === finding.code && column === finding.column)
  const errors = after.filter(
    ({ code, severity }) => severity === 'error' && !before.some((each) => each.code === code && each.severity === 'error'),
  )
  return [
    ...(like.length >= had.length ? [`${finding.code} stays`] : []),
    ...errors.map(({ code }) => `${finding.code} brings the error ${code}`),
    ...(finding.severity !== 'info' && alarms(after) > alarms(before) ? [`${finding.code} brings more alarms`] : []),
  ]
}

test.each([seed, seed + 1, seed + 2])(
  'random designs with the seed %d: each change cures, also with the sample, and brings nothing worse',
  (from) => {
    const random = chance(from)
    const faults: string[] = []
    let changes = 0
    for (let round = 0; round < scaled(shortened(2000)); round++) {
      const drawn = draw(random)
      if (drawn === undefined) continue
      const { schema } = drawn
      const { findings } = advise(schema, withSample(drawn, schema))
      expect(JSON.parse(JSON.stringify(findings))).toEqual(findings)
      for (const finding of findings) {
        expect(`${finding.evidence} ${finding.message} ${finding.fix ?? ''}`).not.toMatch(/undefined|NaN|\[object|Infinity/)
        if (finding.change === undefined) continue
        changes++
        const fixed = applyFix(schema, finding)
        faults.push(...faultsOf(findings, finding, advise(fixed, withSample(drawn, fixed)).findings).map((fault) => `${round}: ${fault}`))
      }
    }
    expect(faults).toEqual([])
    expect(changes).toBeGreaterThan(scaled(shortened(500)))
  },
  600_000,
)
