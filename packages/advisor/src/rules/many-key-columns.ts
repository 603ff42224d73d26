// Tested by rules.test.ts.
import { columnCodec, showNames } from '@rowkey/codec/internal'
import type { SchemaColumn } from '@rowkey/model'
import type { AdviceRule } from '../finding.js'
import { keyColumns } from '../subject/columns.js'
import { binds, ranges } from '../subject/queries.js'
import { figure, type Subject } from '../subject/subject.js'

/** What the guides of Lindorm and GeminiDB advise. */
const advised = 3

/** Every column of the key is stored with every cell of some stores, and compared by each read. */
export const manyKeyColumns: AdviceRule = {
  code: 'many-key-columns',
  stage: 'model',
  guides: ['G-22', 'G-25', 'G-26', 'G-27'],
  find(subject) {
    const key = keyColumns(subject)
    if (key.length <= advised) return []
    const unused = unusedOf(subject)
    const bytes = keyBytes(subject, key)
    const names = showNames(
      unused.map(({ name }) => name),
      "'",
    )
    const evidence = `${key.length} key columns, ${bytes}`
    // The last column may be there to make keys unique: one is not too many.
    if (subject.queries.length > 0 && unused.length > 1) {
      return [
        {
          severity: 'warning',
          evidence: `${evidence}; ${unused.length} in no query`,
          message: `The guides advise 1 to ${advised} key columns, and no query needs ${names}: every row is stored with them, and every read compares them.`,
          fix: `Keep one of ${names} if keys are not unique without it, and make the others value columns.`,
        },
      ]
    }
    return [
      {
        severity: 'info',
        evidence,
        message: `The guides advise 1 to ${advised} key columns. If queries need all ${key.length}, they cost these bytes in every row, and nothing else.`,
      },
    ]
  },
}

/** Columns at the end of the key that no query binds, limits or sorts by. */
function unusedOf(subject: Subject): readonly SchemaColumn[] {
  const key = keyColumns(subject)
  const used = key.findLastIndex(({ name }) =>
    subject.queries.some((query) => binds(query, name) || ranges(query, name) || query.shape.where[name] !== undefined),
  )
  return key.slice(used + 1)
}

function keyBytes({ stats }: Subject, key: readonly SchemaColumn[]): string {
  if (stats !== undefined && stats.rows > 0) return `${figure(stats.keyBytes.mean)} bytes a key in ${figure(stats.rows)} sampled rows`
  const codecs = key.map(({ name, type }) => columnCodec(name, type))
  const fixed = codecs.filter(({ minBytes, maxBytes }) => minBytes === maxBytes)
  const open = codecs.length - fixed.length
  return `${fixed.reduce((sum, { minBytes }) => sum + minBytes, 0)} bytes${open === 0 ? '' : ` and ${open} of variable length`}`
}
