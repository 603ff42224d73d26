// Tested by requests.test.ts and real.test.ts.
import { Caller } from './caller.js'
import { HBaseError } from './error.js'
import { areEqual, checkCount, checkSome, each, Refusal } from './encode/limits.js'
import { checkNamespace, writeTable, writeTableName } from './encode/names.js'
import { writeGet, writeScan } from './encode/reads.js'
import { writeDescriptor, writeFamily, writeSplitKeys } from './encode/tables.js'
import { checkSameRow, writeCheck, writeComparison, writeDelete, writeIncrement, writeMutations, writePut } from './encode/writes.js'
import { result, results } from './decode/results.js'
import { regions, tableDescriptor } from './decode/tables.js'
import { settingsOf, type HBaseClientOptions } from './options.js'
import type {
  CallOptions,
  Check,
  ColumnFamily,
  CompareOperator,
  Delete,
  Get,
  Increment,
  Put,
  Region,
  Result,
  RowMutation,
  Scan,
  TableDescriptor,
} from './requests.js'
import { bool, int32, list, text } from './thrift/read.js'
import { STRUCT } from './thrift/types.js'
import type { Answer } from './transport/pending.js'

const texts = list(text, 4)

/**
 * A client of HBase's Thrift2 gateway. Nothing is sent before the first call. Calls that do not wait for each other may be executed in any
 * order. Tables are named `table` or `namespace:table`. Every promise is rejected with an {@link HBaseError} if at all.
 *
 * @example
 * ```ts
 * const client = new HBaseClient({ host: '127.0.0.1', port: 9090 })
 * const row = Buffer.from('ann')
 * await client.put('users', { row, cells: [{ family: Buffer.from('f'), qualifier: Buffer.from('age'), value: Buffer.from('30') }] })
 * const { cells } = await client.get('users', { row })
 * await client.close()
 * ```
 */
export class HBaseClient {
  /** How requests are carried. */
  readonly transport: 'unframed' | 'framed' | 'http'
  readonly #caller: Caller

  /** @throws HBaseError with `INVALID_ARGUMENT` for an option that is wrong */
  constructor(options: HBaseClientOptions = {}) {
    const settings = settingsOf(options)
    this.transport = settings.transport
    this.#caller = new Caller(settings)
  }

  /** Refuses further calls with `CLOSED`. Resolves when the running ones have ended, at the latest when their time is over. */
  close(): Promise<void> {
    return this.#caller.close()
  }

