// Also tested by faults.test.ts and ranges.test.ts.
import { KuduError } from './error.js'
import { Masters } from './masters.js'
import { settingsOf, type KuduClientOptions, type Settings } from './options.js'
import { checkNames, checkObject, kindOf, Refusal, refusing, type Names } from './refusal.js'
import type {
  CallOptions,
  Operation,
  OperationType,
  Row,
  RowValues,
  Scan,
  TableChange,
  TableDefinition,
  TableStatistics,
  Tablet,
  TabletsScan,
} from './requests.js'
import { factsOf, prunedRanges } from './rows/pruning.js'
import type { ReadRow } from './rows/row-batch.js'
import type { KuduTable } from './table.js'
import { Leaders } from './tablets/attempts.js'
import { Clock } from './tablets/clock.js'
import type { Tablets } from './tablets/context.js'
import { get, getMany } from './tablets/get.js'
import { Locations } from './tablets/locations.js'
import type { LocatedTablet } from './tablets/partition-map.js'
import { planOf } from './tablets/scan-plan.js'
import { Scanner } from './tablets/scanner.js'
import { Writer } from './tablets/write.js'
import { Tables } from './tables/tables.js'
import { Connections } from './transport/connections.js'
import { Waiting } from './transport/waiting.js'

/** Options of a read by key. */
export interface GetOptions extends CallOptions {
  /** Names of columns, in the order in which rows have them; default all. */
  readonly columns?: readonly string[] | undefined
}

/** What became of operations. */
export interface WriteResult {
  /** At the place of each operation the error with which it failed. With `isSent` the operation may have been done, or may still be. */
  readonly errors: readonly (KuduError | undefined)[]
}

/** Milliseconds that a server has to close a scanner. */
const closingTimeout = 5_000
const maxTimeout = 2 ** 31 - 1
const callNames: Names<CallOptions> = { timeout: true, signal: true }
const getNames: Names<GetOptions> = { ...callNames, columns: true }
const tabletsNames: Names<TabletsScan> = { where: true, start: true, stop: true, isRemembered: true }

/**
 * A client of Apache Kudu. Nothing is sent before the first call. Calls that do not wait for each other may be executed in any order. Every
 * promise is rejected with a {@link KuduError} if at all.
 *
 * @example
 * ```ts
 * const client = new KuduClient({ masters: ['127.0.0.1:7051'] })
 * const table = await client.openTable('metrics')
 * await client.insert(table, { host: 'web-1', time: 1n, load: 0.5 })
 * const row = await client.get(table, { host: 'web-1', time: 1n })
 * await client.close()
 * ```
 */
export class KuduClient {
  readonly #settings: Settings
  readonly #connections: Connections
  readonly #tables: Tables
  readonly #tablets: Tablets
  readonly #writer: Writer
  readonly #running = new Set<Promise<unknown>>()
  #isClosed = false

  /** @throws KuduError with `INVALID_ARGUMENT` for an option that is wrong */
  constructor(options: KuduClientOptions) {
    this.#settings = settingsOf(options)
    const connections = new Connections(this.#settings)
    const masters = new Masters(this.#settings, connections)
    const locations = new Locations(masters)
    const leaders = new Leaders(connections, locations)
    const clock = new Clock()
    const closing = (): Waiting => new Waiting('scan', {}, closingTimeout)
    this.#connections = connections
    this.#tables = new Tables(masters)
    this.#tablets = { connections, locations, leaders, clock, scanners: new Set(), closing }
    this.#writer = new Writer(leaders, locations, clock)
  }

  /** Refuses further calls with `CLOSED`, and closes scanners. Resolves when the running calls have ended, at the latest when their time is over. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled([...this.#running, ...[...this.#tablets.scanners].map((scanner) => scanner.close())])
    this.#connections.close()
  }

  /** A table as it is now. @throws KuduError with `NOT_FOUND` */
  openTable(name: string, options?: CallOptions): Promise<KuduTable> {
    return this.#run('openTable', options, (waiting) => this.#tables.open(name, waiting))
  }

  /** Creates a table, and resolves when it takes rows. @throws KuduError with `ALREADY_PRESENT` */
  createTable(definition: TableDefinition, options?: CallOptions): Promise<KuduTable> {
    return this.#run('createTable', options, (waiting) => this.#tables.create(definition, waiting))
  }

  /** Makes changes together, or none of them. Returns the table as it is afterwards. A table instead of a name: no later one of its name. */
  alterTable(name: string | KuduTable, changes: readonly TableChange[], options?: CallOptions): Promise<KuduTable> {
    return this.#run('alterTable', options, async (waiting) => {
      const table = await this.#tables.alter(name, changes, waiting)
      this.#tablets.locations.clear(table)
      return table
    })
  }

