// Tested by create-table.test.ts.
import { checkForStore, toHex, typeFacts, utf8Of, type TableSchema } from 'rowkey/adapter'
import { hbaseStore } from '../description.js'
import { familyName, markName } from '../keys.js'
import { checkOptions, type HBaseOptions } from '../options.js'
import { valueTypeOf } from '../values.js'
import { comparisonOf } from './create-table.js'
import { identifier } from './words.js'

/** Statements for Lindorm's SQL, from the vendor's documentation. None of them was run. */
export interface LindormSql {
  /** `ALTER TABLE … MAP DYNAMIC COLUMN …` for every column whose bytes have a type in SQL. They change nothing that is stored. */
  readonly statements: readonly string[]
  /** The table as one would make it in SQL, to compare. It would be another table, which rowkey does not read. */
  readonly createTable: string
  /** Both with comments that say why. `createTable` is a comment too, so all of it can be pasted. */
  readonly text: string
}

/**
 * How Lindorm's SQL reads a table of this store, and how it would make one. No I/O; nothing of it was run.
 *
 * From the vendor's documentation: the mapping and its types, and that a wrong type returns wrong data ("Use SQL to access an HBase table",
 * 2026; LindormTable 2.6.4 or later; `ROW` is the row key); columns without a mapping are VARBINARY ("Dynamic columns", 2024); `database.table` and backticks
 * ("Lexical structure of Lindorm SQL", 2025).
 *
 * @param options those of `hbase()`
 * @throws RowkeyError as `hbaseStore.ddl()`
 * @example
 * ```ts
 * lindormSql(Scores).statements // ['ALTER TABLE `scores` MAP DYNAMIC COLUMN `f`:`points` HLONG;']
 * ```
 */
export function lindormSql(schema: TableSchema, options: HBaseOptions = {}): LindormSql {
  const { namespace } = checkOptions(options)
  checkForStore(hbaseStore, schema)
  const table = namespace === 'default' ? identifier(schema.name) : `${identifier(namespace)}.${identifier(schema.name)}`
  const lines = schema.columns.slice(schema.keyLength).map((column) => {
    const { lindorm, encoding } = valueTypeOf(column)
    const qualifier = `${identifier(familyName)}:${identifier(column.physical)}`
    return lindorm === undefined
      ? `-- ${qualifier} stays VARBINARY: bytes, ${encoding.replaceAll('`', '')}.`
      : `ALTER TABLE ${table} MAP DYNAMIC COLUMN ${qualifier} ${lindorm};`
  })
  const row = identifier('ROW')
  lines.push(
    isText(schema)
      ? `ALTER TABLE ${table} MAP DYNAMIC COLUMN ${row} HSTRING;`
      : `-- ${row} stays VARBINARY: the rowkey, with all key columns in it, which none of these types reads.`,
  )
  const { createTable, notes } = comparisonOf(schema, table)
  const text = [
    '-- From the documentation of Lindorm, not run. It lets SQL read the table that ensureTables() makes:',
    ...lines,
    `-- ${identifier(familyName)}:${identifier(markName)} stays VARBINARY: eight bytes that every change of the row replaces. So write by rowkey, and only read by SQL.`,
    '--',
    '-- To compare, the table as one would make it in SQL:',
    ...notes.map((note) => `-- ${note}`),
    ...createTable.split('\n').map((line) => `--   ${line}`),
  ]
  return { statements: lines.filter((line) => !line.startsWith('--')), createTable, text: `${text.join('\n')}\n` }
}

/** Whether a rowkey is the UTF-8 of the only key column, and nothing else. */
function isText({ columns: [first], keyLength, layout }: TableSchema): boolean {
  const facts = keyLength === 1 && first !== undefined ? typeFacts(first.type) : undefined
  return facts?.storage.class === 'text' && facts.openEnded && toHex(layout.rowkey(['probe'])) === toHex(utf8Of('probe'))
}
