import type { TableSchema } from '#model'
import { canReach, datedFor, dateTable, openTable, type Table } from '#store/engine'
import type { Adapter } from '#store/adapter'

interface Opening {
  readonly table: Promise<Table>
  /** By `performance.now()`. */
  readonly begun: number
}

/** How long callers share one read of a catalog. Otherwise one lost answer would make all later callers wait. */
const joinedFor = 10_000 // milliseconds

/**
 * The tables of a mapper, each opened when it is first used. A failure is not kept, so that the next call tries again. An open table is
 * garbage-collected with its schema: an application may make schemas as it runs, from JSON or for each tenant.
 */
export class TableCache {
  private opened = new WeakMap<TableSchema, Table>()
  private openings = new WeakMap<TableSchema, Opening>()
  private readonly adapter: Adapter
  private readonly clock: () => number

  constructor(adapter: Adapter, clock: () => number) {
    this.adapter = adapter
    this.clock = clock
  }

  /** The tables that are open. */
  peek(schema: TableSchema): Table | undefined {
    return this.opened.get(schema)
  }

  /** Synchronous if it is open. */
  get(schema: TableSchema): Table | Promise<Table> {
    return this.opened.get(schema) ?? this.open(schema)
  }

  /** This or another program has dropped the table, or created it again. */
  forget(schema: TableSchema): void {
    this.opened.delete(schema)
    this.openings.delete(schema)
  }

  clear(): void {
    this.opened = new WeakMap()
    this.openings = new WeakMap()
  }

  /**
   * Its table, once it is certain that periods up to the one that begins at `begin` are as the model says.
   *
   * @param writes whether rows of that period are to be written
   * @throws RowkeyError `SCHEMA_MISMATCH` if another program has changed the table from an earlier period on
   */
  async reaching(schema: TableSchema, begin: number, writes: boolean): Promise<Table> {
    let table = await this.get(schema)
    if (canReach(table, begin, writes)) return table
    table = await this.look(schema, table)
    if (canReach(table, begin, writes) || !writes || table.horizon === undefined) return table
    await dateTable(this.adapter, schema, this.clock, datedFor(table.horizon, begin))
    table = await this.look(schema, table)
    canReach(table, begin, writes) // throws for what another program has changed in the meantime
    return table
  }

  /** Not a look that began earlier: that may have missed what has changed since. */
  private look(schema: TableSchema, before: Table): Promise<Table> {
    this.openings.delete(schema)
    return this.open(schema, before)
  }

  private open(schema: TableSchema, before?: Table): Promise<Table> {
    const begun = performance.now()
    const known = this.openings.get(schema)
    if (known !== undefined && begun - known.begun < joinedFor) return known.table
    const isCurrent = (): boolean => this.openings.get(schema) === opening // else it was forgotten in the meantime, or is being opened again
    const table = openTable(this.adapter, schema, this.clock, before).then(
      (table) => {
        if (isCurrent()) {
          this.opened.set(schema, table)
          this.openings.delete(schema)
        }
        return table
      },
      (error: unknown) => {
        if (isCurrent()) this.openings.delete(schema)
        throw error
      },
    )
    const opening: Opening = { table, begun }
    this.openings.set(schema, opening)
    return table
  }
}