  /** Gives a table another name. It keeps its rows and its id. */
  renameTable(name: string, to: string, options?: CallOptions): Promise<KuduTable> {
    return this.#run('renameTable', options, (waiting) => this.#tables.alter(name, [{ renameTable: to }], waiting))
  }

  /** Deletes a table with all its rows. A table instead of a name: no later one of its name. */
  deleteTable(name: string | KuduTable, options?: CallOptions): Promise<void> {
    return this.#run('deleteTable', options, async (waiting) => {
      await this.#tables.delete(name, waiting)
      this.#tablets.locations.clear()
    })
  }

  /** The names of the tables that begin with a text, in order. */
  listTables(prefix = '', options?: CallOptions): Promise<readonly string[]> {
    return this.#run('listTables', options, (waiting) => this.#tables.list(prefix, waiting))
  }

  /** Whether a table exists. */
  tableExists(name: string, options?: CallOptions): Promise<boolean> {
    return this.#run('tableExists', options, (waiting) => this.#tables.exists(name, waiting))
  }

  /** Rows and bytes of a table and of its tablets, as the servers told the master some seconds ago. */
  statistics(table: KuduTable, options?: CallOptions): Promise<TableStatistics> {
    return this.#ofTable('statistics', table, options, (waiting) => this.#tables.statistics(table, waiting))
  }

  /** The tablets that can have rows of a scan, in the order of their partitions. */
  tablets(table: KuduTable, scan: TabletsScan = {}, options?: CallOptions): Promise<Tablet[]> {
    return this.#ofTable('tablets', table, options, async (waiting) => {
      const ranges = refusing(waiting.call, () => {
        checkObject('scan', scan)
        checkNames(scan, tabletsNames, 'scan')
        return prunedRanges(table, factsOf(table, scan))
      })
      const located = await this.#tablets.locations.within(table, ranges, waiting, scan.isRemembered)
      return located.map((each) => tabletOf(table, each))
    })
  }

  /** Writes a new row. @throws KuduError with `ALREADY_PRESENT` if there is one with its key */
  insert(table: KuduTable, row: Row | RowValues, options?: CallOptions): Promise<void> {
    return this.#writeOne('insert', table, row, options)
  }

  /** Writes columns of a row; those that are not set stay. @throws KuduError with `NOT_FOUND` if there is no row with its key */
  update(table: KuduTable, row: Row | RowValues, options?: CallOptions): Promise<void> {
    return this.#writeOne('update', table, row, options)
  }

  /** Writes a row, or the columns that are set of the one with its key. */
  upsert(table: KuduTable, row: Row | RowValues, options?: CallOptions): Promise<void> {
    return this.#writeOne('upsert', table, row, options)
  }

  /** Deletes the row with a key. @throws KuduError with `NOT_FOUND` if there is none */
  delete(table: KuduTable, key: Row | RowValues, options?: CallOptions): Promise<void> {
    return this.#writeOne('delete', table, key, options)
  }

  /**
   * Writes rows, each for itself; those of one key in their order. Nothing is sent if one of the operations is wrong in itself. Those of one
   * tablet are one request up to 16 MiB, which readers see as a whole, and which is executed once, however often it must be sent.
   */
  async write(table: KuduTable, operations: readonly Operation[], options?: CallOptions): Promise<WriteResult> {
    return { errors: await this.#ofTable('write', table, options, (waiting) => this.#writer.write(table, operations, waiting)) }
  }

  /** The row with a key; undefined if there is none. */
  get(table: KuduTable, key: Row | RowValues, options: GetOptions = {}): Promise<ReadRow | undefined> {
    return this.#ofTable('get', table, options, (waiting) => get(this.#tablets, table, key, options.columns, waiting), getNames)
  }

  /** The rows with these keys in their order; undefined where there is none. */
  getMany(table: KuduTable, keys: readonly (Row | RowValues)[], options: GetOptions = {}): Promise<(ReadRow | undefined)[]> {
    return this.#ofTable('getMany', table, options, (waiting) => getMany(this.#tablets, table, keys, options.columns, waiting), getNames)
  }

  /** Reads rows in batches. `timeout` counts for each batch. @throws KuduError with `INVALID_ARGUMENT` */
  scan(table: KuduTable, scan: Scan = {}, options?: CallOptions): Scanner {
    const plan = refusing('scan', () => {
      checkTable(table)
      checkOptions(options, callNames)
      return planOf(table, scan)
    })
    return new Scanner(this.#tablets, table, plan, () => {
      if (this.#isClosed) throw closed('scan')
      return new Waiting('scan', options ?? {}, this.#settings.timeout)
    })
  }

  async #writeOne(type: OperationType, table: KuduTable, row: Row | RowValues, options: CallOptions | undefined): Promise<void> {
    const [error] = await this.#ofTable(type, table, options, (waiting) => this.#writer.write(table, [{ type, row }], waiting))
    if (error !== undefined) throw error
  }

  #ofTable<Value>(
    call: string,
    table: KuduTable,
    options: CallOptions | undefined,
    work: (waiting: Waiting) => Promise<Value>,
    names?: Names<CallOptions>,
  ): Promise<Value> {
    return this.#run(
      call,
      options,
      (waiting) => {
        refusing(call, () => checkTable(table))
        return work(waiting)
      },
      names,
    )
  }

  async #run<Value>(
    call: string,
    options: CallOptions = {},
    work: (waiting: Waiting) => Promise<Value>,
    names: Names<CallOptions> = callNames,
  ): Promise<Value> {
    if (this.#isClosed) throw closed(call)
    refusing(call, () => checkOptions(options, names))
    const running = Waiting.during(call, options, this.#settings.timeout, work)
    this.#running.add(running)
    try {
      return await running
    } finally {
      this.#running.delete(running)
    }
  }
}

const closed = (call: string): KuduError =>
  new KuduError('CLOSED', `${call}() was not sent: the client was closed.`, { call, isSent: false })

/** A name, for example, has no columns. */
function checkTable(table: KuduTable): void {
  checkObject('table', table)
  if (!Array.isArray(table.columns)) throw new Refusal('table', 'is no table. Give what openTable() returns')
}

function checkOptions(options: CallOptions = {}, names: Names<CallOptions>): void {
  checkObject('options', options)
  checkNames(options, names, 'options')
  const { timeout, signal } = options
  if (timeout !== undefined && !(Number.isInteger(timeout) && timeout >= 1 && timeout <= maxTimeout)) {
    const given = typeof timeout === 'number' ? timeout : kindOf(timeout)
    throw new Refusal('options.timeout', `is ${given}. Give a whole number from 1 to ${maxTimeout}`)
  }
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw new Refusal('options.signal', `is ${kindOf(signal)}. Give an AbortSignal`)
}

function tabletOf({ hash }: KuduTable, { id, buckets, start, end, replicas }: LocatedTablet): Tablet {
  const prefix = 4 * hash.length
  return { id, buckets, rangeStart: start.subarray(prefix), rangeEnd: end.subarray(prefix), replicas }
}
