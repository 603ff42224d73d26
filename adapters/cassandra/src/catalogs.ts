// Also tested by schema.test.ts.
import {
  grownCatalog,
  isRowkeyError,
  newCatalog,
  type Cancellation,
  type KeyedMutex,
  type TableCatalog,
  type TableSchema,
} from 'rowkey/adapter'
import { agreedNode, agreement } from './client/agreement.js'
import { CatalogRows, type StoredCatalog } from './schema/catalog-rows.js'
import { compactionOf } from './hints/compaction.js'
import { createTable, type ColumnDefinition } from './ddl.js'
import { beingChanged, compactionUnknown, isCompactionUnknown, noCatalog, otherTable } from './errors.js'
import { nativeExpiry } from './expiry.js'
import { quoted } from './client/cql.js'
import { addColumns, beginsWithBucket, differences, missingColumns, nativeColumns, type NativeColumn } from './native-table.js'
import { hasBucket, needsBucket, secondForm } from './keys.js'
import { SchemaLock, type Lease } from './schema/lock.js'
import type { Session } from './client/session.js'
import { cassandraHints } from './options.js'

/** A table that has all columns now. */
interface Fitted {
  /** Those that it lacked. */
  readonly added: readonly ColumnDefinition[]
  readonly hasBucket: boolean
}

/** Attempts to change a table while others ignore the lock. */
const maxRounds = 20

/**
 * The tables of a keyspace. A table is created before its catalog and dropped before it, so that a catalog never promises too little. Whoever
 * changes anything holds the lock. Versions without the lock are possible too, and the conditions of the catalog's writes protect against them.
 */
export class Catalogs {
  private readonly session: Session
  private readonly keyspace: string
  private readonly rows: CatalogRows
  private readonly lock: SchemaLock

  constructor(session: Session, keyspace: string, mutex: KeyedMutex) {
    this.session = session
    this.keyspace = keyspace
    this.rows = new CatalogRows(session, keyspace)
    this.lock = new SchemaLock(this.rows, mutex)
  }

  async describe(name: string): Promise<TableCatalog | undefined> {
    return (await this.rows.read(name))?.catalog
  }

  /** @throws RowkeyError `SCHEMA_MISMATCH` if the existing table does not fit the schema; `STORE_UNAVAILABLE` if others keep changing the table */
  async ensure(schema: TableSchema, cancellation: Cancellation | undefined): Promise<TableCatalog> {
    const found = await this.rows.read(schema.name)
    if (found !== undefined && (await this.isComplete(schema, found, cancellation))) return found.catalog
    return this.lock.hold(async (lease) => {
      for (let round = 0; round < maxRounds; round++) {
        await agreement(this.session, cancellation)
        const known = await this.rows.read(schema.name)
        const catalog =
          known === undefined ? await this.create(schema, lease, cancellation) : await this.grow(schema, known, lease, cancellation)
        if (catalog !== undefined) return catalog
      }
      throw beingChanged(schema.name)
    }, cancellation)
  }

  async drop(name: string, cancellation: Cancellation | undefined): Promise<void> {
    if ((await this.rows.read(name)) === undefined && !(await this.exists(name, cancellation))) return
    await this.lock.hold(async (lease) => {
      const known = await this.rows.read(name)
      if (known === undefined) {
        if (await this.exists(name, cancellation)) throw noCatalog(name)
        return
      }
      await lease.define(name, `DROP TABLE IF EXISTS ${quoted(this.keyspace)}.${quoted(name)}`)
      for (let round = 0; round < maxRounds; round++) {
        if (await this.rows.remove(name, known)) return
        // Somebody may have created another table in its place in the meantime. Its catalog stays.
        if ((await this.rows.read(name))?.text !== known.text) return
      }
      throw beingChanged(name)
    }, cancellation)
  }

  private async exists(name: string, cancellation: Cancellation | undefined): Promise<boolean> {
    return (await nativeColumns(this.session, this.keyspace, name, cancellation)).length > 0
  }

  /** Whether there is nothing to do, which is so for most calls. */
  private async isComplete(schema: TableSchema, { catalog }: StoredCatalog, cancellation: Cancellation | undefined): Promise<boolean> {
    if (grownCatalog(catalog, schema) !== catalog || !hasColumns(catalog, schema)) return false
    const node = await agreedNode(this.session)
    if (node === undefined) return false
    const found = await nativeColumns(this.session, this.keyspace, schema.name, cancellation, node)
    return found.length > 0 && missingColumns(schema, found).length === 0 && differences(schema, found, hasBucket(catalog)).length === 0
  }

