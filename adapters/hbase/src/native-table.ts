// Also tested by adapter.test.ts and regions.test.ts.
import type { HBaseClient, TableDescriptor } from '@rowkey/hbase-client'
import { clientOption, pause, RowkeyError, toHex } from 'rowkey/adapter'
import { isDisabled, isJavaClass, schemaMismatch } from './errors.js'
import { familyName } from './keys.js'

/** A table as it is to be created. */
export interface NewTable {
  readonly descriptor: TableDescriptor
  /** The first rows of all regions but the first one, ascending. */
  readonly splitKeys: readonly Uint8Array[]
}

/** The attribute of a table that holds the id by which its catalog knows it. */
export const idAttribute = 'rowkey.id'

/** The attribute of a family with which a delete only hides what was written before it. */
export const newVersionAttribute = 'NEW_VERSION_BEHAVIOR'

/** A table of the server; undefined if there is none. */
export async function describe(client: HBaseClient, name: string): Promise<TableDescriptor | undefined> {
  if (!(await client.tableExists(name))) return undefined
  try {
    return await client.getTableDescriptor(name)
  } catch (error) {
    if (await client.tableExists(name)) throw error
    return undefined // it was dropped in between
  }
}

/**
 * Returns whether it created the table: if not, there is one.
 *
 * @throws RowkeyError `CLIENT_OPTION` for a client that cannot, `STORE_UNUSABLE` for regions that are not as they were asked for
 */
export async function createTable(client: HBaseClient, table: string, { descriptor, splitKeys }: NewTable): Promise<boolean> {
  mustCreate(client)
  try {
    await client.createTable(descriptor, splitKeys)
  } catch (error) {
    if (!isJavaClass(error, 'TableExistsException')) throw error
    return false
  }
  await checkRegions(client, table, descriptor.name, splitKeys)
  return true
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

/** Whether a table is the one that has this id in its catalog. */
export const isOwn = ({ attributes, families }: TableDescriptor, id: string): boolean =>
  attributes?.[idAttribute] === id && families.some(({ name }) => name === familyName)

/**
 * Writes to a table with NEW_VERSION_BEHAVIOR have the times of the server, and others those of this process: with the wrong ones, acknowledged writes
 * would be lost.
 *
 * @param isWithout whether the catalog says that the table was created without it
 * @param wantsWithout whether the model does
 * @throws RowkeyError `SCHEMA_MISMATCH`
 */
export function checkVersions(table: string, { families }: TableDescriptor, isWithout: boolean, wantsWithout: boolean): void {
  const own = families.find(({ name }) => name === familyName)
  const lacksIt = own?.attributes?.[newVersionAttribute]?.toLowerCase() !== 'true'
  if (lacksIt !== isWithout) {
    const said = `its catalog says that column family ${familyName} ${isWithout ? 'has no' : 'has'} ${newVersionAttribute}, and the table says otherwise`
    const remedy = lacksIt
      ? `Give it back: alter '…', NAME => '${familyName}', ${newVersionAttribute} => 'true' in the HBase shell.`
      : `Take it away: alter '…', NAME => '${familyName}', ${newVersionAttribute} => 'false' in the HBase shell.`
    throw schemaMismatch(table, [said], remedy)
  }
  if (!wantsWithout || isWithout) return
  const remedy = 'Leave the hint out, or copy the rows into another table that is created with it.'
  throw schemaMismatch(table, [`the model has the hint newVersionBehavior: false, and the table was created without that`], remedy)
}

/** The error for a table that is not. */
export function notOwn(table: string, { attributes, families }: TableDescriptor): Error {
  const isNoTable = !families.some(({ name }) => name === familyName)
  const difference = isNoTable ? `it has no column family ${familyName}` : `its attribute ${idAttribute} is not that of the catalog`
  const isOfRowkey = attributes?.[idAttribute] !== undefined
  const remedy = isOfRowkey
    ? 'It is a copy, or a process that created it has crashed. If nobody needs its rows, disable and drop it in the HBase shell; otherwise use another name, prefix or namespace.'
    : 'It belongs to another program. Use another name, prefix or namespace.'
  return schemaMismatch(table, [difference], remedy)
}

/**
 * Some gateways take other bytes for the borders than those that were sent. A table with wrong borders works, but its load is not divided.
 *
 * @throws RowkeyError `STORE_UNUSABLE`
 */
async function checkRegions(client: HBaseClient, table: string, name: string, splitKeys: readonly Uint8Array[]): Promise<void> {
  if (splitKeys.length === 0) return
  const starts = new Set((await client.regions(name)).map(({ start }) => toHex(start)))
  const missing = splitKeys.filter((key) => !starts.has(toHex(key)))
  if (missing.length === 0) return
  const message =
    `table '${table}' was created, but ${missing.length} of its ${splitKeys.length} region borders are not where they were asked for, because the gateway ` +
    'took other bytes for them. It is deleted again, unless another process uses it already. Create it by the lines of ddl() in the HBase shell.'
  throw new RowkeyError('STORE_UNUSABLE', message, { adapter: 'hbase', path: name, reason: 'damaged' })
}

/** How often a table is looked at again because others are deleting it too. */
const maxLooks = 50
const lookEveryMs = 100

/**
 * Deletes the table with an id, or finds it gone. Meanwhile others may delete it, and create one of its name: a table that was disabled is looked at
 * once more, and one that is enabled cannot be deleted.
 */
export async function deleteTable(client: HBaseClient, name: string, id: string): Promise<void> {
  let cause: unknown
  for (let look = 0; look < maxLooks; look++) {
    if (!(await isThere(client, name, id))) return
    try {
      if (await client.isTableEnabled(name)) await client.disableTable(name)
      if (await isThere(client, name, id)) await client.deleteTable(name)
      else await enableAgain(client, name)
      return
    } catch (error) {
      if (!isBetweenStates(error)) throw error
      cause = error
    }
    await pause(lookEveryMs)
  }
  throw cause
}

async function isThere(client: HBaseClient, name: string, id: string): Promise<boolean> {
  const found = await describe(client, name)
  return found !== undefined && isOwn(found, id)
}

/** A table that is none of ours. */
async function enableAgain(client: HBaseClient, name: string): Promise<void> {
  try {
    if (await client.tableExists(name)) await client.enableTable(name)
  } catch (error) {
    if (!isBetweenStates(error)) throw error
  }
}

/** Whether another process has disabled, enabled or deleted the table, or is doing so. */
const isBetweenStates = (error: unknown): boolean =>
  isJavaClass(error, 'TableNotFoundException', 'TableNotEnabledException', 'TableNotDisabledException', 'InvalidTableStateException') ||
  isDisabled(error)
