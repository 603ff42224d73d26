import { showName } from 'rowkey/internal'
import type { AdviceRule } from '../finding.js'
import { keyColumns } from '../subject/columns.js'
import { isSalted, spreadingSalt } from '../subject/spread.js'
import { figure } from '../subject/subject.js'

/** A random number at the end of a key makes keys unique. It spreads nothing, because keys are compared from their start. */
export const randomSuffix: AdviceRule = {
  code: 'random-suffix',
  stage: 'model',
  guides: ['G-38'],
  find(subject) {
    const key = keyColumns(subject)
    const last = key.at(-1)
    if (last === undefined || key.length < 2 || last.type.default?.kind !== 'random') return []
    const { below } = last.type.default
    const name = showName(last.name)
    const shorter = { ...subject, stats: undefined, schema: { ...subject.schema, keyLength: subject.schema.keyLength - 1 } }
    const salting = isSalted(subject) ? undefined : spreadingSalt(shorter)
    return [
      {
        severity: 'warning',
        column: last.name,
        evidence: `${figure(below)} possible keys for each row: a GET takes up to ${figure(below)} reads, or a scan`,
        message: `'${name}' is random and comes last, so it does not spread rows that share the columns before it, and nobody who looks for a row knows its key.`,
        fix: `If keys are unique without '${name}', leave it out${salting === undefined ? '.' : `, and spread rows by what is known of them with ${salting.text}.`} If not, use a number that the application gives out.`,
      },
    ]
  },
}
