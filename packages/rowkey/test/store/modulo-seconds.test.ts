import { bucket, int32, nullable, text, timestamp } from '#codec'
import { defineTable, type TableSchema } from '#model'
import { compileQuery, explain, type Finding } from '#store'
import { designRules, findingsOf } from '#store/adapter'
import { expect, test } from 'vitest'

const designFindings = (schema: TableSchema): readonly Finding[] => findingsOf(designRules, schema)

const table = (modulo: number, unit: 'ms' | 'us' | 'ns' = 'ms') =>
  defineTable('metrics', { columns: { at: timestamp(unit), host: text() }, key: ['at', 'host'], salt: bucket({ of: 'at', modulo }) })

test('a modulo salt by instants warns of the buckets that whole seconds leave empty, and names a modulo that does not', () => {
  expect(designFindings(table(16))).toEqual([
    {
      code: 'modulo-seconds',
      severity: 'warning',
      column: 'at',
      message:
        "The salt of 'metrics' by 'at': instants of whole seconds use 2 of its 16 buckets, because 1,000 and 16 have the factor 8 in common.",
      fix: 'Use modulo 17, or { count } with a column that differs.',
    },
  ])
  for (const [modulo, unit, used] of [
    [10, 'ms', 1],
    [16, 'us', 1],
    [64, 'us', 1],
    [128, 'us', 2],
    [512, 'ns', 1],
    [30, 'ms', 3],
  ] as const) {
    // What it says is what happens.
    const schema = table(modulo, unit)
    const perSecond = { ms: 1000, us: 1_000_000, ns: 1_000_000_000 }[unit]
    const buckets = new Set(
      Array.from({ length: 1000 }, (_, n) => schema.layout.bucketOf([unit === 'ms' ? n * perSecond : BigInt(n) * BigInt(perSecond), 'x'])),
    )
    expect(buckets.size).toBe(used)
    expect(designFindings(schema)[0]?.message).toContain(`use ${used} of its ${modulo} buckets`)
  }
  for (const modulo of [3, 7, 17, 33]) expect(designFindings(table(modulo))).toEqual([])
  expect(designFindings(defineTable('numbers', { columns: { n: int32() }, key: ['n'], salt: bucket({ of: 'n', modulo: 16 }) }))).toEqual([])
  expect(
    designFindings(defineTable('hashed', { columns: { n: timestamp('ms') }, key: ['n'], salt: bucket({ of: 'n', count: 16 }) })),
  ).toEqual([])
})

test('explain() warns of a first column with one limit, and of a modulo salt', () => {
  const codes = (where: object, options: object = {}, schema = table(17)): readonly string[] =>
    explain(compileQuery(schema, where as never, options)).warnings.map(({ code }) => code)
  const at = new Date(0)
  expect(codes({ at: { gte: at } })).toContain('open-range')
  expect(codes({ at: { lt: at } })).toContain('open-range')
  expect(codes({ at: { gte: at, lt: new Date(10) } })).not.toContain('open-range')
  expect(codes({ at })).not.toContain('open-range')
  expect(codes({ at: { gte: at } }, { to: { at: new Date(5) } })).not.toContain('open-range')
  expect(codes({}, { unbounded: true })).not.toContain('open-range')
  expect(codes({ at: { gte: at, lt: new Date(10) } }, {}, table(16))).toContain('modulo-seconds')
  expect(codes({ at, host: 'a' }, {}, table(16))).toEqual([])
  const Things = defineTable('things', { columns: { host: nullable(text()), n: int32() }, key: ['host', 'n'] })
  expect(codes({ host: { isNull: false } }, {}, Things as never)).not.toContain('open-range')
  expect(codes({ host: { startsWith: 'a' } }, {}, Things as never)).not.toContain('open-range')
  const Parted = defineTable('parted', { columns: { tenant: text(), n: int32() }, partition: ['tenant'], key: ['n'] })
  expect(codes({ tenant: 'a', n: { gt: 3 } }, {}, Parted as never)).not.toContain('open-range')
})
