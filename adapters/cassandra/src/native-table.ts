import type { TableSchema } from '@rowkey/store'
import { columnDefinitions, type ColumnDefinition } from './ddl.js'
import { keyColumns } from './key-columns.js'
import { bucketColumn, quoted } from './names.js'
import { text } from './native-bytes.js'
import type { Session } from './session.js'

/** A column of the table that is there. */
export interface NativeColumn {
  readonly name: string
  readonly cql: string
  readonly kind: 'partition_key' | 'clustering' | 'static' | 'regular'
  readonly position: number
  readonly order: string
}

/** The columns that a table has now; none if it is not there. */
export async function nativeColumns(session: Session, keyspace: string, table: string): Promise<readonly NativeColumn[]> {
  const query =
    'SELECT column_name, type, kind, position, clustering_order FROM system_schema.columns WHERE keyspace_name = ? AND table_name = ?'
  const { rows } = await session.read(table, { query, params: [text(keyspace), text(table)] }, 'eventual')
  return rows.map((row) => ({
    name: row['column_name'] as string,
    cql: row['type'] as string,
    kind: row['kind'] as NativeColumn['kind'],
    position: row['position'] as number,
    order: row['clustering_order'] as string,
  }))
}

/** The columns behind the key that a table lacks. */
export function missingColumns(schema: TableSchema, found: readonly NativeColumn[]): readonly ColumnDefinition[] {
  const names = new Set(found.map(({ name }) => name))
  return columnDefinitions(schema)
    .slice(schema.keyLength + 1)
    .filter(({ name }) => !names.has(name))
}

export function addColumn(keyspace: string, table: string, { name, cql, isStatic }: ColumnDefinition): string {
  return `ALTER TABLE ${quoted(keyspace)}.${quoted(table)} ADD ${quoted(name)} ${cql}${isStatic ? ' STATIC' : ''}`
}

/** What keeps a table from being that of a schema, with what would mend it. */
export function differences(keyspace: string, schema: TableSchema, found: readonly NativeColumn[]): readonly string[] {
  const [wanted, there] = [wantedKey(schema), keyText(found)]
  const table = `${quoted(keyspace)}.${quoted(schema.name)}`
  const key =
    wanted === there
      ? []
      : [`the primary key is ${there}, the model needs ${wanted}; DROP TABLE ${table} and create it again, or use another name`]
  const types = new Map(found.map((column) => [column.name, column]))
  const others = columnDefinitions(schema)
    .slice(schema.keyLength + 1)
    .flatMap(({ name, cql, isStatic }) => {
      const column = types.get(name)
      const kind = isStatic === true ? 'static' : 'regular'
      if (column === undefined || (column.cql === cql && column.kind === kind)) return []
      return [
        `column '${name}' is ${column.kind} ${column.cql}, the model needs ${kind} ${cql}; ALTER TABLE ${table} DROP ${quoted(name)} loses what is in it`,
      ]
    })
  return [...key, ...others]
}

function wantedKey(schema: TableSchema): string {
  const keys = keyColumns(schema)
  const partition = [`${bucketColumn} int`, ...keys.slice(0, schema.partitionLength).map(({ name, cql }) => `${name} ${cql}`)]
  const clustering = keys.slice(schema.partitionLength).map(({ name, cql, order }) => `${name} ${cql} ${order}`)
  return `((${partition.join(', ')}), ${clustering.join(', ')})`
}

function keyText(found: readonly NativeColumn[]): string {
  const of = (kind: NativeColumn['kind']): readonly NativeColumn[] =>
    found.filter((column) => column.kind === kind).sort((a, b) => a.position - b.position)
  const clustering = of('clustering').map(({ name, cql, order }) => `${name} ${cql} ${order.toUpperCase()}`)
  const partition = of('partition_key').map(({ name, cql }) => `${name} ${cql}`)
  return `((${partition.join(', ')})${clustering.map((one) => `, ${one}`).join('')})`
}
