// Tested by tables.test.ts and regions.test.ts.
import type { HBaseClient, TableDescriptor } from '@rowkey/hbase-client'
import { clientOption, RowkeyError, toHex } from '@rowkey/store/adapter'
import { errorOf, isJavaClass, schemaMismatch } from './errors.js'
import { familyName } from './keys.js'

/** A table as it is to be created. */
export interface NewTable {
  readonly descriptor: TableDescriptor
  /** The first rows of all regions but the first one, ascending. */
  readonly splitKeys: readonly Uint8Array[]
}

/** The attribute of a table that holds the id by which its catalog knows it. */
export const idAttribute = 'rowkey.id'

/** A table of the server; undefined if there is none. */
export async function describe(client: HBaseClient, name: string): Promise<TableDescriptor | undefined> {
  return (await client.tableExists(name)) ? client.getTableDescriptor(name) : undefined
}

/**
 * Creates a table, or finds it created by another process for the same catalog.
 *
 * @throws RowkeyError `CLIENT_OPTION` for a client that cannot, `SCHEMA_MISMATCH` for a table of another program, `STORE_UNUSABLE` for regions that are not as they were asked for
 */
export async function createTable(client: HBaseClient, table: string, { descriptor, splitKeys }: NewTable): Promise<void> {
  mustCreate(client)
  try {
    await client.createTable(descriptor, splitKeys)
  } catch (error) {
    if (!isJavaClass(error, 'TableExistsException')) throw errorOf(table, error)
    checkOwned(table, await client.getTableDescriptor(descriptor.name), descriptor.attributes?.[idAttribute])
    return
  }
  await checkRegions(client, table, descriptor.name, splitKeys)
}

/**
 * A gateway with framed messages takes other bytes for the attributes and the region borders of a new table than those that were sent.
 *
 * @throws RowkeyError `CLIENT_OPTION`
 */
export function mustCreate({ transport }: HBaseClient): void {
  if (transport !== 'framed') return
  const why = 'A gateway with framed messages creates tables with wrong attributes and borders.'
  throw clientOption('hbase', 'transport', transport, why, "Create tables by a client with transport 'unframed' or 'http'.")
}

/** @throws RowkeyError `SCHEMA_MISMATCH` */
export function checkOwned(table: string, { attributes, families }: TableDescriptor, id: string | undefined): void {
  const remedy = 'It belongs to another program. Use another name, prefix or namespace.'
  if (!families.some(({ name }) => name === familyName)) throw schemaMismatch(table, [`it has no column family ${familyName}`], remedy)
  if (attributes?.[idAttribute] !== id) throw schemaMismatch(table, [`its attribute ${idAttribute} is not that of the catalog`], remedy)
}

/**
 * Some gateways take other bytes for the borders than those that were sent. A table that was cut at wrong places works, but slowly.
 *
 * @throws RowkeyError `STORE_UNUSABLE`
 */
async function checkRegions(client: HBaseClient, table: string, name: string, splitKeys: readonly Uint8Array[]): Promise<void> {
  if (splitKeys.length === 0) return
  const starts = new Set((await client.getAllRegionLocations(name)).map(({ start }) => toHex(start)))
  const missing = splitKeys.filter((key) => !starts.has(toHex(key)))
  if (missing.length === 0) return
  const message =
    `table '${table}' was created, but ${missing.length} of its ${splitKeys.length} region borders are not where they were asked for. Drop it, and ` +
    'create it through a gateway with unframed messages or over HTTP.'
  throw new RowkeyError('STORE_UNUSABLE', message, { adapter: 'hbase', path: name, reason: 'damaged' })
}

/** Deletes a table, or finds it gone. */
export async function deleteTable(client: HBaseClient, table: string, name: string): Promise<void> {
  try {
    if (await client.isTableEnabled(name)) await ignoring(['TableNotEnabledException'], () => client.disableTable(name))
    await client.deleteTable(name)
  } catch (error) {
    if (isJavaClass(error, 'TableNotFoundException') || !(await client.tableExists(name))) return
    throw errorOf(table, error)
  }
}

async function ignoring(javaClasses: readonly string[], run: () => Promise<unknown>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (!isJavaClass(error, ...javaClasses)) throw error
  }
}
