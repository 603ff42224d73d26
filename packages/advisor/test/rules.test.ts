import type { TableSchema } from 'rowkey'
import { expect, test } from 'vitest'
import { advise, applyFix, type Advice, type Finding } from '../src/index.js'
import { rules } from '../src/rules.js'
import { cases, type Design } from './cases.js'

const adviceOn = ({ schema, options }: Design): Advice => advise([schema], options)
const codes = ({ findings }: Advice): string[] => findings.map(({ code }) => code)
const errors = ({ findings }: Advice): number => findings.filter(({ severity }) => severity === 'error').length
const alarms = ({ findings }: Advice): number => findings.filter(({ severity }) => severity !== 'info').length

/** The statistics of a sample are of a schema: after a change they would say something else. */
const afterwards = (design: Design, schema: TableSchema): Design => {
  const { stats: _, ...options } = design.options ?? {}
  return { schema, options }
}

test('every rule has a case', () => {
  const tested = new Set(cases.map(({ code }) => code))
  expect(rules.map(({ code }) => code).filter((code) => !tested.has(code))).toEqual([])
})

test.each(cases.map((each, i) => [`${each.code} (${i})`, each] as const))(
  '%s fires on its bad design, in numbers and whole sentences',
  (_, { code, bad }) => {
    const found = adviceOn(bad).findings.filter((finding) => finding.code === code)
    expect(found).not.toEqual([])
    for (const finding of found) {
      expect(JSON.parse(JSON.stringify(finding))).toEqual(finding)
      expect(finding.evidence).toMatch(code === 'store-refuses' ? /^[A-Z_]+ from/ : /\d|^by its name/)
      expect(finding.message).toMatch(/^\S.* .*\.$/)
      if (finding.fix !== undefined) expect(finding.fix).toMatch(/^[A-Z].*\.$/)
      expect(finding.guides.filter((id) => !/^G-\d{2,3}$/.test(id))).toEqual([])
      expect(finding.guides).toEqual(finding.guides.toSorted((a, b) => Number(a.slice(2)) - Number(b.slice(2))))
    }
  },
)

test.each(cases.flatMap(({ code, good }, i) => good.map((design, at) => [`${code} (${i}.${at})`, code, design] as const)))(
  '%s is silent on its good design',
  (_, code, design) => {
    expect(adviceOn(design).findings.filter((finding) => finding.code === code)).toEqual([])
  },
)

const fixes = cases.flatMap(({ code, bad }, i) =>
  adviceOn(bad)
    .findings.filter((finding) => finding.code === code && finding.change !== undefined)
    .map((finding, at): readonly [string, Design, Finding] => [`${code} (${i}.${at})`, bad, finding]),
)

test.each(fixes)('the fix of %s removes the finding, and brings no worse one', (_, design, finding) => {
  const fixed = afterwards(design, applyFix(design.schema, finding))
  const after = adviceOn(fixed)
  const before = adviceOn(afterwards(design, design.schema))
  expect(codes(after)).not.toContain(finding.code)
  expect(errors(after)).toBeLessThanOrEqual(errors(before))
  expect(alarms(after)).toBeLessThanOrEqual(Math.max(alarms(before), 0))
})

test('most findings have a fix that can be applied', () => {
  expect(fixes.length).toBeGreaterThan(20)
})