  /** undefined if another process was faster. */
  private async create(schema: TableSchema, lease: Lease, cancellation: Cancellation | undefined): Promise<TableCatalog | undefined> {
    const there = await nativeColumns(this.session, this.keyspace, schema.name, cancellation)
    if (there.length === 0) await this.make(schema, lease)
    const fitted = await this.fit(schema, undefined, lease, cancellation)
    if (fitted === undefined) return undefined
    const { added, hasBucket } = fitted
    // If a table of another program had no expiry, its rows must not be mistaken for the remains of expired ones.
    const isNative = schema.expiryIndex >= 0 && !added.some(({ name }) => name === 'rk_expires')
    const store = { ...(isNative ? nativeExpiry : {}), ...(hasBucket ? {} : secondForm) }
    const made = newCatalog(schema)
    const catalog = Object.keys(store).length === 0 ? made : { ...made, store }
    return (await this.rows.insert(schema.name, catalog)) ? catalog : undefined
  }

  /** undefined if another process was faster. */
  private async grow(
    schema: TableSchema,
    known: StoredCatalog,
    lease: Lease,
    cancellation: Cancellation | undefined,
  ): Promise<TableCatalog | undefined> {
    const { catalog } = known
    const found = await nativeColumns(this.session, this.keyspace, schema.name, cancellation)
    if (found.length === 0) {
      // It was dropped by hand, or by a process that ended before it removed the catalog.
      await this.rows.remove(schema.name, known)
      return undefined
    }
    const grown = grownCatalog(catalog, schema)
    if (!hasColumns(grown, schema)) return catalog // the core reports the difference
    if ((await this.fit(schema, catalog, lease, cancellation)) === undefined) return undefined
    if (grown === catalog) return catalog
    return (await this.rows.replace(schema.name, known, grown)) ? grown : undefined
  }

  private async make(schema: TableSchema, lease: Lease): Promise<void> {
    try {
      await lease.define(schema.name, createTable(this.keyspace, schema))
    } catch (error) {
      const compaction = compactionOf(schema, cassandraHints(schema))
      if (compaction === undefined || !isCompactionUnknown(error)) throw error
      throw compactionUnknown(schema.name, compaction, await this.session.serverVersion(), error)
    }
  }

  /** Adds the columns that the table lacks; undefined if the table is gone. @throws RowkeyError `SCHEMA_MISMATCH` */
  private async fit(
    schema: TableSchema,
    catalog: TableCatalog | undefined,
    lease: Lease,
    cancellation: Cancellation | undefined,
  ): Promise<Fitted | undefined> {
    const found = await this.checked(schema, catalog, cancellation)
    if (found.length === 0) return undefined
    const lacking = missingColumns(schema, found)
    const fitted = { added: lacking, hasBucket: beginsWithBucket(found) }
    if (lacking.length === 0) return fitted
    try {
      await lease.define(schema.name, addColumns(this.keyspace, schema.name, lacking))
    } catch (error) {
      if (isRowkeyError(error, 'TABLE_NOT_FOUND')) return undefined
      const after = await this.checked(schema, catalog, cancellation)
      if (missingColumns(schema, after).length === lacking.length) throw error // otherwise somebody has added some, and the next round adds the rest
      return undefined
    }
    const after = await this.checked(schema, catalog, cancellation)
    return after.length === 0 || missingColumns(schema, after).length > 0 ? undefined : fitted
  }

  /** The columns of the table, none if it is gone. A difference is only reported if it was seen twice, with all nodes agreeing in between. */
  private async checked(
    schema: TableSchema,
    catalog: TableCatalog | undefined,
    cancellation: Cancellation | undefined,
  ): Promise<readonly NativeColumn[]> {
    let before: string | undefined
    for (let look = 0; look < maxRounds; look++) {
      const found = await nativeColumns(this.session, this.keyspace, schema.name, cancellation)
      // Without a catalog, a table is taken as it is: in the form that the model would have now, or in the first one.
      const isFirst = catalog === undefined ? beginsWithBucket(found) || needsBucket(schema) : hasBucket(catalog)
      const different = found.length === 0 ? [] : differences(schema, found, isFirst)
      if (different.length === 0) return found
      if (different.join() === before) throw otherTable(schema.name, different)
      before = different.join()
      await agreement(this.session, cancellation)
    }
    throw beingChanged(schema.name)
  }
}

const hasColumns = ({ valueColumns }: TableCatalog, { columns, keyLength }: TableSchema): boolean =>
  columns.slice(keyLength).every(({ physical }) => valueColumns.includes(physical))
