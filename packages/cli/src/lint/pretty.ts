// Tested by lint.test.ts.
import type { Advice, AdviceFinding, AdviceSeverity } from '@rowkey/advisor'
import { colors } from '../text/colors.js'
import { wrap } from '../text/wrap.js'

const marks: Readonly<Record<AdviceSeverity, string>> = { error: '✗', warning: '▲', info: '·' }

const paint = (severity: AdviceSeverity, text: string): string =>
  severity === 'error' ? colors.red(text) : severity === 'warning' ? colors.yellow(text) : colors.dim(text)

/** Advice for a person: the findings of each table, then what is ignored, then the sum. */
export function prettyAdvice({ findings, ignored }: Advice, tables: number, columns: number): readonly string[] {
  const names = [...new Set(findings.map(({ table }) => table))]
  return [
    ...names.flatMap((table) => [
      colors.bold(table === '*' ? 'all tables' : table),
      ...findings.filter((finding) => finding.table === table).flatMap((finding) => linesOf(finding, columns)),
      '',
    ]),
    ...ignored.flatMap(({ table, code, reason }) => wrap(colors.dim(`${table}: ${code} is ignored: ${reason}`), columns)),
    ...(ignored.length === 0 ? [] : ['']),
    sum(findings, ignored.length, tables),
  ]
}

function linesOf({ severity, code, column, evidence, message, fix, guides }: AdviceFinding, columns: number): readonly string[] {
  const head = [paint(severity, `${marks[severity]} ${severity}`), colors.bold(code), ...(column === undefined ? [] : [column])].join('  ')
  const texts = [
    evidence,
    message,
    ...(fix === undefined ? [] : [`Fix: ${fix}`]),
    ...(guides.length === 0 ? [] : [colors.dim(`Guides: ${guides.join(' ')}`)]),
  ]
  return [`  ${head}`, ...texts.flatMap((text) => wrap(`    ${text}`, columns, '      '))]
}

function sum(findings: readonly AdviceFinding[], ignored: number, tables: number): string {
  const count = (severity: AdviceSeverity, one: string, many: string): readonly string[] => {
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
