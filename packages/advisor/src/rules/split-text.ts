import { designRules } from '@rowkey/store/adapter'
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
    return designRules
      .flatMap((rule) => rule(schema))
      .filter(({ code }) => code === 'split-text')
      .map(({ severity, message }) => ({
        severity,
        column: column.name,
        message,
        evidence: `1 of ${schema.keyLength} key columns ends at its last separator`,
        fix: 'Unless another program writes these bytes, declare it as text().',
        change: retyped(column, 'text', {}),
      }))
  },
}
