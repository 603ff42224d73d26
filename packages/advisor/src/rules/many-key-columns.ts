// Tested by row-id.test.ts.
import { columnCodec, type SchemaColumn, showName, showNames } from 'rowkey/internal'
import type { AdviceRule } from '../finding.js'
import { keyColumns } from '../subject/columns.js'
import { isById } from '../subject/partitions.js'
import { binds, orderOf, rowsAtMost, type AskedQuery } from '../subject/queries.js'
import { rowId } from '../subject/row-id.js'
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
    const { partition = [], key: declared = [] } = subject.rows?.index.definition ?? {}
    // The rows' own key follows the columns of an index in any case.
    if (subject.rows !== undefined && partition.length + declared.length <= advised) return []
    if (key.length <= advised) return []
    const unused = unusedOf(subject, key)
    const id = rowId(subject)
    // What comes after the id of the row and in no query tells no rows apart and finds none.
    // Whoever partitions by an id and has key columns after it has several rows for each.
    const isAlone = id !== undefined && (isById(subject) || key.indexOf(id) >= subject.schema.partitionLength)
    const useless = isAlone ? unused.filter((column) => key.indexOf(column) > key.indexOf(id)) : []
    const evidence = `${key.length} key columns, ${keyBytes(subject, key)}`
    const quoted = (columns: readonly SchemaColumn[]): string =>
      showNames(
        columns.map(({ name }) => name),
        "'",
      )
    if (id !== undefined && useless.length > 0) {
      return [
        {
          severity: 'warning',
          evidence: `${evidence}; ${useless.length} in no query and after '${showName(id.name)}'`,
          message: `The guides advise 1 to ${advised} key columns. By its type or its name '${showName(id.name)}' tells rows apart, and no query needs ${quoted(useless)} after it: every row is stored with them, and every read compares them.`,
          fix: `Make ${quoted(useless)} value columns, unless '${showName(id.name)}' comes again.`,
        },
      ]
    }
    const isOpen = unused.length > 1
    return [
      {
        severity: 'info',
        evidence: `${evidence}${isOpen ? `; ${unused.length} in no query` : ''}`,
        message: `The guides advise 1 to ${advised} key columns. ${isOpen ? `No query needs ${quoted(unused)}, so they are only worth these bytes in every row if they tell rows apart` : `If queries need all ${key.length}, they cost these bytes in every row, and nothing else`}.`,
        ...(isOpen ? { fix: `Make those of ${quoted(unused)} value columns without which keys are unique.` } : {}),
      },
    ]
  },
}

/** Columns at the end of the key that no query binds, limits or sorts by, and no salt is computed from; none without queries. */
function unusedOf({ queries, schema }: Subject, key: readonly SchemaColumn[]): readonly SchemaColumn[] {
  if (queries.length === 0) return []
  // A few of many rows are the first ones in the order of the key.
  const firstFree = (query: AskedQuery): string | undefined =>
    rowsAtMost(query) === undefined ? undefined : key.find(({ name }) => !binds(query, name))?.name
  const isUsed = ({ name }: SchemaColumn): boolean =>
    queries.some((query) => query.shape.where[name] !== undefined || orderOf(query)[name] !== undefined || firstFree(query) === name) ||
    schema.salt.some(({ of }) => of.includes(name))
  return key.slice(key.findLastIndex(isUsed) + 1)
}

function keyBytes({ stats }: Subject, key: readonly SchemaColumn[]): string {
  if (stats !== undefined && stats.rows > 0) return `${figure(stats.keyBytes.mean)} bytes a key in ${figure(stats.rows)} sampled rows`
  const codecs = key.map(({ name, type }) => columnCodec(name, type))
  const fixed = codecs.filter(({ minBytes, maxBytes }) => minBytes === maxBytes)
  const open = codecs.length - fixed.length
  return `${fixed.reduce((sum, { minBytes }) => sum + minBytes, 0)} bytes${open === 0 ? '' : ` and ${open} of variable length`}`
}
