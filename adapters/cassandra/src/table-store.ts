import type { PageSource, ReadOptions, Row, Slice, TableStore } from '@rowkey/store'
import { FullScan } from './full-scan.js'
import { getRows } from './get.js'
import { purgeExpired } from './purge.js'
import { scanSlice } from './scan.js'
import type { CassandraTable } from './table.js'

/** The reads of a table. */
export class CassandraReads implements TableStore {
  private readonly table: CassandraTable

  constructor(table: CassandraTable) {
    this.table = table
  }

  async get(keys: readonly Row[], options: ReadOptions): Promise<readonly (Row | undefined)[]> {
    this.table.operations.mustBeOpen()
    return getRows(this.table, this.table.reader(options.columns), keys, options)
  }

  scan(slice: Slice, options: ReadOptions): PageSource {
    return scanSlice(this.table, this.table.reader(options.columns), slice, options)
  }

  fullScan(checkpoint: string | undefined, options: ReadOptions): PageSource {
    return new FullScan(this.table, this.table.reader(options.columns), checkpoint, options)
  }

  purgeExpired(now: number, limit: number): Promise<number> {
    return this.table.schema.expiryAt < 0 ? Promise.resolve(0) : this.table.operations.run(() => purgeExpired(this.table, now, limit))
  }
}