  /** The cells of a row. `row` of the result is undefined if there is none. */
  get(table: string, get: Get, options?: CallOptions): Promise<Result> {
    return this.#caller.call('get', result, options, (writer) => {
      writeTable(writer, table)
      writer.struct(2)
      writeGet(writer, get)
    })
  }

  /** Rows in the order of the request; those that do not exist are results without `row`. Thrift: getMultiple. */
  async getMany(table: string, gets: readonly Get[], options?: CallOptions): Promise<Result[]> {
    const rows = await this.#caller.call('getMany', results(Array.isArray(gets) ? gets.length : 0), options, (writer) => {
      writeTable(writer, table)
      checkSome('gets', gets)
      writer.list(2, STRUCT, gets.length)
      each('gets', gets, (get) => writeGet(writer, get))
    })
    if (rows.length === gets.length) return rows
    const problem = `getMany() was answered wrongly: it has ${rows.length} rows, and ${gets.length} were asked for.`
    throw new HBaseError('MALFORMED_ANSWER', problem, { call: 'getMany', isSent: true })
  }

  /** Writes cells of one row. */
  put(table: string, put: Put, options?: CallOptions): Promise<void> {
    return this.#caller.call('put', undefined, options, (writer) => {
      writeTable(writer, table)
      writer.struct(2)
      writePut(writer, put)
    })
  }

  /** Writes cells of rows, each row for itself: after an error some of them may be written. Of one row that is there twice the last one counts. Thrift: putMultiple. */
  putMany(table: string, puts: readonly Put[], options?: CallOptions): Promise<void> {
    return this.#caller.call('putMany', undefined, options, (writer) => {
      writeTable(writer, table)
      checkSome('puts', puts)
      writer.list(2, STRUCT, puts.length)
      each('puts', puts, (put) => writePut(writer, put))
    })
  }

  /** Deletes a row or some of its columns. Thrift: deleteSingle. */
  delete(table: string, request: Delete, options?: CallOptions): Promise<void> {
    return this.#caller.call('delete', undefined, options, (writer) => {
      writeTable(writer, table)
      writer.struct(2)
      writeDelete(writer, request)
    })
  }

  /** Deletes rows or some of their columns, each row for itself: after an error some of them may be deleted. Thrift: deleteMultiple. */
  deleteMany(table: string, deletes: readonly Delete[], options?: CallOptions): Promise<void> {
    return this.#caller.call('deleteMany', undefined, options, (writer) => {
      writeTable(writer, table)
      checkSome('deletes', deletes)
      writer.list(2, STRUCT, deletes.length)
      each('deletes', deletes, (request) => writeDelete(writer, request))
    })
  }

  /** Writes cells if a column of the same row has a value, or is absent. Returns whether it did. */
  checkAndPut(table: string, check: Check, put: Put, options?: CallOptions): Promise<boolean> {
    return this.#caller.call('checkAndPut', bool, options, (writer) => {
      writeTable(writer, table)
      const isAbsent = writeCheck(writer, check)
      if (!isAbsent) writer.binary(5, check.value as Uint8Array)
      checkSameRow(writer, 'put.row', check, put.row)
      writer.struct(6)
      writePut(writer, put)
    })
  }

  /** Deletes if a column of the same row has a value, or is absent. Returns whether it did. */
  checkAndDelete(table: string, check: Check, request: Delete, options?: CallOptions): Promise<boolean> {
    return this.#caller.call('checkAndDelete', bool, options, (writer) => {
      writeTable(writer, table)
      const isAbsent = writeCheck(writer, check)
      if (!isAbsent) writer.binary(5, check.value as Uint8Array)
      checkSameRow(writer, 'delete.row', check, request.row)
      writer.struct(6)
      writeDelete(writer, request)
    })
  }

  /** Changes a row if `value` of the check compares so with a column of it. Returns whether it did. All changes are made, or none. */
  checkAndMutate(
    table: string,
    check: Check,
    operator: CompareOperator,
    mutations: readonly RowMutation[],
    options?: CallOptions,
  ): Promise<boolean> {
    return this.#caller.call('checkAndMutate', bool, options, (writer) => {
      writeTable(writer, table)
      writeComparison(writer, check, operator)
      writer.struct(7)
      writeMutations(writer, check.row, mutations)
    })
  }

  /** Changes one row. All changes are made, or none. */
  mutateRow(table: string, row: Uint8Array, mutations: readonly RowMutation[], options?: CallOptions): Promise<void> {
    return this.#caller.call('mutateRow', undefined, options, (writer) => {
      writeTable(writer, table)
      writer.struct(2)
      writeMutations(writer, row, mutations)
    })
  }

  /** Adds to cells of 8 bytes, and returns the sums unless the request says otherwise. */
  increment(table: string, increment: Increment, options?: CallOptions): Promise<Result> {
    return this.#caller.call('increment', result, options, (writer) => {
      writeTable(writer, table)
      writer.struct(2)
      writeIncrement(writer, increment)
    })
  }

  /** The first rows of a scan, at most `rows`. Give `limit` as well: without it the server reads ahead. Thrift: getScannerResults. */
  async scan(table: string, scan: Scan, rows: number, options?: CallOptions): Promise<Result[]> {
    const read = this.#caller.prepare('scan', results(rows), (writer) => {
      writeTable(writer, table)
      writer.struct(2)
      writeScan(writer, scan)
      checkCount('rows', rows, 1)
      writer.int32(3, rows)
    })
    // HBase would take it as a get.
    return isEmptyRange(scan) ? [] : this.#caller.send(read, options)
  }

  /** Opens a scanner, and returns its number. The server forgets it when nobody asks for rows for a minute. */
  openScanner(table: string, scan: Scan, options?: CallOptions): Promise<number> {
    return this.#caller.call('openScanner', int32, options, (writer) => {
      writeTable(writer, table)
      writer.struct(2)
      writeScan(writer, scan)
      if (isEmptyRange(scan)) throw new Refusal('scan', 'starts where it stops, which HBase would take as a get')
    })
  }

  /** The next rows of a scanner, at most `rows`; none at its end. */
  getScannerRows(scanner: number, rows: number, options?: CallOptions): Promise<Result[]> {
    return this.#caller.call('getScannerRows', results(rows), options, (writer) => {
      checkCount('scanner', scanner, 0)
      writer.int32(1, scanner)
      checkCount('rows', rows, 1)
      writer.int32(2, rows)
    })
  }

  /** Closes a scanner, before or at its end. */
  closeScanner(scanner: number, options?: CallOptions): Promise<void> {
    return this.#caller.call('closeScanner', undefined, options, (writer) => {
      checkCount('scanner', scanner, 0)
      writer.int32(1, scanner)
    })
  }

  /** The regions of a table, in the order of their rows. Thrift: getAllRegionLocations. */
  regions(table: string, options?: CallOptions): Promise<Region[]> {
    return this.#caller.call('regions', regions, options, (writer) => writeTable(writer, table))
  }

  /** Creates a table, divided into regions at `splitKeys`. */
  createTable(descriptor: TableDescriptor, splitKeys: readonly Uint8Array[] = [], options?: CallOptions): Promise<void> {
    return this.#caller.call('createTable', undefined, options, (writer) => {
      writeDescriptor(writer, 1, descriptor)
      writeSplitKeys(writer, 2, splitKeys)
    })
  }

  /** Deletes a table that is disabled, and all its rows. */
  deleteTable(table: string, options?: CallOptions): Promise<void> {
    return this.#callForTable('deleteTable', undefined, table, options)
  }

  /** Disables a table: from then on nobody reads or writes it. */
  disableTable(table: string, options?: CallOptions): Promise<void> {
    return this.#callForTable('disableTable', undefined, table, options)
  }

  /** Enables a table that was disabled. */
  enableTable(table: string, options?: CallOptions): Promise<void> {
    return this.#callForTable('enableTable', undefined, table, options)
  }

  /** Whether a table is enabled. */
  isTableEnabled(table: string, options?: CallOptions): Promise<boolean> {
    return this.#callForTable('isTableEnabled', bool, table, options)
  }

  /** Whether a table exists. */
  tableExists(table: string, options?: CallOptions): Promise<boolean> {
    return this.#callForTable('tableExists', bool, table, options)
  }

  /** What a table is: its families and attributes. */
  getTableDescriptor(table: string, options?: CallOptions): Promise<TableDescriptor> {
    return this.#callForTable('getTableDescriptor', tableDescriptor, table, options)
  }

  /** Makes a table what the descriptor says: what is not in it goes. */
  modifyTable(descriptor: TableDescriptor, options?: CallOptions): Promise<void> {
    return this.#caller.call('modifyTable', undefined, options, (writer) => writeDescriptor(writer, 1, descriptor))
  }

  /** Makes a family what it says: what is not in it gets its default. So read, change and write. */
  modifyColumnFamily(table: string, family: ColumnFamily, options?: CallOptions): Promise<void> {
    return this.#caller.call('modifyColumnFamily', undefined, options, (writer) => {
      writeTableName(writer, 1, table)
      writer.struct(2)
      writeFamily(writer, family)
    })
  }

  /** The names of all namespaces. */
  listNamespaces(options?: CallOptions): Promise<string[]> {
    return this.#caller.call('listNamespaces', texts, options, () => undefined)
  }

  /** Creates a namespace. */
  createNamespace(name: string, options?: CallOptions): Promise<void> {
    return this.#caller.call('createNamespace', undefined, options, (writer) => {
      checkNamespace('name', name)
      writer.struct(1)
      writer.text(1, name)
      writer.stop()
    })
  }

  /** Names the cluster among all others. It stays the same when all its servers are replaced. */
  getClusterId(options?: CallOptions): Promise<string> {
    return this.#caller.call('getClusterId', text, options, () => undefined)
  }

  /** What the gateway speaks: 2 is Thrift2. */
  getThriftServerType(options?: CallOptions): Promise<number> {
    return this.#caller.call('getThriftServerType', int32, options, () => undefined)
  }

  #callForTable<Value>(call: string, answer: Answer<Value>, table: string, options: CallOptions | undefined): Promise<Value> {
    return this.#caller.call(call, answer, options, (writer) => writeTableName(writer, 1, table))
  }
}

const isEmptyRange = ({ start, stop }: Scan): boolean =>
  start !== undefined && stop !== undefined && start.length > 0 && areEqual(start, stop)
