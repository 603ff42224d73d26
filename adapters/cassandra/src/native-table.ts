// Tested by catalogs.test.ts and schema.test.ts.
import { pause, showName, showNames, tableNotFound, type Cancellation, type RowkeyError, type TableSchema } from 'rowkey/adapter'
import { otherDefinitions, type ColumnDefinition } from './ddl.js'
import { agreedNode } from './client/agreement.js'
import { beingChanged, columnsGone } from './errors.js'
import { primaryKey } from './keys.js'
import { cellOf, faulty, textOf } from './client/answers.js'
import { bucketColumn, quoted, type PrimaryKey } from './client/cql.js'
import { text } from './client/native-bytes.js'
import type { PageOptions, Session } from './client/session.js'

/** A column of an existing table. */
export interface NativeColumn {
  readonly name: string
  readonly cql: string
  readonly kind: 'partition_key' | 'clustering' | 'static' | 'regular'
  readonly position: number
  readonly order: string
}

/** How often the columns of a table are read while others change it. */
const maxLooks = 20

/**
 * Returns the columns that a table has now; none if it does not exist. A definition is several rows of several partitions, and may be read while
 * it is written, so an incomplete one is read again. `node` is the node to ask; any by default.
 *
 * @throws RowkeyError `STORE_UNAVAILABLE` if the definition stays incomplete; the reason of the cancellation
 */
export async function nativeColumns(
  session: Pick<Session, 'read'>,
  keyspace: string,
  table: string,
  cancellation?: Cancellation,
  node?: string,
): Promise<readonly NativeColumn[]> {
  const page = { fetchSize: 0, node }
  for (let look = 0; look < maxLooks; look++) {
    if (look > 0) await pause(10 * look, cancellation)
    const columns = await columnsOf(session, keyspace, table, page)
    const { rows } = await session.read(table, { query: selectTable, params: [text(keyspace), text(table)] }, 'eventual', page)
    if (isWhole(columns, rows.length > 0)) return columns
  }
  throw beingChanged(table)
}

/** The id that the server gave a table; undefined if there is none. */
export async function nativeTableId(session: Pick<Session, 'read'>, keyspace: string, table: string): Promise<string | undefined> {
  const query = 'SELECT id FROM system_schema.tables WHERE keyspace_name = ? AND table_name = ?'
  const { rows } = await session.read(table, { query, params: [text(keyspace), text(table)] }, 'eventual', {})
  const [row] = rows
  return row === undefined ? undefined : String(cellOf(table, row, 'id'))
}

const selectTable = 'SELECT table_name FROM system_schema.tables WHERE keyspace_name = ? AND table_name = ?'
const selectColumns =
  'SELECT column_name, type, kind, position, clustering_order FROM system_schema.columns WHERE keyspace_name = ? AND table_name = ?'

async function columnsOf(
  session: Pick<Session, 'read'>,
  keyspace: string,
  table: string,
  page: PageOptions,
): Promise<readonly NativeColumn[]> {
  const { rows } = await session.read(table, { query: selectColumns, params: [text(keyspace), text(table)] }, 'eventual', page)
  return rows.map((row) => {
    const position = cellOf(table, row, 'position')
    if (typeof position !== 'number') throw faulty(table, 'a column without a position')
    return {
      name: textOf(table, row, 'column_name'),
      cql: textOf(table, row, 'type'),
      kind: textOf(table, row, 'kind') as NativeColumn['kind'],
      position,
      order: textOf(table, row, 'clustering_order'),
    }
  })
}

/** A table has a partition key, and no gap in its keys. */
function isWhole(columns: readonly NativeColumn[], isThere: boolean): boolean {
  if (columns.length === 0 || !isThere) return columns.length === 0 && !isThere
  const partition = ofKind(columns, 'partition_key')
  return partition.length > 0 && [partition, ofKind(columns, 'clustering')].every((key) => key.every(({ position }, i) => position === i))
}

const ofKind = (columns: readonly NativeColumn[], kind: NativeColumn['kind']): readonly NativeColumn[] =>
  columns.filter((column) => column.kind === kind).sort((a, b) => a.position - b.position)

