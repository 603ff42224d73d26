// Tested by copy-table.test.ts.
import type { Row, Value } from '#codec'
import type { SchemaColumn, TableSchema } from '#model'
import { type Cancellation, keyOf, type Mutation, type ReadOptions, rowkeyOf, typeFacts } from '#store/adapter'
import { fullScanPage, getRows, lastBegin, runFullScan } from '#store/engine'
import { mapperError } from '../call/errors.js'
import { keyText } from '../rows/missing.js'
import type { TableHandle } from '../table/table-handle.js'
import { CopiedKeys } from './copied-keys.js'
import type { CopiedRows } from './copied-rows.js'

/** A row of the source, and the put that copies it. */
export interface CopiedRow {
  readonly row: Row
  readonly mutation: Mutation
}

/**
 * Finds rows of the source that become one row of the target, where one of them would silently be lost. Nothing is remembered of a row whose
 * copy carries the key of the source in its own key; of others, the hashes of their keys.
 */
export class Collisions {
  private readonly from: TableHandle
  private readonly to: TableHandle
  private readonly copied: CopiedRows
  private readonly read: ReadOptions
  /** Where the key of the target has each key column of the source; undefined if it lacks one. */
  private readonly carried: readonly number[] | undefined
  private readonly keys = new CopiedKeys()

  constructor(from: TableHandle, to: TableHandle, copied: CopiedRows, cancellation: Cancellation | undefined) {
    this.from = from
    this.to = to
    this.copied = copied
    this.read = { consistency: 'strong', cancellation }
    this.carried = carriedColumns(from.schema, to.schema)
  }

  /** Looks at rows before they are written. @throws RowkeyError `COPY_COLLISION` */
  async refuse(rows: readonly CopiedRow[]): Promise<void> {
    const { carried, from } = this
    const others = carried === undefined ? rows : rows.filter(({ row, mutation }) => !carries(from.schema, carried, row, mutation.row))
    if (others.length === 0) return
    if (carried !== undefined) await this.refuseCarried(others, carried)
    for (const { row, mutation } of others) {
      const [target, source] = [keyOf(mutation).bytes, from.schema.layout.rowkey(row)]
      if (this.keys.add(target, source)) continue
      const other = await this.otherOf(row, mutation)
      if (other !== undefined) throw this.collision(row, other, mutation)
      this.keys.replace(target, source) // the other one was deleted, or is copied to another place now: nothing is lost
    }
  }

  /** The same for all rows of the source, which are read again: a copy that was continued has not seen those of the calls before. */
  async search(): Promise<void> {
    const now = this.from.mapper.clock()
    for await (const rows of this.pages()) {
      await this.refuse(
        rows.flatMap((row) => {
          const mutation = this.copied.mutation(row, now)
          return mutation === undefined ? [] : [{ row, mutation }]
        }),
      )
    }
  }

  /**
   * A copy that does not carry the key of its own row may have that of another one, which then carries it to the same place.
   * @throws RowkeyError `COPY_COLLISION`
   */
  private async refuseCarried(others: readonly CopiedRow[], carried: readonly number[]): Promise<void> {
    const { from, copied, read } = this
    const { schema } = from
    const keys = new Map<string, Row>()
    for (const { mutation } of others) {
      const key = carriedKey(schema, carried, mutation.row)
      if (key !== undefined) keys.set(rowkeyOf(schema, key), key)
    }
    if (keys.size === 0) return
    const now = from.mapper.clock()
    const places = new Map<string, Row>()
    const asked = [...keys.values()]
    const store = await from.store(read.cancellation, lastBegin(schema, asked))
    for (const row of await getRows(schema, store, asked, read)) {
      const mutation = row === undefined ? undefined : copied.mutation(row, now)
      if (row === undefined || mutation === undefined || !carries(schema, carried, row, mutation.row)) continue
      places.set(rowkeyOf(mutation.schema, mutation.row), row)
    }
    for (const { row, mutation } of others) {
      const other = places.get(rowkeyOf(mutation.schema, mutation.row))
      if (other !== undefined) throw this.collision(row, other, mutation)
    }
  }

  /** The other row of the source that becomes the same row; undefined if it was deleted, or changed, since it was copied. */
  private async otherOf(row: Row, { schema, row: target }: Mutation): Promise<Row | undefined> {
    const now = this.from.mapper.clock()
    const isOther = (each: Row): boolean => {
      if (this.from.schema.layout.compareRows(each, row) === 0) return false
      const mutation = this.copied.mutation(each, now)
      return mutation !== undefined && schema.layout.compareRows(mutation.row, target) === 0
    }
    for await (const rows of this.pages()) {
      const other = rows.find(isOther)
      if (other !== undefined) return other
    }
    return undefined
  }

  private async *pages(): AsyncGenerator<readonly Row[]> {
    const { from, read } = this
    const run = runFullScan(from.schema, () => from.store(read.cancellation), { read, clock: from.mapper.clock, checkpoints: undefined })
    try {
      for (;;) {
        const { rows, stop } = await run.take(fullScanPage, 1)
        if (stop === 'time') read.cancellation?.throwIfOver()
        yield rows
        if (stop === 'exhausted') return
      }
    } finally {
      run.close()
    }
  }

  private collision(row: Row, other: Row, { row: target }: Mutation): Error {
    const { from, to } = this
    const keys = [other, row].map((each) => from.rows.keyOf(each))
    const key = to.rows.keyOf(target)
    const message =
      `the rows of '${from.name}' with keys ${keyText(keys[0] as object)} and ${keyText(keys[1] as object)} both become the row with key ${keyText(key)} of '${to.name}', ` +
      'so one of them would be lost. Copy into a table whose key tells them apart, or leave one of them out in map and copy again with { overwrite: true }.'
    return mapperError('COPY_COLLISION', message, { from: from.name, table: to.name, keys, key })
  }
}

/** The positions of the source's key columns in the key of the target, if it has all of them, with values of the same kind. */
function carriedColumns(from: TableSchema, to: TableSchema): readonly number[] | undefined {
  const targets = to.columns.slice(0, to.keyLength)
  const found = from.columns
    .slice(0, from.keyLength)
    .map((column) => targets.findIndex((target) => target.name === column.name && kindOf(target) === kindOf(column)))
  return found.includes(-1) ? undefined : found
}

/** Integers of any width are of one kind: a wider column is a usual reason to copy a table. */
function kindOf({ type }: SchemaColumn): string {
  const { storage } = typeFacts(type)
  return storage.class === 'bigint' ? 'int' : storage.class
}

/** Whether a copy has the key of its row in its own key. Two such copies have different keys. */
function carries(source: TableSchema, carried: readonly number[], row: Row, target: Row): boolean {
  const key = carriedKey(source, carried, target)
  return key !== undefined && source.layout.compareRows(key, row) === 0
}

/** The key of the source that a copy carries; undefined if no row of the source can have it. */
function carriedKey({ columns }: TableSchema, carried: readonly number[], target: Row): Row | undefined {
  const key: Value[] = []
  for (const [i, at] of carried.entries()) {
    const { type } = columns[i] as SchemaColumn
    const value = inWidthOf(type, target[at] ?? null)
    if (value === null ? !type.nullable : !typeFacts(type).accepts(value)) return undefined
    key.push(value)
  }
  return key
}

/** An integer as a column of another width stores it. */
function inWidthOf(type: SchemaColumn['type'], value: Value): Value {
  const { storage } = typeFacts(type)
  if (storage.class === 'bigint' && typeof value === 'number') return BigInt(value)
  return storage.class === 'int' && typeof value === 'bigint' ? Number(value) : value
}
