// Tested by lint.test.ts.
import type { Advice, Finding } from '@rowkey/advisor'
import type { Shell } from '../shell.js'
import { wrap } from '../text/wrap.js'

const marks: Readonly<Record<Finding['severity'], string>> = { error: '✗', warning: '▲', info: '·' }

type Colors = Shell['colors']

const paint = (colors: Colors, severity: Finding['severity'], text: string): string =>
  severity === 'error' ? colors.red(text) : severity === 'warning' ? colors.yellow(text) : colors.dim(text)

/** Advice for a person: the findings of each table, then what is ignored, then the sum. */
export function prettyAdvice(
  { findings, ignored }: Advice,
  tables: number,
  { colors, width }: Pick<Shell, 'colors' | 'width'>,
): readonly string[] {
  const names = [...new Set(findings.map(({ table }) => table))]
  return [
    ...names.flatMap((table) => [
      colors.bold(table === '*' ? 'all tables' : table),
      ...findings.filter((finding) => finding.table === table).flatMap((finding) => linesOf(finding, colors, width)),
      '',
    ]),
    ...ignored.flatMap(({ table, code, reason }) => wrap(colors.dim(`${table}: ${code} is ignored: ${reason}`), width)),
    ...(ignored.length === 0 ? [] : ['']),
    sum(findings, ignored.length, tables, colors),
  ]
}

function linesOf({ severity, code, column, evidence, message, fix, guides }: Finding, colors: Colors, columns: number): readonly string[] {
  const head = [
    paint(colors, severity, `${marks[severity]} ${severity}`),
    colors.bold(code),
    ...(column === undefined ? [] : [column]),
  ].join('  ')
  const texts = [
    evidence,
    message,
    ...(fix === undefined ? [] : [`Fix: ${fix}`]),
    ...(guides.length === 0 ? [] : [colors.dim(`Guides: ${guides.join(' ')}`)]),
  ]
  return [`  ${head}`, ...texts.flatMap((text) => wrap(`    ${text}`, columns, '      '))]
}

function sum(findings: readonly Finding[], ignored: number, tables: number, colors: Colors): string {
  const count = (severity: Finding['severity'], one: string, many: string): readonly string[] => {
    const number = findings.filter((finding) => finding.severity === severity).length
    return number === 0 ? [] : [`${number} ${number === 1 ? one : many}`]
  }
  const counts = [
    ...count('error', 'error', 'errors'),
    ...count('warning', 'warning', 'warnings'),
    ...count('info', 'note', 'notes'),
    ...(ignored === 0 ? [] : [`${ignored} ignored`]),
  ]
  const of = `${tables} table${tables === 1 ? '' : 's'}`
  return counts.length === 0 ? `${colors.green('✓')} ${of}: nothing to say` : `${of}: ${counts.join(', ')}`
}
