// Tested by packages/rowkey/test/mapper/growth.test.ts.
import type { Row, Salt, Value } from '#codec'
import { dayOfText, keepsBytes, laterItems, periodBegin } from '#codec/internal'
import type { SchemaColumn, SchemaJSON, TableSchema } from '#model'
import { computedColumns, freezeSchema, type SchemaData } from '#model/internal'
import type { TableCatalog } from '../contract/adapter.js'
import { storeError } from '../errors.js'
import { keyOfCatalog } from './stored-schema.js'

// A table with a period can get more buckets, or periods of another length, from a day on. Programs that do not know of that day yet must not
// write or read beyond it, and rows must not be there before it is declared:
// - a program uses periods that begin up to a day after it has looked at the catalog; for later ones it looks again;
// - a day is appended two days ahead or more, so that every program looks before it comes;
// - rows that are dated a day ahead or more are only written after the catalog says so, and a day is appended after all that it says.

/** How long after a look at the catalog a period may begin that is used without another look. */
const lookAhead = 86_400_000 // milliseconds

/** How far ahead a change has to be. The difference is what the clocks of two programs may be apart. */
const least = 2 * lookAhead

/** The last instant of a Date. */
const lastInstant = 8.64e15

/** What an open table knows of changes of its periods. Milliseconds from 1970. */
export interface Horizon {
  /** When its catalog was read. */
  readonly looked: number
  /** Periods that begin then or later have lengths or buckets that the model does not know. */
  readonly until: number
  /** Rows may be dated up to then. */
  readonly dated: number
}

/** Of a table with a period. */
export function horizonOf(schema: TableSchema, stored: TableSchema, { dated = -Infinity }: TableCatalog, looked: number): Horizon {
  return { looked, until: Math.min(...newItems(stored, schema).map(({ begin }) => begin)), dated }
}

/**
 * Whether a program may use the periods that begin up to an instant without looking at the catalog again.
 *
 * @throws RowkeyError `SCHEMA_MISMATCH` if the model does not know how they are
 */
export function canReach(
  { schema, horizon }: { readonly schema: TableSchema; readonly horizon: Horizon | undefined },
  begin: number,
  writes: boolean,
): boolean {
  if (horizon === undefined) return true
  const { looked, until, dated } = horizon
  if (begin >= until && until < Infinity) throw outgrown(schema.name, until)
  return begin < looked + lookAhead || (writes && begin < dated)
}

function outgrown(table: string, until: number): Error {
  const from = new Date(until).toISOString()
  const message = `table '${table}' has other periods or buckets from ${from} on, which this model does not know. Give the model the list of the newer program, or read and write before ${from} only.`
  return storeError('SCHEMA_MISMATCH', message, { table, differences: [`the table changes on ${from}, the model does not`] })
}

/** Up to when the catalog should allow rows, so that few writes have to change it. */
export const datedFor = ({ looked }: Horizon, begin: number): number =>
  Math.max(begin + 1, Math.min(lastInstant, begin + 1 + Math.max(0, Math.floor((begin - looked) / 8))))

/** When the last of the periods of some rows begins; -Infinity for a table without one. */
export function lastBegin(schema: TableSchema, rows: readonly Row[]): number {
  let last = -Infinity
  for (const { position, begin } of computedColumns(schema)) {
    for (const row of rows) last = Math.max(last, begin(row[position] as Value))
  }
  return last
}

interface Item {
  /** In words: what changes. */
  readonly what: string
  readonly from: string
  readonly begin: number
}

/** The items of the lists of one schema that another one does not have. */
function newItems(of: TableSchema, than: TableSchema): readonly Item[] {
  const key = of.columns.slice(0, of.keyLength)
  const period = key.find(({ type }) => type.of !== undefined)
  if (period === undefined) return []
  const items = (
    what: string,
    mine: SchemaColumn['type'] | Salt,
    theirs: SchemaColumn['type'] | Salt | undefined,
    type: SchemaColumn['type'],
  ): readonly Item[] => {
    const begin = periodBegin(type)
    const known = theirs === undefined ? 0 : laterItems(theirs).length
    // The day is that of the period, also where its values are hours.
    const dayBegin = (from: string): number =>
      type.every === 'hour' ? periodBegin({ ...type, every: 'day' })(dayOfText(from)) : begin(dayOfText(from))
    return laterItems(mine)
      .slice(known)
      .map(({ from }) => ({ what, from, begin: dayBegin(from) }))
  }
  return [
    ...key.flatMap(({ physical, type }, at) => items(`the length of '${physical}'`, type, than.columns[at]?.type, type)),
    ...of.salt.flatMap((level, at) => items('the count of the salt', level, than.salt[at], period.type)),
  ]
}

