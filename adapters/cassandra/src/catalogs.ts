import { grownCatalog, isRowkeyError, newCatalog, type TableCatalog, type TableSchema } from '@rowkey/store'
import { catalogTable, definition, type ColumnDefinition } from './ddl.js'
import { isTableGone, keyspaceMissing, otherTable, readError, responseCodes, type DriverError } from './errors.js'
import { nativeExpiry } from './expiry.js'
import { quoted } from './names.js'
import { addColumn, differences, missingColumns, nativeColumns } from './native-table.js'
import { text } from './native-bytes.js'
import type { Session } from './session.js'

/** A catalog and the text it was read as, by which a change is conditional. */
interface Read {
  readonly catalog: TableCatalog
  readonly text: string
}

/** Rounds of reading and writing where others change the same table. */
const mostRounds = 20

/** What tables there are. A table is made before its catalog and dropped before it, so that a catalog never promises too little. */
export class Catalogs {
  private readonly session: Session
  private readonly keyspace: string
  private readonly table: string

  constructor(session: Session, keyspace: string) {
    this.session = session
    this.keyspace = keyspace
    this.table = `${quoted(keyspace)}.${quoted(catalogTable)}`
  }

  async find(name: string): Promise<TableCatalog | undefined> {
    return (await this.read(name))?.catalog
  }

  /** @throws RowkeyError `SCHEMA_MISMATCH` if the table that is there is another */
  async ensure(schema: TableSchema): Promise<TableCatalog> {
    for (let round = 0; round < mostRounds; round++) {
      const known = await this.read(schema.name)
      const catalog = known === undefined ? await this.create(schema) : await this.grow(schema, known)
      if (catalog !== undefined) return catalog
    }
    throw new Error(`the catalog of table '${schema.name}' changed ${mostRounds} times while it was read. Call ensureTables() again.`)
  }

  async drop(name: string): Promise<void> {
    const known = await this.read(name)
    if (known === undefined) return // it may be a table of somebody else's
    await this.define(name, `DROP TABLE IF EXISTS ${quoted(this.keyspace)}.${quoted(name)}`)
    // Not the catalog of another table that somebody has made in its place meanwhile.
    await this.isApplied(`DELETE FROM ${this.table} WHERE "name" = ? IF "catalog" = ?`, name, known.text)
  }

  private async read(name: string): Promise<Read | undefined> {
    try {
      const { rows } = await this.session.agree({ query: `SELECT "catalog" FROM ${this.table} WHERE "name" = ?`, params: [text(name)] })
      const found = rows[0]?.['catalog'] as string | undefined
      return found === undefined ? undefined : { catalog: parsed(name, found), text: found }
    } catch (error) {
      if (isTableGone(error)) return undefined
      throw this.explained(name, error)
    }
  }

  /** undefined if another was faster. */
  private async create(schema: TableSchema): Promise<TableCatalog | undefined> {
    for (const statement of definition(this.keyspace, schema).statements) await this.define(schema.name, statement)
    const added = await this.fit(schema)
    const made = newCatalog(schema)
    // A table of somebody else's that had no expiry: its rows must not be taken for the remains of expired ones.
    const isNative = schema.expiryAt >= 0 && !added.some(({ name }) => name === 'rk_expires')
    const catalog = isNative ? { ...made, store: nativeExpiry } : made
    const query = `INSERT INTO ${this.table} ("name", "catalog") VALUES (?, ?) IF NOT EXISTS`
    return (await this.isApplied(query, schema.name, JSON.stringify(catalog))) ? catalog : undefined
  }

  /** undefined if another was faster. */
  private async grow(schema: TableSchema, { catalog, text: before }: Read): Promise<TableCatalog | undefined> {
    const found = await nativeColumns(this.session, this.keyspace, schema.name)
    if (found.length === 0) {
      // It was dropped by hand, or by one that ended before it dropped the catalog.
      await this.isApplied(`DELETE FROM ${this.table} WHERE "name" = ? IF "catalog" = ?`, schema.name, before)
      return undefined
    }
    const grown = grownCatalog(catalog, schema)
    if (!schema.columns.slice(schema.keyLength).every(({ physical }) => grown.values.includes(physical))) return catalog // the core says why
    await this.fit(schema)
    if (grown === catalog) return catalog
    const query = `UPDATE ${this.table} SET "catalog" = ? WHERE "name" = ? IF "catalog" = ?`
    return (await this.isApplied(query, JSON.stringify(grown), schema.name, before)) ? grown : undefined
  }

  /** Adds the columns that the table lacks. @throws RowkeyError `SCHEMA_MISMATCH` */
  private async fit(schema: TableSchema): Promise<readonly ColumnDefinition[]> {
    const lacking = missingColumns(schema, await this.checked(schema))
    for (const column of lacking) {
      try {
        await this.define(schema.name, addColumn(this.keyspace, schema.name, column))
      } catch (error) {
        const found = await this.checked(schema) // another may have added it
        if (!found.some(({ name }) => name === column.name)) throw error
      }
    }
    if (lacking.length > 0) await this.checked(schema)
    return lacking
  }

  private async checked(schema: TableSchema): Promise<Awaited<ReturnType<typeof nativeColumns>>> {
    const found = await nativeColumns(this.session, this.keyspace, schema.name)
    const different = differences(this.keyspace, schema, found)
    if (different.length > 0) throw otherTable(schema.name, different)
    return found
  }

  private async isApplied(query: string, ...params: readonly string[]): Promise<boolean> {
    const { rows } = await this.session.agree({ query, params: params.map(text) }).catch((error: unknown) => {
      throw readError(catalogTable, error)
    })
    return rows[0]?.['[applied]'] === true
  }

  private async define(table: string, statement: string): Promise<void> {
    try {
      await this.session.define(statement)
    } catch (error) {
      throw this.explained(table, error)
    }
  }

  private explained(table: string, error: unknown): Error {
    if (isRowkeyError(error)) return error
    const { code, message = '' } = error as DriverError
    const isKeyspaceMissing = code === responseCodes.invalid && /^keyspace .* (does not|doesn't) exist/i.test(message)
    return isKeyspaceMissing ? keyspaceMissing(this.keyspace, error) : readError(table, error)
  }
}

function parsed(name: string, found: string): TableCatalog {
  try {
    const catalog = JSON.parse(found) as TableCatalog
    if (Array.isArray(catalog.values) && typeof catalog.schema === 'object') return catalog
  } catch {
    // said below
  }
  throw otherTable(name, [`its catalog in ${catalogTable} cannot be read; something else wrote it`])
}
