// Also tested by packages/rowkey/test/mapper/index-interleavings.test.ts.
import type { Row } from '#codec'
import { show } from '#codec/internal'
import { durationMs, type Duration, type TableIndex } from '#model'
import { inTime, type Mutation, type ReadOptions } from '#store/adapter'
import { distinctKeys, entryOf, getRows, isEntryOf, rowKeysOf, writeError, type WriteRequest } from '#store/engine'
import { RowkeyError } from '#codec'
import { cancelRules, type CancelOptions } from '../call/cancellation.js'
import { checkOptions, isFlag, isParallel } from '../call/check-options.js'
import { timeOfUlid } from '../rows/ulid.js'
import type { TableHandle } from '../table/table-handle.js'
import { eachBatch, type Reading } from './each-batch.js'

/** Options of `db.verifyIndex()`. */
export interface VerifyIndexOptions extends CancelOptions {
  /** Whether stale entries are removed and missing ones put. Default false: they are only counted. */
  repair?: boolean
  /**
   * `repair`: removes stale entries that nobody has put for longer than this. Default `'1d'`, at least `'1h'`. Give more than ten times as long as a write
   * may take: an entry is put before its row, and a write that is still on its way needs it.
   */
  olderThan?: Duration
  /** Parts of the tables that are read at a time; default 1, at most 16. */
  parallel?: number
}

/** What an index looks like beside its table. */
export interface IndexReport {
  readonly entries: number
  readonly rows: number
  /** Entries whose rows have other values by now, or do not exist any more. They cost a read each, and are never returned. */
  readonly stale: number
  /** Stale entries that were removed. */
  readonly removed: number
  /** Rows without their entry, which scans of the index do not find. */
  readonly missing: number
  /** Missing entries that were put. */
  readonly added: number
}

const leastAge = 3_600_000 // milliseconds
const defaultAge: Duration = '1d'

/** Compares the entries of an index with the rows of its table. */
export async function verifyIndex(handle: TableHandle, index: TableIndex, options: VerifyIndexOptions): Promise<IndexReport> {
  const isAge = { wants: "a duration such as '1d'", fits: (given: unknown) => durationMs(given) !== undefined }
  checkOptions('verifyIndex()', options, { repair: isFlag, olderThan: isAge, parallel: isParallel, ...cancelRules })
  const { repair = false, olderThan = defaultAge, parallel } = options
  const age = durationMs(olderThan) as number
  if (age < leastAge) {
    const message = `verifyIndex() cannot remove entries that were put less than an hour ago: a write that is still on its way may need them. Give olderThan at least '1h', not ${show(olderThan)}.`
    throw new RowkeyError('INVALID_OPTION', message, { option: 'olderThan', value: show(olderThan) })
  }
  const cancellation = handle.cancellation(options, 'verifyIndex')
  cancellation?.throwIfOver()
  await handle.mustHave(index, cancellation)
  // LMDB hides what a program has committed while it died until somebody writes: an entry would look stale whose row is still to appear.
  if (repair) await inTime(cancellation, handle.mapper.adapter.ensureTable(index.schema, { cancellation, clock: handle.mapper.clock }))
  const verifying = new Verifying(handle, index, { parallel, cancellation }, repair ? age : undefined)
  await verifying.entriesOfRows()
  await verifying.rowsOfEntries()
  return verifying.report
}

class Verifying {
  readonly report: { -readonly [Name in keyof IndexReport]: number } = { entries: 0, rows: 0, stale: 0, removed: 0, missing: 0, added: 0 }
  private readonly handle: TableHandle
  private readonly entries: TableHandle
  private readonly index: TableIndex
  private readonly reading: Reading
  private readonly read: ReadOptions
  /** Of stale entries that are removed, in milliseconds; undefined: nothing is repaired. */
  private readonly age: number | undefined

  constructor(handle: TableHandle, index: TableIndex, reading: Reading, age: number | undefined) {
    this.handle = handle
    this.entries = handle.entries(index)
    this.index = index
    this.reading = reading
    this.read = { consistency: 'strong', cancellation: reading.cancellation }
    this.age = age
  }

