import { show, showName } from 'rowkey/internal'
import type { AdviceRule } from '../finding.js'
import { countsUp, fewValues, statsOf } from '../subject/columns.js'
import { leadingColumns, spreadingSalt } from '../subject/spread.js'
import { figure } from '../subject/subject.js'

const fewCharacters = 4

/** Keys with a common prefix are all in one region until the store has split it. */
export const sharedPrefixFirst: AdviceRule = {
  code: 'shared-prefix-first',
  stage: 'data',
  guides: ['G-30', 'G-31', 'G-32'],
  find(subject) {
    const [first] = leadingColumns(subject)
    const stats = first === undefined ? undefined : statsOf(subject, first)
    const prefix = stats?.commonPrefix ?? ''
    if (first === undefined || prefix.length < fewCharacters) return []
    if (countsUp(subject, first) !== undefined || fewValues(subject, first) !== undefined) return []
    const salting = spreadingSalt(subject)
    const rows = figure(subject.stats?.rows ?? 0)
    return [
      {
        severity: 'info',
        column: first.name,
        evidence: `${rows} of ${rows} sampled values start with ${show(prefix)}`,
        message: `All values of '${showName(first.name)}' start with the same ${prefix.length} characters, so all keys are in one region until the store has split it, and each key is that much longer.`,
        fix: `Leave the prefix out of the key${salting === undefined ? '.' : `, or spread it with ${salting.text}.`}`,
        ...(salting === undefined ? {} : { change: salting.change }),
      },
    ]
  },
}
