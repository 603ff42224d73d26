import type { TableSchema } from 'rowkey'
import { expect, test } from 'vitest'
import { advise, applyFix, sampleStats, statsAfter, type AdviceOptions, type Finding } from '../src/index.js'
import { faulty, sound, type Judged } from './corpus.js'

// Designs that are known to be sound, and designs with a known fault. Each change is judged with the same rows.

function given({ schema: own, options, row, rows = 2000, total }: Judged, schema: TableSchema): AdviceOptions {
  if (row === undefined) return options
  const sample = Array.from({ length: rows }, (_, i) => row(i))
  const stats = sampleStats(own, sample, { order: 'written', ...(total === undefined ? {} : { total }) })
  const same = own === schema ? stats : statsAfter(stats, own, schema)
  return { ...options, stats: same === undefined ? [] : [same] }
}

const isAlarm = ({ severity }: Finding): boolean => severity !== 'info'
const rank = { info: 0, warning: 1, error: 2 } as const

test.each(sound.map((design) => [design.name, design] as const))('sound: %s', (_, design) => {
  const alarms = advise(design.schema, given(design, design.schema)).findings.filter(isAlarm)
  expect(alarms.map(({ code, evidence }) => `${code}: ${evidence}`)).toEqual([])
})

test.each(faulty.map((design) => [design.name, design] as const))('faulty: %s', (_, design) => {
  const { findings } = advise(design.schema, given(design, design.schema))
  expect(findings.filter(isAlarm).map(({ code }) => code)).toEqual(expect.arrayContaining([expect.toBeOneOf([...(design.faults ?? [])])]))
})

const changes = [...sound, ...faulty].flatMap((design) =>
  advise(design.schema, given(design, design.schema))
    .findings.filter(({ change }) => change !== undefined)
    .map((finding) => [`${finding.code} of ${design.name}`, design, finding] as const),
)

test.each(changes)('the change of %s cures it, and brings nothing worse', (_, design, finding) => {
  const { schema } = design
  const before = advise(schema, given(design, schema)).findings
  const fixed = applyFix(schema, finding)
  const after = advise(fixed, given(design, fixed)).findings
  const like = (all: readonly Finding[]): number =>
    all.filter(
      ({ code, column, severity }) => code === finding.code && column === finding.column && rank[severity] >= rank[finding.severity],
    ).length
  expect(like(after)).toBeLessThan(like(before))
  expect(after.filter(isAlarm).length).toBeLessThanOrEqual(before.filter(isAlarm).length)
  const errors = (all: readonly Finding[]): readonly string[] => all.filter(({ severity }) => severity === 'error').map(({ code }) => code)
  expect(errors(before)).toEqual(expect.arrayContaining([...errors(after)]))
})

test('there are enough designs, and most faults have a change', () => {
  expect([sound.length, faulty.length]).toEqual([20, 20])
  expect(new Set(changes.map(([, { name }]) => name)).size).toBeGreaterThanOrEqual(15)
})