/** The columns after the key that a table lacks. */
export function missingColumns(schema: TableSchema, found: readonly NativeColumn[]): readonly ColumnDefinition[] {
  const names = new Set(found.map(({ name }) => name))
  return otherDefinitions(schema).filter(({ name }) => !names.has(name))
}

/** One statement, as each is a change of its own. */
export function addColumns(keyspace: string, table: string, columns: readonly ColumnDefinition[]): string {
  const added = columns.map(({ name, cql, isStatic }) => `${quoted(name)} ${cql}${isStatic ? ' STATIC' : ''}`).join(', ')
  return `ALTER TABLE ${quoted(keyspace)}.${quoted(table)} ADD ${columns.length === 1 ? added : `(${added})`}`
}

/** Whether the partition key of a table begins with the bucket. */
export const beginsWithBucket = (found: readonly NativeColumn[]): boolean => ofKind(found, 'partition_key')[0]?.name === bucketColumn

/** Why an existing table cannot be used for a schema, with the remedy. `hasBucket`: as its catalog says. */
export function differences(schema: TableSchema, found: readonly NativeColumn[], hasBucket: boolean): readonly string[] {
  const [wanted, there] = [wantedKey(schema, primaryKey(schema, hasBucket)), keyText(found)]
  const key =
    wanted === there
      ? []
      : [
          `the primary key is ${there}, but the model needs ${wanted}; it belongs to another program, or was made by hand: use another name or prefix`,
        ]
  const types = new Map(found.map((column) => [column.name, column]))
  const others = otherDefinitions(schema).flatMap(({ name, cql, isStatic }) => {
    const column = types.get(name)
    const kind = isStatic === true ? 'static' : 'regular'
    if (column === undefined || (column.cql === cql && column.kind === kind)) return []
    return [
      `column '${name}' is ${showName(column.kind)} ${showName(column.cql)}, but the model needs ${kind} ${cql}; ${name.startsWith('rk_') ? 'use another name or prefix for the table' : 'give the column another name with { name }'}`,
    ]
  })
  return [...key, ...others]
}

function wantedKey({ partitionLength }: TableSchema, { hasBucket, columns }: ReturnType<typeof primaryKey>): string {
  const partition = columns.slice(0, partitionLength).map(({ name, cql }) => `${name} ${cql}`)
  const clustering = columns.slice(partitionLength).map(({ name, cql, order }) => `${name} ${cql} ${order}`)
  return keysText(hasBucket ? [`${bucketColumn} int`, ...partition] : partition, clustering)
}

function keyText(found: readonly NativeColumn[]): string {
  const clustering = ofKind(found, 'clustering').map(({ name, cql, order }) => `${name} ${cql} ${order.toUpperCase()}`)
  const partition = ofKind(found, 'partition_key').map(({ name, cql }) => `${name} ${cql}`)
  return keysText(partition, clustering)
}

const keysText = (partition: readonly string[], clustering: readonly string[]): string =>
  `((${showNames(partition)})${clustering.length === 0 ? '' : `, ${showNames(clustering)}`})`

/** The table that a statement was for. */
export interface Target {
  readonly key: PrimaryKey
  readonly schema: TableSchema
  readonly session: Session
  readonly keyspace: string
}

// If a server does not know a name in a statement, there are several possible reasons: the table is gone or was replaced by another one, a node
// does not know the table yet, or what this process knows is out of date. The driver learns late about columns that others drop with their
// table. It reports the same error if a statement cannot be prepared again and if its table is gone.

/** An error that says what is gone; undefined if nothing is, so the same request may succeed when it is repeated. */
export async function whatIsGone({ schema, key, session, keyspace }: Target): Promise<RowkeyError | undefined> {
  await session.refresh(keyspace)
  const node = await agreedNode(session)
  if (node === undefined) return undefined
  const found = await nativeColumns(session, keyspace, schema.name, undefined, node)
  // One in another form is another table, and the next call opens it.
  if (found.length === 0 || beginsWithBucket(found) !== key.hasBucket) return tableNotFound(schema.name)
  const there = new Set(found.map(({ name }) => name))
  const keys = key.columns.map(({ name }) => name)
  const lacking = [...keys.filter((name) => !there.has(name)), ...missingColumns(schema, found).map(({ name }) => name)]
  return lacking.length === 0 ? undefined : columnsGone(schema.name, lacking)
}
