import fc from 'fast-check'
import {
  bool,
  bucket,
  date,
  defineTable,
  desc,
  dictionary,
  kuduHash,
  hashPrefix,
  int64,
  isRowkeyError,
  nullable,
  paddedText,
  random,
  reversed,
  separatedText,
  text,
  timestamp,
  uint32,
  uint8,
  ulid,
  uuid,
  type TableSchema,
} from 'rowkey'
import { scaled, shortened } from '@rowkey/servers/scale'
import { seed } from '../../../test/kit/property.js'
import { expect, test } from 'vitest'
import { advise, applyFix, type AdviceOptions, type ConditionShape, type QueryShape } from '../src/index.js'
import { askedQuery, withNamedOrder } from '../src/subject/queries.js'
import { cassandra, dynamodb, hbase, kudu, lindorm, redis, type Placed } from './cases.js'
import { sampled, scattered } from './judging.js'

/** Types of key columns, and values of a sample. */
const types = [
  [text(), (i: number) => `user-${scattered(i)}`],
  [desc(text()), (i: number) => `t${i % 3}`],
  [nullable(text()), (i: number) => (i % 2 === 0 ? null : 'x')],
  [timestamp('ms'), (i: number) => new Date(i * 8000)],
  [desc(timestamp('ms')), (i: number) => new Date(i)],
  [date(), (i: number) => new Date(86_400_000 * (i >> 6))],
  [int64(), (i: number) => BigInt(i)],
  [uint32(), (i: number) => scattered(i)],
  [uint8({ default: random(100) }), (i: number) => scattered(i) % 100],
  [bool(), (i: number) => i % 2 === 0],
  [dictionary({ a: '1', b: '2' }), (i: number) => (i % 2 === 0 ? 'a' : 'b')],
  [uuid(), (i: number) => `${scattered(i).toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`],
  [ulid(), (i: number) => `01HQ${String(i).padStart(22, '0')}`],
  [reversed(text()), (i: number) => String(scattered(i))],
  [paddedText(20, { pad: 'x' }), (i: number) => `h${i}`],
  [separatedText('_'), (i: number) => `h${i}`],
] as const

const names = ['id', 'order_type', 'at', 'user', 'email', 'seq']
const shapes: readonly ConditionShape[] = ['=', ['gte', 'lt'], ['gt', 'lte'], 'gte', { in: 3 }, 'startsWith']
const stores: readonly Placed[] = [{}, cassandra, dynamodb, hbase, lindorm, redis, kudu]

interface Drawn {
  readonly schema: TableSchema
  readonly options: AdviceOptions
  readonly row: (i: number) => Record<string, unknown>
}

const salts = [
  (of: readonly string[]) => bucket({ of, count: 16 }),
  (of: readonly string[]) => bucket({ of: of[0] ?? '', modulo: 16 }),
  (of: readonly string[]) => hashPrefix({ of }),
  (of: readonly string[]) => kuduHash({ of, count: 4 }),
]

const drawn: fc.Arbitrary<Drawn | undefined> = fc
  .record({
    columns: fc.array(fc.nat(types.length - 1), { minLength: 1, maxLength: 5 }),
    partition: fc.integer({ min: 0, max: 2 }),
    salt: fc.option(fc.record({ kind: fc.nat(salts.length - 1), of: fc.array(fc.nat(4), { minLength: 1, maxLength: 2 }) })),
    queries: fc.array(fc.array(fc.option(fc.constantFrom(...shapes)), { minLength: 6, maxLength: 6 }), { maxLength: 3 }),
    store: fc.constantFrom(...stores),
    order: fc.shuffledSubarray(names, { minLength: 6 }),
    inserts: fc.constantFrom(0, 10, 5000),
    perSecond: fc.constantFrom(1, 50_000),
    isReverse: fc.boolean(),
    isPlain: fc.boolean(),
  })
  .map(({ columns, partition, salt, queries, store, order, inserts, perSecond, isReverse, isPlain }) => {
    const key = columns.map((type, at) => [order[at] ?? '', types[type] as (typeof types)[number]] as const)
    const of = [...new Set((salt?.of ?? []).flatMap((at) => key[at]?.[0] ?? []))]
    const partitioned = Math.min(partition, key.length - 1)
    try {
      const schema = defineTable('rows', {
        columns: { ...Object.fromEntries(key.map(([name, [type]]) => [name, type])), value: text() },
        ...(partitioned === 0 ? {} : { partition: key.slice(0, partitioned).map(([name]) => name) }),
        key: key.slice(partitioned).map(([name]) => name),
        ...(salt === null || of.length === 0 ? {} : { salt: salts[salt.kind]?.(of) }),
        writes: isPlain ? 'plain' : 'conditional',
      } as never)
      const asked = queries.map((each): QueryShape => ({
        table: 'rows',
        perSecond,
        ...(isReverse ? { order: 'reverse' } : {}),
        where: Object.fromEntries(key.flatMap(([name], at) => (each[at] === null || each[at] === undefined ? [] : [[name, each[at]]]))),
      }))
      const writes = [
        { table: 'rows', perSecond: { inserts }, distinct: Object.fromEntries(key.map(([name], at) => [name, 10 ** (at + 1)])) },
      ]
      const row = (i: number): Record<string, unknown> => Object.fromEntries(key.map(([name, [, value]]) => [name, value(i)]))
      return { schema, row, options: { queries: asked, writes, ...store } }
    } catch (error) {
      if (isRowkeyError(error)) return undefined // such a table cannot be declared
      throw error
    }
  })

/** The query by an index, if that has less to check. */
function byBetter(schema: TableSchema, query: QueryShape, index: string): QueryShape {
  const asked = { ...query, index }
  return askedQuery(schema, asked).explanation?.residual.length === 0 && askedQuery(schema, query).explanation?.residual.length !== 0
    ? asked
    : query
}

test('a fix never raises the number of errors, and its finding is gone', () => {
  let fixed = 0
  fc.assert(
    fc.property(drawn, (design) => {
      if (design === undefined) return
      const { schema, options, row } = design
      const was = advise([schema], options).findings
      // What the queries return must stay the same.
      const named = (options.queries ?? []).map((query) => withNamedOrder(schema, query))
      for (const stats of [{} as AdviceOptions, sampled(schema, row, 200)]) {
        for (const finding of advise([schema], { ...options, ...stats }).findings) {
          if (finding.change === undefined) continue
          fixed++
          const after = applyFix(schema, finding)
          // Conditions that are checked late need a scan that names the new index.
          const [index] = finding.code === 'filter' ? (finding.change.indexes ?? []) : []
          const asked = named.map((query) => (index === undefined ? query : byBetter(after, query, index.name)))
          const is = advise([after], { ...options, queries: asked }).findings
          const errors = (all: typeof was): string[] => all.filter(({ severity }) => severity === 'error').map(({ code }) => code)
          expect(errors(is).length, `${finding.code}: ${errors(is).join()}`).toBeLessThanOrEqual(errors(was).length)
          if (stats.stats !== undefined) continue // what rows said cannot be said of the new schema
          const same = (all: typeof was): number =>
            all.filter(({ code, column }) => code === finding.code && column === finding.column).length
          expect(same(is), finding.code).toBeLessThan(same(was))
        }
      }
    }),
    { seed, numRuns: scaled(shortened(1000)) },
  )
  expect(fixed).toBeGreaterThan(scaled(shortened(50)))
}, 600_000)
