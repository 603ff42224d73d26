// Tested by adapter.test.ts.
import { HBaseError, type HBaseClient, type TableDescriptor } from '@rowkey/hbase-client'
import {
  type Cancellation,
  catalogOfJSON,
  catalogToJSON,
  grownCatalog,
  invalidOption,
  isRowkeyError,
  newCatalog,
  parseObject,
  pause,
  readUtf8,
  storeUnavailable,
  type TableCatalog,
  type TableSchema,
  utf8Of,
} from 'rowkey/adapter'
import { randomUUID } from 'node:crypto'
import type { ProfileLimits } from './capabilities.js'
import { catalogDescriptor, newTableOf, storeOf } from './ddl.js'
import { corruptCatalog, isJavaClass, isTableMissing, onceMore, onServer } from './errors.js'
import { family } from './keys.js'
import { checkVersions, createTable, deleteTable, describe, idAttribute, isOwn, mustCreate, notOwn } from './native-table.js'
import { catalogTable, hbaseHints } from './options.js'

/** A catalog as it is stored. While a table is being created or dropped, no caller finds it. */
interface Stored {
  readonly catalog: TableCatalog
  readonly state: 'creating' | 'ready' | 'dropping'
  /** The value of its cell. It is only replaced if it is still this one. */
  readonly text: Uint8Array
}

/** How often a catalog is read again because others have changed it. */
const maxRounds = 50

/** How often a table with another id is looked at again, and how long after. Deleting a table takes about half a second. */
const maxStrangers = 15
const strangerMs = 200

const qualifier = utf8Of('catalog')

/**
 * The tables. Their catalogs are rows of a table, because the server changes a row only if it is as it was read, and the attributes of a table in
 * any case. So any number of processes may make changes.
 */
export class Catalogs {
  private readonly client: HBaseClient
  private readonly limits: ProfileLimits
  private readonly namespace: string

  constructor(client: HBaseClient, limits: ProfileLimits, namespace: string) {
    this.client = client
    this.limits = limits
    this.namespace = namespace
  }

  /** The name of a table on the server. */
  named(table: string): string {
    return this.namespace === 'default' ? table : `${this.namespace}:${table}`
  }

  /** @throws RowkeyError `STORE_UNAVAILABLE`, `CORRUPT_ROW` */
  async describe(name: string): Promise<TableCatalog | undefined> {
    const stored = await onServer(catalogTable, () => onceMore(() => this.read(name)))
    return stored?.state === 'ready' ? stored.catalog : undefined
  }

  /**
   * Creates a table, or adds the columns that it lacks. Finishes what another process has begun, also a drop.
   *
   * @throws RowkeyError `SCHEMA_MISMATCH`, `INVALID_OPTION`, `CLIENT_OPTION`, `STORE_UNUSABLE`, `STORE_UNAVAILABLE`; the reason of the cancellation
   */
  ensure(schema: TableSchema, cancellation: Cancellation | undefined): Promise<TableCatalog> {
    const { name } = schema
    return onServer(name, async () => {
      newTableOf(schema, this.named(name), '', this.limits) // refuses hints before anything is created
      await this.ensureCatalogTable()
      let strangers = 0
      for (let round = 0; round < maxRounds; round++) {
        cancellation?.throwIfOver()
        const stored = await this.read(name)
        if (stored === undefined) {
          mustCreate(this.client)
          await this.swap(name, undefined, textOf({ ...newCatalog(schema), store: storeOf(schema, randomUUID()) }, 'creating'))
        } else if (stored.state === 'dropping') {
          await this.remove(name, stored)
        } else {
          const found = await describe(this.client, this.named(name))
          if (found === undefined) await this.create(schema, stored)
          else if (!isOwn(found, idOf(stored.catalog))) await this.waitFor(name, stored, found, ++strangers)
          else if (stored.state === 'creating') await this.swap(name, stored.text, textOf(stored.catalog, 'ready'))
          else {
            if (this.limits.newVersionBehavior) {
              checkVersions(name, found, isWithoutNewVersions(stored.catalog), hbaseHints(schema).newVersionBehavior === false)
            }
            const grown = grownCatalog(stored.catalog, schema)
            if (grown === stored.catalog || (await this.swap(name, stored.text, textOf(grown, 'ready')))) return grown
          }
        }
      }
      throw beingChanged(name)
    })
  }

  /** @throws RowkeyError `STORE_UNAVAILABLE`, `SCHEMA_MISMATCH`; the reason of the cancellation */
  drop(name: string, cancellation: Cancellation | undefined): Promise<void> {
    return onServer(name, async () => {
      for (let round = 0; round < maxRounds; round++) {
        cancellation?.throwIfOver()
        const stored = await this.read(name)
        if (stored === undefined) return
        if (stored.state === 'dropping') return this.remove(name, stored)
        await this.swap(name, stored.text, textOf(stored.catalog, 'dropping'))
      }
      throw beingChanged(name)
    })
  }

