import type { ColumnFamily, TableDescriptor } from '@rowkey/hbase-client'
import { findingText, newCatalog, schemaLines, type Definition, type TableCatalog, type TableSchema } from 'rowkey/adapter'
import { warningsOf, type HBaseCode } from './advice.js'
import type { ProfileLimits } from './capabilities.js'
import { familyName, markName } from './keys.js'
import { idAttribute, newVersionAttribute, type NewTable } from './native-table.js'
import { catalogTable, hbaseHints } from './options.js'
import { splitKeys } from './regions/split-keys.js'
import { catalogCommand, createCommand, shellName } from './shell/commands.js'
import { valueTypeOf } from './values.js'

/** What `ensureTable` does for a table that does not exist. `name`: with its namespace. @throws RowkeyError `INVALID_OPTION` */
export function newTableOf(schema: TableSchema, name: string, id: string, limits: ProfileLimits): NewTable {
  const { compression, dataBlockEncoding, bloomFilter, timeToLive, versions } = hbaseHints(schema)
  const given = { compression, dataBlockEncoding, bloomFilter, timeToLive }
  const families = [{ ...familyOf(hasNewVersions(schema, limits), versions), ...given } as ColumnFamily]
  return { descriptor: { name, families, attributes: { [idAttribute]: id } }, splitKeys: splitKeys(schema) }
}

/** The table of the catalogs. */
export const catalogDescriptor = (name: string, limits: ProfileLimits): TableDescriptor => ({
  name,
  families: [familyOf(limits.newVersionBehavior)],
})

/** Whether a new table of the schema has NEW_VERSION_BEHAVIOR. */
const hasNewVersions = (schema: TableSchema, { newVersionBehavior }: ProfileLimits): boolean =>
  newVersionBehavior && hbaseHints(schema).newVersionBehavior !== false

/** What the catalog of a new table says of it beside its columns. That it has no NEW_VERSION_BEHAVIOR decides how its rows are written. */
export const storeOf = (schema: TableSchema, id: string): NonNullable<TableCatalog['store']> =>
  hbaseHints(schema).newVersionBehavior === false ? { id, newVersionBehavior: 'false' } : { id }

const familyOf = (newVersionBehavior: boolean, maxVersions = 1): ColumnFamily => ({
  name: familyName,
  maxVersions,
  ...(newVersionBehavior ? { attributes: { [newVersionAttribute]: 'true' } } : {}),
})

/** The definition of a table as commands of the HBase shell. The adapter makes the id of a table; a person makes one up. */
export function ddl(schema: TableSchema, namespace: string, limits: ProfileLimits): Definition<string, HBaseCode> {
  const qualified = (table: string): string => (namespace === 'default' ? table : `${namespace}:${table}`)
  const id = '<id>'
  const catalogs = qualified(catalogTable)
  const catalog = { ...newCatalog(schema), store: storeOf(schema, id) }
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
    ...(limits.newVersionBehavior && !hasNewVersions(schema, limits)
      ? ['# Without NEW_VERSION_BEHAVIOR: puts and deletes have to carry timestamps, as rowkey gives them.']
      : []),
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
