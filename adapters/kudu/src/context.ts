// Tested by catalogs.test.ts and errors.test.ts.
import { decodeKey, type CallOptions, type KuduClient, type KuduTable, type Value as KuduValue } from '@rowkey/kudu-client'
import {
  byColumns,
  isRowkeyError,
  tableNotFound,
  unreadableRow,
  type Cancellation,
  type InFlight,
  type MaybePromise,
  type Row,
  type RowkeyError,
  type TableCatalog,
  type TableSchema,
} from 'rowkey/adapter'
import { columnsGone, isKudu, otherTable } from './errors.js'
import { hashDifference } from './salting/hash-levels.js'
import { bucketColumn, keyColumns, type KeyColumn } from './keys.js'
import { saltingOf, type Salting } from './salting/salting.js'
import { idOf, nameIn, type KuduOptions } from './options.js'
import { RowReader } from './rows.js'
import { valueTypeOf, type ValueType } from './values.js'

/** How long a list of columns is good for, in milliseconds. */
const maxAge = 1000

/** How long reads use a table without a look at whether it is still that of the model, in milliseconds. */
const lookAgain = 5000

/** A table as the store has it, and where the columns of the schema are in it. */
export interface Opened {
  readonly table: KuduTable
  /** By position in a row of the schema. */
  readonly places: readonly number[]
  /** Value columns that the schema does not have. A put of a whole row clears them. */
  readonly others: readonly number[]
  /** -1: there is none. */
  readonly bucketAt: number
  /** The places of the columns that say in which tablet a row is. */
  readonly partitionedBy: readonly number[]
}

/** One table as one schema sees it: what its reads and writes share. */
export class TableContext {
  readonly client: KuduClient
  readonly schema: TableSchema
  readonly calls: InFlight
  readonly salting: Salting
  readonly keys: readonly KeyColumn[]
  /** By position; those of key columns are not used. */
  readonly types: readonly ValueType[]
  readonly reader: (columns: readonly number[] | undefined) => RowReader
  private readonly id: string
  private readonly nativeName: string
  private known: Opened | undefined
  private opening: Promise<Opened> | undefined
  private openedAt = -Infinity
  private lookedAt = -Infinity

  constructor(client: KuduClient, options: KuduOptions, schema: TableSchema, catalog: TableCatalog, calls: InFlight) {
    this.nativeName = nameIn(options, schema.name)
    this.client = client
    this.schema = schema
    this.calls = calls
    this.salting = saltingOf(schema)
    this.keys = keyColumns(schema)
    this.types = schema.columns.map(valueTypeOf)
    this.reader = byColumns((columns) => new RowReader(schema, this.keys, this.types, columns))
    this.id = idOf(catalog)
  }

  /** The table, asked for once. @throws RowkeyError `TABLE_NOT_FOUND`, `SCHEMA_MISMATCH`, KuduError */
  opened(): MaybePromise<Opened> {
    const { known } = this
    if (known === undefined) return this.load()
    if (performance.now() - Math.max(this.openedAt, this.lookedAt) > lookAgain) void this.look()
    return known
  }

  /** Nobody waits for it. Another program may have given the table what the model does not have: then later reads are refused. */
  private async look(): Promise<void> {
    this.lookedAt = performance.now()
    await this.load().catch(() => undefined)
  }

  /** The same with the columns that others have added, asked for again after a second. Rejects if they cannot be read: a put could leave one as it is. */
  openedForPut(): MaybePromise<Opened> {
    if (this.known !== undefined && performance.now() - this.openedAt < maxAge) return this.known
    return this.load()
  }

  /** The key of an encoded one, such as the last one of a batch. @throws RowkeyError `UNREADABLE_ROW` */
  keyOf({ table, bucketAt }: Opened, encoded: Uint8Array): Row {
    const stored = decodeKey(table, encoded).slice(bucketAt + 1)
    return this.keys.map((key, i) => {
      const value = key.read(stored[i] as KuduValue)
      if (value === undefined) throw unreadableRow(this.schema.name, key.name, 'contains a value that its type does not allow')
      return value
    })
  }

  /** Looks at the table again after an error for it. Why it cannot be used any more: it is gone, or a column is. undefined: it can be used. */
  async whyGone(): Promise<RowkeyError | undefined> {
    this.known = undefined
    try {
      await this.opened()
      return undefined
    } catch (error) {
      return isRowkeyError(error) ? error : undefined
    }
  }

  /** Whoever asks while it is being opened waits for the same answer. */
  private load(): Promise<Opened> {
    return (this.opening ??= this.open().finally(() => (this.opening = undefined)))
  }

  private async open(): Promise<Opened> {
    const { name } = this.schema
    const table = await this.client.openTable(this.nativeName).catch((error: unknown) => {
      throw isKudu(error, 'NOT_FOUND') ? tableNotFound(name) : error
    })
    // Another table by this name: who reads it needs its catalog.
    if (table.id !== this.id) throw tableNotFound(name)
    // Ranges can get hash levels of their own at any time, in which the salt of the model would find no rows.
    const unfit = hashDifference(this.schema, table)
    if (unfit.length > 0) {
      this.known = undefined
      throw otherTable(name, unfit)
    }
    if (!isLike(this.known?.table, table)) this.known = openedOf(this.schema, table)
    this.openedAt = performance.now()
    return this.known as Opened
  }
}

/** Whether two states of a table have the same columns and the same ranges with hash levels of their own. Renamed columns keep their ids. */
const isLike = (known: KuduTable | undefined, { columns, customRanges }: KuduTable): boolean =>
  known?.columns.length === columns.length &&
  JSON.stringify(known.customRanges) === JSON.stringify(customRanges) &&
  known.columns.every(({ id, name }, place) => id === columns[place]?.id && name === columns[place].name)

function openedOf({ name, columns }: TableSchema, table: KuduTable): Opened {
  const placeOf = new Map(table.columns.map((column, place) => [column.name, place]))
  const gone = columns.flatMap(({ physical }) => (placeOf.has(physical) ? [] : [physical]))
  if (gone.length > 0) throw columnsGone(name, gone)
  const places = columns.map(({ physical }) => placeOf.get(physical) as number)
  const own = new Set(places)
  const others = table.columns.flatMap((column, place) => (column.isKey || own.has(place) ? [] : [place]))
  const partitionedBy = [
    ...new Set([
      ...table.range,
      ...[table.hash, ...table.customRanges.map((range) => range.hash)].flat().flatMap((level) => level.columns),
    ]),
  ]
  return { table, places, others, bucketAt: placeOf.get(bucketColumn) ?? -1, partitionedBy }
}

/** Runs a call of the client, which ends when nobody waits for it any more. */
export function inCall<T>(cancellation: Cancellation | undefined, call: (options: CallOptions | undefined) => Promise<T>): Promise<T> {
  return cancellation === undefined ? call(undefined) : cancellation.withSignal((signal) => call({ signal }))
}