  /** Looks for entries without their row. */
  async rowsOfEntries(): Promise<void> {
    const { handle, index, report, entries } = this
    // By the time before anything was read: the write that has put an entry must have ended when the row is read, and answers can take long to arrive.
    const began = handle.mapper.clock()
    await eachBatch(entries, this.reading, async (batch) => {
      report.entries += batch.length
      const stale = await this.stale(batch)
      report.stale += stale.length
      if (this.age === undefined) return
      const before = began - this.age
      const { versionIndex, keyLength } = index.schema
      const old = stale.filter((entry) => versionIndex >= 0 && isBefore(entry[versionIndex], before))
      const removals = old.map((entry): Mutation => ({
        kind: 'delete',
        schema: index.schema,
        row: entry.slice(0, keyLength),
        version: entry[versionIndex] as string,
      }))
      if (removals.length === 0) return
      const outcomes = await handle.mapper.sender.each([entries], removals, this.request())
      report.removed += outcomes.filter(({ kind }) => kind === 'applied').length
      // Put again, or removed by somebody else: both are as they should be.
      const open = outcomes.map((outcome) =>
        outcome.kind === 'conflict' || outcome.kind === 'missing' ? { kind: 'applied' as const } : outcome,
      )
      if (!open.every(({ kind }) => kind === 'applied')) throw writeError(removals, open, this.request())
    })
  }

  /** Looks for rows without their entry. */
  async entriesOfRows(): Promise<void> {
    const { handle, index, report, entries } = this
    await eachBatch(handle, this.reading, async (batch) => {
      report.rows += batch.length
      const lacking = await this.lacking(batch)
      // It may have changed in the meantime: only what lacks its entry as it is now is told.
      const again = lacking.length === 0 ? [] : await this.lacking(await this.now(lacking))
      report.missing += again.length
      if (this.age === undefined || again.length === 0) return
      await handle.mapper.sender.enter([entries], index, again, handle.schema, this.request())
      report.added += again.length
    })
  }

  private async stale(batch: readonly Row[]): Promise<readonly Row[]> {
    const { handle, index } = this
    const { keys, places } = distinctKeys(handle.schema, batch.map(rowKeysOf(handle.schema, index)))
    const rows = await getRows(handle.schema, await handle.store(this.reading.cancellation), keys, this.read)
    return batch.filter((entry, at) => {
      const row = rows[places === undefined ? at : (places[at] as number)]
      return row === undefined || !isEntryOf(index, entry, row)
    })
  }

  private async lacking(rows: readonly Row[]): Promise<readonly Row[]> {
    const { handle, index, entries } = this
    const wanted = rows.flatMap((row) => {
      const entry = entryOf(index, row)
      return entry === undefined ? [] : [{ row, key: entry.slice(0, index.schema.keyLength) }]
    })
    if (wanted.length === 0) return []
    const found = await getRows(index.schema, await entries.store(this.reading.cancellation), wanted.map(({ key }) => key), this.read) // prettier-ignore
    const { schema } = handle
    const keyOf = rowKeysOf(schema, index)
    const isIn = (entry: Row | undefined, row: Row): boolean =>
      entry !== undefined && (!index.unique || schema.layout.compareRows(keyOf(entry), row) === 0)
    return wanted.flatMap(({ row }, at) => (isIn(found[at], row) ? [] : [row]))
  }

  private async now(rows: readonly Row[]): Promise<readonly Row[]> {
    const { handle } = this
    const keys = rows.map((row) => row.slice(0, handle.schema.keyLength))
    const found = await getRows(handle.schema, await handle.store(this.reading.cancellation), keys, this.read)
    return found.filter((row) => row !== undefined)
  }

  private request(): WriteRequest {
    const { mapper } = this.handle
    return { attempts: mapper.attempts, now: mapper.clock(), cancellation: this.reading.cancellation }
  }
}

const isBefore = (version: unknown, before: number): boolean => {
  const time = typeof version === 'string' ? timeOfUlid(version) : undefined
  return time !== undefined && time < before
}
