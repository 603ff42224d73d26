import { bucket, Bucket, desc, defineTable, KeyColumn, RowKey, schemaOf, Table, text, timestamp, Column } from 'rowkey'
import { expect, test } from 'vitest'
import { advise, applyFix, sampleStats, schemaCode, type ConditionShape, type QueryShape } from '../src/index.js'
import { askedQuery } from '../src/subject/queries.js'

// Queries in the words of scan, and models of both forms.

@Table('logs')
class LogLine {
  declare [RowKey]: 'at' | 'host'
  @KeyColumn(1, timestamp('ms')) at!: Date
  @KeyColumn(2, text()) host!: string
  @Column(text()) line!: string
}

@Table('users')
@Bucket({ of: 'id', count: 16 })
class User {
  declare [RowKey]: 'id'
  @KeyColumn(1, text()) id!: string
  @Column(text()) name!: string
}

const Logs = defineTable('logs', { columns: { at: timestamp('ms'), host: text(), line: text() }, key: ['at', 'host'] })
const queries: readonly QueryShape[] = [{ table: 'logs', where: { at: ['gte', 'lt'], host: '=' }, order: { at: 'desc' }, limit: 20 }]

test('a class is judged as what defineTable() returns, alone, in a list, and as what exists', () => {
  expect(advise(LogLine, { queries })).toEqual(advise(Logs, { queries }))
  expect(advise([LogLine, User], { queries })).toEqual(advise([Logs, schemaOf(User)], { queries }))
  const Other = defineTable('logs', { columns: { at: timestamp('ms'), host: text(), line: text() }, key: ['host', 'at'] })
  for (const existing of [LogLine, [LogLine, User], Logs, [Logs]]) {
    expect(advise(Other, { existing }).findings[0]).toMatchObject({ stage: 'existing', code: 'key-changed' })
  }
})

test('samples, fixes and code are those of a class too', () => {
  const rows = [{ at: new Date(0), host: 'a', line: '' }, Object.assign(new LogLine(), { at: new Date(1), host: 'b', line: '' })]
  expect(sampleStats(LogLine, rows)).toEqual(sampleStats(Logs, rows))
  const [finding] = advise(LogLine).findings
  expect(applyFix(LogLine, finding as never).salt).toMatchObject([{ of: ['host'], count: 16 }])
  expect(schemaCode(LogLine)).toBe(schemaCode(Logs))
})

const byHost = defineTable('rows', { columns: { host: text(), at: desc(timestamp('ms')), n: text(), v: text() }, key: ['host', 'at', 'n'] })
const plan = (where: QueryShape['where'], more: Partial<QueryShape> = {}) => askedQuery(byHost, { table: 'rows', where, ...more })

test.each<[ConditionShape, string, string]>([
  ['=', 'SCAN', 'at ='],
  ['gt', 'SCAN', 'at gt'],
  ['gte', 'SCAN', 'at gte'],
  ['lt', 'SCAN', 'at lt'],
  ['lte', 'SCAN', 'at lte'],
  [['gte', 'lt'], 'SCAN', 'at gte lt'],
  [['gt', 'lte'], 'SCAN', 'at gt lte'],
  [{ in: 3 }, 'SKIP SCAN', 'at in 3'],
])('%j is planned as the operator of scan', (condition, kind, said) => {
  const { explanation, text, refusal } = plan({ host: '=', at: condition })
  expect(refusal).toBeUndefined()
  expect(explanation?.kind).toBe(kind)
  expect(explanation?.residual).toEqual([])
  expect(text).toBe(`host =, ${said}`)
})

test("order: 'reverse' is planned as scan plans it, by the column that it means", () => {
  const byWord = plan({ host: '=' }, { order: 'reverse' })
  expect(byWord.text).toBe('host =, order at asc')
  expect(byWord.explanation).toEqual(plan({ host: '=' }, { order: { at: 'asc' } }).explanation)
  expect(byWord.explanation?.warnings).toContainEqual(expect.objectContaining({ code: 'reverse' }))
  const [finding] = advise(byHost, { queries: [{ table: 'rows', where: { host: '=' }, order: 'reverse', perSecond: 50 }] }).findings
  expect(finding).toMatchObject({ code: 'reverse', severity: 'warning', change: { types: { at: { desc: false } } } })
  expect(finding?.fix).toMatch(/ With that key it is the order of scans that do not say order: 'reverse'\.$/)
})

test('the rows of a page are the rows of a query', () => {
  const visits = defineTable('rows', { columns: { at: timestamp('ms'), v: text() }, key: ['at'], salt: bucket({ of: 'at', count: 16 }) })
  const evidence = (more: Partial<QueryShape>): string | undefined =>
    advise(visits, { queries: [{ table: 'rows', where: { at: 'gte' }, ...more }] }).findings.find(({ code }) => code === 'open-range')
      ?.evidence
  expect(evidence({ size: 20 })).toBe('1 a second, 20 rows at most: at gte')
  expect(evidence({ size: 20, limit: 10 })).toBe('1 a second, 10 rows at most: at gte')
  expect(evidence({})).toBe('1 a second: at gte')
})
