import type { CallOptions, KuduClient, KuduTable, RangePartition, TableChange } from '@rowkey/kudu-client'
import { grownCatalog, newCatalog, pause, type Cancellation, type TableCatalog, type TableSchema } from 'rowkey/adapter'
import { inCall } from './context.js'
import { beingChanged, isKudu, isOvertaken, noCatalog, onServer, otherTable } from './errors.js'
import { differences, newTable, valueColumns } from './native-table.js'
import { keyColumns } from './keys.js'
import { intervalsOf } from './ranges/partitions.js'
import { rangesOf, storedInterval } from './hints/range-hint.js'
import { rotationOf } from './ranges/rotation.js'
import { catalogTable, idOf, nameIn, type KuduOptions } from './options.js'
import { CatalogRows, type StoredCatalog } from './schema/catalog-rows.js'
import { changesOf, withoutDropped } from './schema/table-changes.js'

/** How often a catalog is read again because others have changed it. */
const maxRounds = 20

/** A change of another process takes a moment to be seen. */
const pauseAfterRefusal = 50

/**
 * The tables. Each is created before its catalog and dropped before it, so that a catalog never promises too little; and a catalog names the id of its
 * table, so that it is never taken for that of a later one.
 */
export class Catalogs {
  private readonly client: KuduClient
  private readonly options: KuduOptions
  private readonly rows: CatalogRows

  constructor(client: KuduClient, options: KuduOptions) {
    this.client = client
    this.options = options
    this.rows = new CatalogRows(client, options)
  }

  /** @throws RowkeyError `STORE_UNAVAILABLE`, `CORRUPT_ROW` */
  describe(name: string): Promise<TableCatalog | undefined> {
    return onServer(catalogTable, async () => {
      const stored = await this.rows.read(name)
      if (stored?.catalog === undefined) return undefined
      return (await this.native(name))?.id === idOf(stored.catalog) ? stored.catalog : undefined
    })
  }

  /**
   * Creates a table, or changes one that exists: columns are added, kept in another way, and dropped, all in one call. Finishes what another process has begun.
   *
   * @throws RowkeyError `SCHEMA_MISMATCH`, `NOT_SUPPORTED`, `INVALID_OPTION`, `STORE_UNAVAILABLE`; the reason of the cancellation
   */
  ensure(schema: TableSchema, cancellation: Cancellation | undefined, clock: () => number = Date.now): Promise<TableCatalog> {
    const { name } = schema
    return onServer(name, () =>
      inCall(cancellation, async (options) => {
        let refusal: Error | undefined
        for (let round = 0; round < maxRounds; round++) {
          cancellation?.throwIfOver()
          refusal = undefined
          const [stored, found] = await Promise.all([this.rows.read(name, options), this.native(name, options)])
          if (found === undefined) await this.create(schema, clock, options)
          else {
            const catalog = await this.fit(schema, stored, found, clock, options).catch(async (error: unknown) => {
              if (!isOvertaken(error)) throw error
              refusal = error as Error
              await pause(pauseAfterRefusal)
              return undefined
            })
            if (catalog !== undefined) return catalog
          }
        }
        throw refusal ?? beingChanged(name)
      }),
    )
  }

  /** @throws RowkeyError `STORE_UNAVAILABLE`, `SCHEMA_MISMATCH`; the reason of the cancellation */
  drop(name: string, cancellation: Cancellation | undefined): Promise<void> {
    return onServer(name, () =>
      inCall(cancellation, async (options) => {
        for (let round = 0; round < maxRounds; round++) {
          cancellation?.throwIfOver()
          const [stored, found] = await Promise.all([this.rows.read(name, options), this.native(name, options)])
          if (stored?.catalog === undefined) {
            if (found !== undefined) throw noCatalog(name)
            return
          }
          if (found?.id === idOf(stored.catalog)) await this.client.deleteTable(found, options).catch(unlessGone)
          if (await this.rows.insert(name, stored.revision + 1, undefined, options)) return
        }
        throw beingChanged(name)
      }),
    )
  }

  private async create(schema: TableSchema, clock: () => number, options: CallOptions | undefined): Promise<void> {
    const definition = newTable(schema, this.options, clock)
    await this.rows.make(options)
    await this.client.createTable(definition, options).catch((error: unknown) => {
      if (!isKudu(error, 'ALREADY_PRESENT')) throw error
    })
  }

  /** Makes all changes that the table and its catalog need. undefined: another process was faster. @throws KuduError, RowkeyError */
  private async fit(
    schema: TableSchema,
    stored: StoredCatalog | undefined,
    found: KuduTable,
    clock: () => number,
    options: CallOptions | undefined,
  ): Promise<TableCatalog | undefined> {
    const own = stored?.catalog !== undefined && idOf(stored.catalog) === found.id ? stored.catalog : undefined
    const grown = own === undefined ? { ...newCatalog(schema), store: { id: found.id } } : grownCatalog(own, schema)
    const names = new Set(grown.valueColumns)
    if (!valueColumns(schema).every((column) => names.has(column.name))) return grown // the core reports the difference
    const unfit = differences(schema, found)
    if (unfit.length > 0) throw otherTable(schema.name, unfit)
    const changes: readonly TableChange[] = [
      ...changesOf(schema, found),
      ...(await this.missingRanges(schema, found, clock, options)).map((addRange) => ({ addRange })),
    ]
    if (changes.length > 0) await this.client.alterTable(found, changes, options)
    const fitted = withoutDropped(grown, schema)
    if (fitted === own) return own
    if (own === undefined) await this.rows.make(options)
    return (await this.rows.insert(schema.name, (stored?.revision ?? -1) + 1, fitted, options)) ? fitted : undefined
  }

  /** Ranges of time up to those that the model wants ahead of now. */
  private async missingRanges(
    schema: TableSchema,
    found: KuduTable,
    clock: () => number,
    options: CallOptions | undefined,
  ): Promise<readonly RangePartition[]> {
    const ranges = rangesOf(schema)
    if (ranges?.times === undefined) return []
    const keys = keyColumns(schema)
    const existing = intervalsOf({ keys }, found, await this.client.tablets(found, {}, options))
    const { add } = rotationOf(schema, ranges, ranges.times, existing, clock())
    return add.map((each) => storedInterval(keys, ranges.columns, each))
  }

  private native(name: string, options?: CallOptions): Promise<KuduTable | undefined> {
    return this.client.openTable(nameIn(this.options, name), options).catch((error: unknown) => {
      if (isKudu(error, 'NOT_FOUND')) return undefined
      throw error
    })
  }
}

function unlessGone(error: unknown): void {
  if (!isKudu(error, 'NOT_FOUND')) throw error
}
