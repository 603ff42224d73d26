import type {
  InferFullWhere,
  InferInsert,
  InferKey,
  InferPatch,
  InferRow,
  InferWhere,
  InferWrites,
  Model,
  TableSchema,
} from '@rowkey/model'
import type { FullScan, FullScanOptions } from './full-scan-types.js'
import type { Scan, ScanOptions } from './scan-types.js'

/** What a write resolves to: the whole key, generated parts included. */
export interface Written<M extends Model> {
  readonly key: InferKey<M>
}

/** Options of reads by key. */
export interface GetOptions {
  /** Default strong. */
  consistency?: 'strong' | 'eventual'
  signal?: AbortSignal
}

/** Reads and unconditional writes; every table has them. */
export interface TableMethods<M extends Model> {
  /** The compiled schema, with the mapper's prefix in its name. */
  readonly schema: TableSchema
  /** The row with this key, undefined if there is none. */
  get(key: InferKey<M>, options?: GetOptions): Promise<InferRow<M> | undefined>
  /** The row with this key. @throws RowkeyError `ROW_MISSING` */
  getOrThrow(key: InferKey<M>, options?: GetOptions): Promise<InferRow<M>>
  exists(key: InferKey<M>, options?: GetOptions): Promise<boolean>
  /** Rows in the order of the keys, undefined where there is none; a key may be asked for twice. */
  getMany(keys: readonly InferKey<M>[], options?: GetOptions): Promise<(InferRow<M> | undefined)[]>
  /** Writes the whole row, over one that may be there: columns left out are null or their default afterwards. */
  put(row: InferInsert<M>): Promise<Written<M>>
  /** Puts many rows in any order; of several with one key the last stays. @throws RowkeyError `WRITE_INCOMPLETE` */
  putMany(rows: readonly InferInsert<M>[]): Promise<void>
  /** Deletes the row if it is there. */
  delete(key: InferKey<M>): Promise<void>
  /** @throws RowkeyError `WRITE_INCOMPLETE` */
  deleteMany(keys: readonly InferKey<M>[]): Promise<void>
  /** Rows by key range, in key order; nothing happens until the scan is used. */
  scan<Name extends keyof InferRow<M>>(
    where: InferWhere<M>,
    options: ScanOptions<M, Name> & { select: readonly Name[]; allowFullScan?: false },
  ): Scan<Pick<InferRow<M>, Name>>
  scan(where: InferWhere<M>, options?: ScanOptions<M> & { allowFullScan?: false }): Scan<InferRow<M>>
  scan<Name extends keyof InferRow<M>>(
    where: InferFullWhere<M>,
    options: ScanOptions<M, Name> & { select: readonly Name[]; allowFullScan: true },
  ): Scan<Pick<InferRow<M>, Name>>
  scan(where: InferFullWhere<M>, options: ScanOptions<M> & { allowFullScan: true }): Scan<InferRow<M>>
  /** Every row of the table, in any order and page by page, with checkpoints to resume at; nothing happens until it is used. */
  fullScan<Name extends keyof InferRow<M>>(
    options: FullScanOptions<M, Name> & { select: readonly Name[] },
  ): FullScan<Pick<InferRow<M>, Name>>
  fullScan(options?: FullScanOptions<M>): FullScan<InferRow<M>>
  /** The rowkey of a key. */
  encodeKey(key: InferKey<M>): Uint8Array
  /** The key of a rowkey. @throws RowkeyError `MALFORMED_KEY` */
  decodeKey(rowkey: Uint8Array): InferKey<M>
}

/** Writes that look before they write; tables with `writes: 'plain'` do not have them. */
export interface ConditionalMethods<M extends Model> {
  /** Writes a new row. @throws RowkeyError `ROW_EXISTS` */
  insert(row: InferInsert<M>): Promise<Written<M>>
  /** Changes value columns of a row that is there; null clears. @throws RowkeyError `ROW_MISSING`, `KEY_IMMUTABLE` */
  update(key: InferKey<M>, patch: InferPatch<M>): Promise<void>
}

/**
 * The rows of one table, typed by its model.
 *
 * @example
 * ```ts
 * const logs = db.repository(LogEvent)
 * await logs.insert({ host: 'web-1', event: 'login', at: new Date(), seq: 1, message: null })
 * const newest = await logs.scan({ host: 'web-1', event: 'login' }, { limit: 10 }).toArray()
 * ```
 */
export type Repository<M extends Model> = TableMethods<M> & ([InferWrites<M>] extends ['plain'] ? unknown : ConditionalMethods<M>)