  /**
   * Creates the table of a catalog. If others have removed the catalog meanwhile, nobody would ever find the table.
   *
   * @throws RowkeyError `STORE_UNUSABLE` for a table with wrong regions, which is deleted again unless others use it already
   */
  private async create(schema: TableSchema, { catalog, text }: Stored): Promise<void> {
    const { name } = schema
    const [id, named] = [idOf(catalog), this.named(name)]
    let wrong: Error | undefined
    try {
      if (!(await createTable(this.client, name, newTableOf(schema, named, id, this.limits)))) return
    } catch (error) {
      if (!isRowkeyError(error, 'STORE_UNUSABLE')) throw error
      wrong = error
    }
    const state = wrong === undefined ? 'ready' : 'dropping'
    const created: Stored = { catalog, state, text: textOf(catalog, state) }
    if (await this.swap(name, text, created.text)) {
      if (state === 'dropping') await this.remove(name, created)
    } else {
      const now = await this.read(name)
      if (now === undefined || idOf(now.catalog) !== id) await deleteTable(this.client, named, id)
    }
    if (wrong !== undefined) throw wrong
  }

  /**
   * The table has another id than the catalog. Perhaps the catalog is the old one, or who created the table is about to delete it.
   *
   * @throws RowkeyError `SCHEMA_MISMATCH` for a table of another program
   */
  private async waitFor(name: string, stored: Stored, found: TableDescriptor, times: number): Promise<void> {
    const isStill = await this.isStill(name, stored)
    if (isStill && (times >= maxStrangers || found.attributes?.[idAttribute] === undefined)) throw notOwn(name, found)
    if (isStill) await pause(strangerMs)
  }

  /** @throws RowkeyError `SCHEMA_MISMATCH` for a table of another program */
  private async remove(name: string, stored: Stored): Promise<void> {
    const { catalog, text } = stored
    const found = await describe(this.client, this.named(name))
    if (found !== undefined && !isOwn(found, idOf(catalog))) {
      if (await this.isStill(name, stored)) throw notOwn(name, found)
      return // others have dropped it
    }
    await deleteTable(this.client, this.named(name), idOf(catalog))
    await this.client.checkAndDelete(this.named(catalogTable), { row: utf8Of(name), family, qualifier, value: text }, { row: utf8Of(name) })
  }

  private async isStill(name: string, { text }: Stored): Promise<boolean> {
    const now = await this.read(name)
    return now !== undefined && Buffer.compare(now.text, text) === 0
  }

  /** Writes a catalog if it is still the one that was read. */
  private async swap(name: string, from: Uint8Array | undefined, to: Uint8Array): Promise<boolean> {
    const row = utf8Of(name)
    return this.client.checkAndPut(
      this.named(catalogTable),
      { row, family, qualifier, value: from },
      { row, cells: [{ family, qualifier, value: to }] },
    )
  }

  private async ensureCatalogTable(): Promise<void> {
    const name = this.named(catalogTable)
    if (await this.client.tableExists(name)) return
    mustCreate(this.client)
    try {
      await this.client.createTable(catalogDescriptor(name, this.limits))
    } catch (error) {
      if (isJavaClass(error, 'NamespaceNotFoundException')) throw noNamespace(this.namespace)
      if (!isJavaClass(error, 'TableExistsException')) throw error
    }
  }

  private async read(name: string): Promise<Stored | undefined> {
    try {
      const { cells } = await this.client.get(this.named(catalogTable), { row: utf8Of(name), columns: [{ family, qualifier }] })
      const text = cells[0]?.value
      return text === undefined ? undefined : { ...parsed(name, text), text }
    } catch (error) {
      if (error instanceof HBaseError && isTableMissing(catalogTable, error)) return undefined
      throw error
    }
  }
}

const textOf = (catalog: TableCatalog, state: Stored['state']): Uint8Array => utf8Of(JSON.stringify({ ...catalogToJSON(catalog), state }))

/** Names a table among all that had its name. */
export const idOf = (catalog: TableCatalog): string => String(catalog.store?.['id'])

/** Whether the table was created without NEW_VERSION_BEHAVIOR, by the hint of its model. */
export const isWithoutNewVersions = ({ store }: TableCatalog): boolean => store?.['newVersionBehavior'] === 'false'

const noNamespace = (namespace: string): Error =>
  invalidOption('hbase', 'namespace', namespace, "There is none of that name. Create it: create_namespace '…' in the HBase shell.")

/** Every time the adapter looked, others had changed the catalog. */
const beingChanged = (name: string): Error =>
  storeUnavailable('hbase', 'refused', new Error(`other processes are changing table '${name}'`))

/** @throws RowkeyError `CORRUPT_ROW` */
function parsed(name: string, bytes: Uint8Array): Omit<Stored, 'text'> {
  const { state, ...others } = (parseObject(readUtf8(bytes) ?? '') ?? {}) as { readonly state?: unknown }
  const catalog = catalogOfJSON(others)
  if (catalog === undefined || typeof catalog.store?.['id'] !== 'string' || !isState(state)) throw corruptCatalog(name)
  return { catalog, state }
}

const isState = (state: unknown): state is Stored['state'] => state === 'creating' || state === 'ready' || state === 'dropping'
