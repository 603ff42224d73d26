// Tested by ddl.test.ts.
import type { ColumnFamily, TableDescriptor } from '@rowkey/hbase-client'
import { findingText, newCatalog, schemaLines, type Definition, type TableSchema } from '@rowkey/store/adapter'
import { warningsOf, type HBaseCode } from './advice.js'
import type { ProfileLimits } from './capabilities.js'
import { familyName, markName } from './keys.js'
import { idAttribute, type NewTable } from './native-table.js'
import { catalogTable, hbaseHints } from './options.js'
import { splitKeys } from './regions/split-keys.js'
import { catalogCommand, createCommand, shellName } from './shell/commands.js'
import { valueTypeOf } from './values.js'

/** What `ensureTable` does for a table that does not exist. `name`: with its namespace. @throws RowkeyError `INVALID_OPTION` */
export function newTableOf(schema: TableSchema, name: string, id: string, limits: ProfileLimits): NewTable {
  const { compression, dataBlockEncoding, bloomFilter, timeToLive, versions } = hbaseHints(schema)
  const given = { compression, dataBlockEncoding, bloomFilter, timeToLive }
  const families = [{ ...familyOf(limits, versions), ...given } as ColumnFamily]
  return { descriptor: { name, families, attributes: { [idAttribute]: id } }, splitKeys: splitKeys(schema) }
}

/** The table of the catalogs. */
export const catalogDescriptor = (name: string, limits: ProfileLimits): TableDescriptor => ({ name, families: [familyOf(limits)] })

const familyOf = ({ newVersionBehavior }: ProfileLimits, maxVersions = 1): ColumnFamily => ({
  name: familyName,
  maxVersions,
  ...(newVersionBehavior ? { attributes: { NEW_VERSION_BEHAVIOR: 'true' } } : {}),
})

/** The definition of a table as commands of the HBase shell. The adapter makes the id of a table; a person makes one up. */
export function ddl(schema: TableSchema, namespace: string, limits: ProfileLimits): Definition<string, HBaseCode> {
  const qualified = (table: string): string => (namespace === 'default' ? table : `${namespace}:${table}`)
  const id = '<id>'
  const catalogs = qualified(catalogTable)
  const catalog = { ...newCatalog(schema), store: { id } }
  const statements = [
    createCommand({ descriptor: catalogDescriptor(catalogs, limits), splitKeys: [] }),
    createCommand(newTableOf(schema, qualified(schema.name), id, limits)),
    catalogCommand(catalogs, schema.name, catalog),
  ]
  const [createCatalogs = '', createTable = '', putCatalog = ''] = statements
  const warnings = warningsOf(schema, limits)
  const text = [
    ...warnings.map((warning) => `# Warning: ${findingText(warning)}`),
    '# The catalogs of all tables; skip it if the table exists.',
    createCatalogs,
    `# The row key is the rowkey. Each column is a qualifier of family ${familyName}, and a null is no cell:`,
    ...columnLines(schema),
    createTable,
    `# Its catalog. <id> is any text that no other table has had, the same as above. ensureTables() writes all of this too.`,
    ...schemaLines(schema).map((line) => `#   ${line}`),
    putCatalog,
    ...(limits.isLindorm ? ["# lindormSql() of @rowkey/hbase prints how Lindorm's SQL reads these columns."] : []),
  ]
  return { statements, text: `${text.join('\n')}\n`, warnings }
}

function columnLines({ columns, keyLength }: TableSchema): readonly string[] {
  const value = columns.slice(keyLength).map((column) => {
    const { java, encoding } = valueTypeOf(column)
    return [`${familyName}:${shellName(column.physical)}`, java === 'the bytes' ? 'bytes' : `Bytes.${java}`, encoding] as const
  })
  const lines = [...value, [`${familyName}:${markName}`, 'bytes', 'eight bytes that every change of the row replaces'] as const]
  const width = Math.max(...lines.map(([name]) => name.length))
  return lines.map(([name, java, encoding]) => `#   ${name.padEnd(width)}  ${java}: ${encoding.replaceAll('`', '')}`)
}
