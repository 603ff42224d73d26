import { type Operations, grownCatalog, newCatalog, type TableCatalog, type TableSchema } from '@rowkey/store'
import type { Environment } from './environment.js'
import { unusable } from './errors.js'
import type { File } from './file.js'
import { firstHeader, readHeader } from './header.js'
import { parseJson } from './json.js'
import { catalogKey, droppedKey, droppedKeys, droppedTable, headerKey, livingKey, tablePrefix } from './keys.js'

/** Rows deleted in one transaction. */
const step = 2000

/**
 * What the file says of a table.
 *
 * @throws RowkeyError `STORE_UNUSABLE`
 */
export function readCatalog({ db, path }: Environment, name: string): TableCatalog | undefined {
  const bytes = db.getBinary(catalogKey(name))
  if (bytes === undefined) return undefined
  const catalog = parseJson(bytes)
  if (isCatalog(catalog)) return catalog
  throw unusable(path, 'damaged', `has a catalog of table '${name}' that cannot be read. Restore the folder from a copy.`)
}

const isCatalog = (value: object | undefined): value is TableCatalog =>
  value !== undefined && 'schema' in value && 'values' in value && Array.isArray(value.values)

/** Inside a transaction: creates a table or adds columns to it. */
export function createOrGrow(environment: Environment, schema: TableSchema): TableCatalog {
  const { db, path } = environment
  const known = readCatalog(environment, schema.name)
  if (known !== undefined) {
    const grown = grownCatalog(known, schema)
    if (grown !== known) putJson(db, catalogKey(schema.name), grown)
    return grown
  }
  const header = readHeader(db, path) ?? firstHeader
  const table = header.nextTable
  const catalog: TableCatalog = { ...newCatalog(schema), store: { table } }
  putJson(db, headerKey, { ...header, nextTable: table + 1 })
  putJson(db, catalogKey(schema.name), catalog)
  db.putSync(livingKey(table), Buffer.from(schema.name))
  return catalog
}

/** Inside a transaction: nobody finds the table any more; its rows are left for {@link sweep}. */
export function forget(environment: Environment, name: string): void {
  const { db } = environment
  const table = readCatalog(environment, name)?.store?.['table']
  if (typeof table !== 'number') return
  db.removeSync(catalogKey(name))
  db.removeSync(livingKey(table))
  db.putSync(droppedKey(table), Buffer.from(name))
}

/**
 * Deletes the rows of dropped tables, also where a process ended in the middle of it. Who closes does not wait for all of them: the
 * next one goes on.
 */
export async function sweep({ db, committer }: Environment, operations: Operations): Promise<void> {
  const dropped = [...db.getKeys(droppedKeys)].map(droppedTable)
  for (const table of dropped) {
    let isLeft = true
    while (isLeft) {
      if (operations.isClosed) return
      isLeft = await committer.commit(() => deleteSome(db, table), step)
    }
  }
}

/** Inside a transaction; whether there is more. */
function deleteSome(db: File, table: number): boolean {
  const keys = [...db.getKeys({ start: tablePrefix(table), end: tablePrefix(table + 1), limit: step })]
  for (const key of keys) db.removeSync(key)
  if (keys.length === 0) db.removeSync(droppedKey(table))
  return keys.length > 0
}

const putJson = (db: File, key: Buffer, value: object): void => db.putSync(key, Buffer.from(JSON.stringify(value)))
