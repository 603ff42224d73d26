// Tested by check.test.ts.
import type { CallLatency, CheckupReport, Verdict } from 'rowkey/conformance'
import type { Shell } from '../shell.js'
import { table } from '../text/table.js'
import { wrap } from '../text/wrap.js'
import { countsOf } from './report.js'

type Place = Pick<Shell, 'colors' | 'width'>

/** A check for a person: a line for each rule, those that failed with what was expected and seen, the latencies, the sum. */
export function shownReport(report: CheckupReport, seconds: number, place: Place): readonly string[] {
  const { verdicts, notRun, stopped, latencies } = report
  const { passed, refused, failed } = countsOf(report)
  const { colors, width } = place
  const rest = notRun.length === 0 ? '' : `, ${notRun.length} not tested`
  const sum = `${passed} passed, ${refused} refused by capability, ${failed} failed${rest}, in ${seconds} s`
  return [
    ...verdicts.flatMap((each) => linesOf(each, place)),
    ...(latencies.length === 0 ? [] : ['', ...latencyLines(latencies, place)]),
    '',
    ...(stopped === undefined ? [] : wrap(`The store does not answer any more: ${stopped}`, width)),
    `${failed === 0 && notRun.length === 0 ? colors.green('✓') : colors.red('✗')} ${sum}`,
  ]
}

function linesOf({ rule, verdict, because = '' }: Verdict, { colors, width }: Place): readonly string[] {
  const reason = because.split('\n').flatMap((line) => wrap(`    ${line}`, width, '      '))
  if (verdict === 'passed') return wrap(`${colors.green('✓')} ${rule}`, width)
  if (verdict === 'refused') return [...wrap(`${colors.dim('-')} ${rule}`, width), ...reason]
  return [...wrap(`${colors.red('✗')} ${rule}`, width), ...reason]
}

function latencyLines(latencies: readonly CallLatency[], { colors, width }: Place): readonly string[] {
  const rows = latencies.map(({ call, count, median, p99 }) => [call, String(count), milliseconds(median), milliseconds(p99)])
  const lines = [['call', 'count', 'median ms', 'p99 ms'], ...rows]
  return table(lines, width, (cell, row) => (row === 0 ? colors.bold(cell) : cell))
}

const milliseconds = (ms: number): string => (ms < 10 ? ms.toFixed(2) : ms.toFixed(0))
