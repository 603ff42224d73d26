// Tested by schema.test.ts.
import { catalogOfJSON, catalogToJSON, parseObject, pause, type Cancellation, type TableCatalog } from 'rowkey/adapter'
import { agreement } from '../client/agreement.js'
import { createCatalogTable } from '../ddl.js'
import { explained, isContended, isTableGone, otherTable } from '../errors.js'
import { nativeColumns } from '../native-table.js'
import { cellOf, mustBeApplied, textOf } from '../client/answers.js'
import { catalogTable, quoted } from '../client/cql.js'
import { int32, text } from '../client/native-bytes.js'
import type { Session } from '../client/session.js'
import { secondForm } from '../keys.js'

/** A catalog and its stored text. A change is conditional on that text. */
export interface StoredCatalog {
  readonly catalog: TableCatalog
  readonly text: string
}

/** The table of catalogs: a row of JSON per table, written by lightweight transactions, and the row of the lock. */
export class CatalogRows {
  readonly keyspace: string
  readonly session: Session
  private readonly table: string

  constructor(session: Session, keyspace: string) {
    this.session = session
    this.keyspace = keyspace
    this.table = `${quoted(keyspace)}.${quoted(catalogTable)}`
  }

  /** Creates the table if it does not exist. Others may do so concurrently, because the lock would be in this table. */
  async make(cancellation: Cancellation | undefined): Promise<void> {
    const there = await nativeColumns(this.session, this.keyspace, catalogTable, cancellation)
    if (there.length > 0) return
    try {
      await this.session.define(createCatalogTable(this.keyspace))
    } catch (error) {
      throw explained(this.keyspace, catalogTable, error)
    }
    await agreement(this.session, cancellation)
  }

  async read(name: string): Promise<StoredCatalog | undefined> {
    for (let attempt = 1; ; attempt++) {
      try {
        const { rows } = await this.session.agree({ query: `SELECT "catalog" FROM ${this.table} WHERE "name" = ?`, params: [text(name)] })
        const [row] = rows
        if (row === undefined) return undefined
        const found = textOf(name, row, 'catalog')
        return { catalog: parsed(name, found), text: found }
      } catch (error) {
        if (isTableGone(error)) return undefined
        const known = explained(this.keyspace, name, error)
        if (attempt === maxReads || !isContended(known)) throw known
        await pause(50 * attempt)
      }
    }
  }

  /** These return false if another process was faster, or if the outcome is unknown because of too many transactions. Then read the catalog. */
  async insert(name: string, catalog: TableCatalog): Promise<boolean> {
    return this.isApplied(`INSERT INTO ${this.table} ("name", "catalog") VALUES (?, ?) IF NOT EXISTS`, name, textOfCatalog(catalog))
  }

  async replace(name: string, before: StoredCatalog, catalog: TableCatalog): Promise<boolean> {
    const query = `UPDATE ${this.table} SET "catalog" = ? WHERE "name" = ? IF "catalog" = ?`
    return this.isApplied(query, textOfCatalog(catalog), name, before.text)
  }

  async remove(name: string, before: StoredCatalog): Promise<boolean> {
    return this.isApplied(`DELETE FROM ${this.table} WHERE "name" = ? IF "catalog" = ?`, name, before.text)
  }

  /** Who holds the lock now, as a quorum of replicas knows it. */
  async holder(): Promise<string | undefined> {
    const query = `SELECT "catalog" FROM ${this.table} WHERE "name" = ?`
    const { rows } = await this.session.read(catalogTable, { query, params: [text(lockRow)] }, 'strong')
    const [row] = rows
    return row === undefined || cellOf(catalogTable, row, 'catalog') === null ? undefined : textOf(catalogTable, row, 'catalog')
  }

  /** Takes the lock; whether `owner` has it now, also by an earlier attempt whose answer was lost. */
  async lock(owner: string, seconds: number): Promise<boolean> {
    const query = `INSERT INTO ${this.table} ("name", "catalog") VALUES (?, ?) IF NOT EXISTS USING TTL ?`
    const answer = await this.ask(query, text(lockRow), text(owner), int32(seconds))
    return mustBeApplied(catalogTable, answer) || answer.rows[0]?.['catalog'] === owner
  }

  /** Extends the time to live; false if another one has the lock now, or nobody. */
  async renew(owner: string, seconds: number): Promise<boolean> {
    const query = `UPDATE ${this.table} USING TTL ? SET "catalog" = ? WHERE "name" = ? IF "catalog" = ?`
    return mustBeApplied(catalogTable, await this.ask(query, int32(seconds), text(owner), text(lockRow), text(owner)))
  }

  async unlock(owner: string): Promise<void> {
    await this.isApplied(`DELETE FROM ${this.table} WHERE "name" = ? IF "catalog" = ?`, lockRow, owner)
  }

  private async isApplied(query: string, ...params: readonly string[]): Promise<boolean> {
    try {
      return mustBeApplied(catalogTable, await this.ask(query, ...params.map(text)))
    } catch (error) {
      if (isContended(error)) return false
      throw error
    }
  }

  private ask(query: string, ...params: Buffer[]): ReturnType<Session['agree']> {
    return this.session.agree({ query, params }).catch((error: unknown) => {
      throw explained(this.keyspace, catalogTable, error)
    })
  }
}

/** Attempts to read a catalog that transactions are changing. */
const maxReads = 5

/** No table has such a name. */
const lockRow = '#lock'

function parsed(name: string, found: string): TableCatalog {
  const catalog = catalogOfText(found)
  if (catalog !== undefined) return catalog
  throw otherTable(name, [`its catalog in ${catalogTable} cannot be read, because another program wrote it`])
}

// The form of a table is stored beside the fields of the core, and not among those of the adapter: a version that does not know it refuses the
// catalog of a table that it would misread.

function textOfCatalog({ store: { form, ...store } = {}, ...catalog }: TableCatalog): string {
  const own = Object.keys(store).length === 0 ? {} : { store }
  return JSON.stringify({ ...catalogToJSON({ ...catalog, ...own }), ...(form === undefined ? {} : { form }) })
}

function catalogOfText(found: string): TableCatalog | undefined {
  const stored: { form?: unknown } | undefined = parseObject(found)
  if (stored?.form !== secondForm.form) return catalogOfJSON(stored) // the core refuses other forms, as a field that it does not know
  const { form: _, ...fields } = stored
  const catalog = catalogOfJSON(fields)
  return catalog && { ...catalog, store: { ...catalog.store, ...secondForm } }
}