const planKey: unique symbol = Symbol('rowkey.plan')

/** What a call of ensureTable() may change in the lists of a table. */
interface Plan {
  readonly now: number
  /** Up to when rows are to be dated. */
  readonly dated?: number
}

/** A schema for the `ensureTable()` of an adapter, which hands it to `grownCatalog()`: with the time, and up to when rows are to be dated. */
export function planned(schema: TableSchema, clock: () => number, dated?: number): TableSchema {
  if (computedColumns(schema).length === 0) return schema
  const plan: Plan = { now: clock(), ...(dated === undefined ? {} : { dated }) }
  const { toJSON: _, ...data } = schema
  return freezeSchema({ ...data, [planKey]: plan } as SchemaData)
}

const planOf = (schema: TableSchema): Plan => (schema as { readonly [planKey]?: Plan })[planKey] ?? { now: Date.now() }

/** Why the lists of a table cannot become those of a schema, one line for each reason. */
export function refusedItems(schema: TableSchema, stored: TableSchema, catalog: TableCatalog): readonly string[] {
  const { dated = -Infinity } = catalog
  const { now } = planOf(schema)
  const late = newItems(schema, stored).flatMap(({ what, from, begin }) => {
    if (begin < now + least)
      return [
        `${what} changes on ${from}, which is too soon: running programs would not notice. Change it on ${dayAfter(now + least)} or later`,
      ]
    return begin < dated
      ? [`${what} changes on ${from}, but rows may be dated up to ${dayAfter(dated)} already. Change it then or later`]
      : []
  })
  const wider = schema.salt.flatMap((level, at) => {
    const before = stored.salt[at]
    return before === undefined || keepsBytes(before, level)
      ? []
      : [
          `the salt would have ${level.count} buckets, and their numbers more bytes than those of ${before.count}. Create a new table, and copy the rows`,
        ]
  })
  const alone = [...late, ...wider]
  return alone.length > 0 || newItems(schema, stored).length === 0 || isPossible(catalog, schema) ? alone : [unlike]
}

const unlike =
  'what the model appends does not fit what the table changes already: counts change where a period begins. Give the model the lists of the table, and choose such days'

/** Whether the lists of a table and what a schema appends are a schema: another program may have appended to the other list. */
function isPossible(catalog: TableCatalog, schema: TableSchema): boolean {
  try {
    keyOfCatalog({ ...catalog, schema: longer(catalog.schema as SchemaJSON, schema) }, schema.name)
    return true
  } catch {
    return false
  }
}

const dayAfter = (ms: number): string =>
  new Date(Math.min(lastInstant, Math.ceil(ms / lookAhead) * lookAhead)).toISOString().replace(/T.*/, '')

/** A catalog whose lists are those of a schema that has more of them, if that is possible, and which allows rows up to when they are to be dated. */
export function withItems(catalog: TableCatalog, schema: TableSchema, stored: TableSchema): TableCatalog {
  const { dated = -Infinity } = planOf(schema)
  const isAhead = dated > (catalog.dated ?? -Infinity)
  const isLonger = newItems(schema, stored).length > 0 && refusedItems(schema, stored, catalog).length === 0
  if (!isAhead && !isLonger) return catalog
  const json = catalog.schema as SchemaJSON
  return Object.freeze({ ...catalog, schema: isLonger ? longer(json, schema) : json, ...(isAhead ? { dated } : {}) })
}

function longer(json: SchemaJSON, schema: TableSchema): SchemaJSON {
  const columns = json.columns.map((column, at) => {
    const changes = at < schema.keyLength ? schema.columns[at]?.type.changes : undefined
    return changes === undefined || changes.length <= ((column.type['changes'] as readonly unknown[] | undefined)?.length ?? 0)
      ? column
      : { ...column, type: withField(column.type, 'every', 'changes', changes) }
  })
  const salt = json.salt.map((level, at) => {
    const mine = schema.salt[at]
    const isMore = mine?.counts !== undefined && mine.counts.length > (level.counts?.length ?? 1)
    return isMore ? (withField({ ...level, count: mine.count }, 'count', 'counts', mine.counts) as unknown as Salt) : level
  })
  return { ...json, columns, salt }
}

/** An object with a field after another one: the JSON of a schema has its fields in order. */
function withField(object: object, after: string, name: string, value: unknown): Record<string, unknown> {
  const fields = Object.entries(object).filter(([field]) => field !== name)
  return Object.fromEntries(fields.flatMap((field) => (field[0] === after ? [field, [name, value]] : [field])) as [string, unknown][])
}
