import { splitText as splitTextOf } from 'rowkey/adapter'
import type { AdviceRule } from '../finding.js'
import { retyped } from '../retyped.js'

/** The rule of every store. */
export const splitText: AdviceRule = {
  code: 'split-text',
  stage: 'model',
  guides: ['G-39', 'G-41'],
  find({ schema }) {
    const column = schema.columns[schema.layout.splitColumn ?? -1]
    if (column === undefined) return []
    return splitTextOf(schema).map(({ code: _, ...finding }) => ({
      ...finding,
      evidence: `1 of ${schema.keyLength} key columns ends at its last separator`,
      fix: 'Unless another program writes these bytes, declare it as text().',
      change: retyped(column, 'text', {}),
    }))
  },
}
