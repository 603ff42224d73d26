import type { TableSchema } from '@rowkey/model'
import { openTable, type Adapter, type Table } from '@rowkey/store'

interface Opening {
  readonly table: Promise<Table>
  /** By `performance.now()`. */
  readonly begun: number
}

/** How long callers join one read of a catalog: whoever waited for a lost answer would make all wait that come after. */
const joinedFor = 10_000 // milliseconds

/** The tables of a mapper, each opened when it is first asked for. A failure is not kept, so that it can be mended and tried again. */
export class OpenTables {
  private readonly opened = new Map<TableSchema, Table>()
  private readonly openings = new Map<TableSchema, Opening>()
  private readonly adapter: Adapter

  constructor(adapter: Adapter) {
    this.adapter = adapter
  }

  /** Of those that are open. */
  peek(schema: TableSchema): Table | undefined {
    return this.opened.get(schema)
  }

  /** At once if it is open. */
  get(schema: TableSchema): Table | Promise<Table> {
    return this.opened.get(schema) ?? this.open(schema)
  }

  /** It was dropped or made anew, or another program did so. */
  forget(schema: TableSchema): void {
    this.opened.delete(schema)
    this.openings.delete(schema)
  }

  clear(): void {
    this.opened.clear()
    this.openings.clear()
  }

  private open(schema: TableSchema): Promise<Table> {
    const begun = performance.now()
    const known = this.openings.get(schema)
    if (known !== undefined && begun - known.begun < joinedFor) return known.table
    const isCurrent = (): boolean => this.openings.get(schema) === opening // else it was forgotten meanwhile, or is opened once more
    const table = openTable(this.adapter, schema).then(
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
