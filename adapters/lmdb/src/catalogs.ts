// Tested by tables.test.ts.
import { catalogOfJSON, catalogToJSON, grownCatalog, newCatalog, parseObject, type TableCatalog, type TableSchema } from 'rowkey/adapter'
import { unusable } from './errors.js'
import type { Environment } from './file/environment.js'
import { firstHeader, readHeader, type File } from './file/file.js'
import { catalogKey, droppedKey, droppedKeys, droppedTable, headerKey, isTableNumber, livingKey, tablePrefix } from './keys.js'

/** Max rows that one transaction deletes. */
const step = 2000

/** The tables of a file. Every change is one transaction, so any number of processes may make changes. */
export class Catalogs {
  private readonly environment: Environment
  private readonly isUnwanted: () => boolean

  /** @param isUnwanted whether nobody waits any more until all rows of dropped tables are deleted */
  constructor(environment: Environment, isUnwanted: () => boolean) {
    this.environment = environment
    this.isUnwanted = isUnwanted
  }

  /** @throws RowkeyError `STORE_UNUSABLE` */
  async describe(name: string): Promise<TableCatalog | undefined> {
    this.environment.refresh()
    return this.read(name)
  }

  /** Creates a table or adds the value columns it lacks. */
  async ensure(schema: TableSchema): Promise<TableCatalog> {
    const catalog = await this.environment.committer.commit(() => this.createOrGrow(schema))
    await this.sweep()
    return catalog
  }

  async drop(name: string): Promise<void> {
    const { db, committer } = this.environment
    await committer.commit(() => {
      const table = this.read(name)?.store?.['table']
      if (!isTableNumber(table)) return // there is none
      db.removeSync(catalogKey(name))
      db.removeSync(livingKey(table))
      db.putSync(droppedKey(table), Buffer.from(name))
    })
    await this.sweep()
  }

  private read(name: string): TableCatalog | undefined {
    const { db, path } = this.environment
    const bytes = this.environment.reading(() => db.getBinary(catalogKey(name)))
    if (bytes === undefined) return undefined
    const catalog = catalogOfJSON(parseObject(bytes.toString()))
    if (catalog !== undefined && isTableNumber(catalog.store?.['table'])) return catalog
    throw unusable(path, 'damaged', `has a catalog of table '${name}' that cannot be read. Restore the folder from a backup.`)
  }

  /** Deletes the rows of dropped tables, also if a process ended before it was done. The next sweep continues. */
  private async sweep(): Promise<void> {
    const { db, committer } = this.environment
    const dropped = this.environment.reading(() => [...db.getKeys(droppedKeys)]).map(droppedTable)
    for (const table of dropped) {
      if (table === undefined) continue // rubbish, of which nothing is deleted
      let isLeft = true
      while (isLeft) {
        if (this.isUnwanted()) return
        isLeft = await committer.commit(() => deleteSome(db, table), step)
      }
    }
  }

  /** Inside a transaction. */
  private createOrGrow(schema: TableSchema): TableCatalog {
    const { db, path } = this.environment
    const known = this.read(schema.name)
    if (known !== undefined) {
      const grown = grownCatalog(known, schema)
      if (grown !== known) putJson(db, catalogKey(schema.name), catalogToJSON(grown))
      return grown
    }
    const header = readHeader(db, path) ?? firstHeader
    const table = header.nextTable
    const catalog: TableCatalog = { ...newCatalog(schema), store: { table } }
    putJson(db, headerKey, { ...header, nextTable: table + 1 })
    putJson(db, catalogKey(schema.name), catalogToJSON(catalog))
    db.putSync(livingKey(table), Buffer.from(schema.name))
    return catalog
  }
}

/** Inside a transaction. Returns whether rows are left. */
function deleteSome(db: File, table: number): boolean {
  const keys = [...db.getKeys({ start: tablePrefix(table), end: tablePrefix(table + 1), limit: step })]
  for (const key of keys) db.removeSync(key)
  if (keys.length === 0) db.removeSync(droppedKey(table))
  return keys.length > 0
}

const putJson = (db: File, key: Buffer, value: object): void => db.putSync(key, Buffer.from(JSON.stringify(value)))
