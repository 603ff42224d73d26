import { type SchemaColumn, showName, typeFacts } from 'rowkey/internal'
import { keyColumns, statsOf } from './columns.js'
import { binds, orderOf, ranges, rowsAtMost, type AskedQuery } from './queries.js'
import { ratesOf, type Subject } from './subject.js'
import { snake } from './time.js'

// Which key column tells each row from all others by itself. A uuid does not always: that of a user comes again in each of his rows.

/** The first key column that has another value in each row; undefined if nothing says so, or a sample or a query says that values come again. */
export const rowId = (subject: Subject): SchemaColumn | undefined => keyColumns(subject).find((column) => isRowId(subject, column))

function isRowId(subject: Subject, column: SchemaColumn): boolean {
  const stats = statsOf(subject, column)
  if (stats !== undefined && stats.distinct < (subject.stats?.rows ?? 0)) return false
  if (comesAgain(subject, column)) return false
  const generated = column.type.default?.kind
  if (generated === 'uuid' || generated === 'ulid') return true
  if (subject.queries.some((query) => wantsSeveral(query, column))) return false
  const name = snake(column.name)
  // An order has one order_id, whatever its type; of what is called "id" alone, only a UUID or a ULID is sure not to be a small number of something else.
  if (isId(column) && plainName.test(name)) return true
  return idName.test(name) && name.replace(idName, '') === thingOf(subject.schema.name)
}

/** Whether there are more rows than values, by what is said of the table: its rows, or those that a day adds. */
function comesAgain(subject: Subject, { name }: SchemaColumn): boolean {
  const distinct = subject.writes?.distinct?.[name]
  return distinct !== undefined && Math.max(subject.stats?.total ?? 0, (ratesOf(subject).inserts ?? 0) * 86_400) > distinct
}

/** Whether a query reads several rows with one value of a column, in an order or a range of others. */
const wantsSeveral = (query: AskedQuery, { name }: SchemaColumn): boolean =>
  binds(query, name) &&
  ((rowsAtMost(query) ?? 1) > 1 ||
    [...Object.keys(query.shape.where), ...Object.keys(orderOf(query))].some((other) => ranges(query, other)))

/** A text about key columns that are ids, but by their names not of the row; empty if there are none. */
export function otherIds(subject: Subject): string {
  const others = keyColumns(subject).filter((column) => isId(column) && !isRowId(subject, column))
  return others.map(({ name }) => `; '${showName(name)}' is an id that by its name may come again`).join('')
}

/** Whether values are unique ids: UUIDs or ULIDs. */
function isId({ type }: SchemaColumn): boolean {
  const { storage } = typeFacts(type)
  return storage.class === 'text' && storage.format !== undefined
}

const plainName = /^(id|uuid|guid|ulid|row_?id)$/
const idName = /_?(id|uuid|guid|ulid)$/

/** What a row of a table is, by its name: an order of `orders`, `shop_orders` and `orders_by_user`. */
const thingOf = (table: string): string =>
  snake(table)
    .replace(/_(by|of|for)_.*$/, '')
    .replace(/^.*[^a-z0-9]/, '')
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch|x)es$/, '$1')
    .replace(/([^s])s$/, '$1')
