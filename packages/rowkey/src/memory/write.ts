import {
  applied,
  appliedTo,
  dependsOnValues,
  failedBy,
  heldRow,
  isUnconditional,
  judge,
  keyOf,
  latin1String,
  type Mutation,
  type Outcome,
  type Row,
  type TableSchema,
  unmetPrecondition,
  unprocessed,
  type Verdict,
  type WriteOptions,
} from '#store/adapter'
import type { MemoryTable } from './table.js'

/** Where the rows of a mutation live. */
export type TableOf = (schema: TableSchema) => MemoryTable

/** A mutation that has passed its checks. */
class Accepted {
  readonly mutation: Mutation
  readonly table: MemoryTable
  readonly rowkey: string
  /** The existing record; undefined if it was not looked up. */
  readonly current: Row | undefined
  /** What it makes of the existing row, if it has to be computed from that row. */
  readonly verdict: Verdict | undefined

  constructor(mutation: Mutation, table: MemoryTable, rowkey: string, current: Row | undefined, verdict: Verdict | undefined) {
    this.mutation = mutation
    this.table = table
    this.rowkey = rowkey
    this.current = current
    this.verdict = verdict
  }

  apply(): Outcome {
    const { mutation, rowkey, verdict } = this
    const { stored, rows } = this.table
    const change = verdict ?? mutation
    switch (change.kind) {
      case 'delete':
      case 'remove':
        stored.records.delete(rowkey)
        return applied
      case 'update':
      case 'patch': {
        const record = rows.patched(this.current as Row, change.row, change.set)
        stored.records.set(rowkey, record)
        return this.returns ? appliedTo(heldRow(() => rows.read(record, undefined))) : applied
      }
      case 'put':
      case 'insert':
      case 'store':
        stored.records.set(rowkey, this.keepsNulls ? this.merged() : rows.toRecord(change.row))
        return this.returns ? appliedTo(change.row) : applied
      case 'outcome':
        return change.outcome
    }
  }

  /** Of a put that leaves columns as they are, like a store that has the capability `unsetNulls`. */
  private get keepsNulls(): boolean {
    return leavesNulls(this.mutation) && this.current !== undefined
  }

  /** The existing record with the columns of the row that are not null. */
  private merged(): Row {
    const { row } = this.mutation
    const written = row.flatMap((value, position) => (value === null ? [] : [position]))
    return this.table.rows.patched(this.current as Row, row, written)
  }

  private get returns(): boolean {
    return this.mutation.kind === 'update' && this.mutation.returns === true
  }
}

const leavesNulls = (mutation: Mutation): boolean => mutation.kind === 'put' && mutation.nulls === 'unset'

/** Writes in the given order; what fails does not stop the others. */
export function writeEach(batch: readonly Mutation[], options: WriteOptions, tableOf: TableOf): readonly Outcome[] {
  const outcomes: Outcome[] = []
  for (const mutation of batch) outcomes.push(writeOne(mutation, options.now, tableOf))
  return outcomes
}

function writeOne(mutation: Mutation, now: number, tableOf: TableOf): Outcome {
  try {
    const table = tableOf(mutation.schema)
    const rowkey = latin1String(keyOf(mutation).bytes)
    const { records } = table.stored
    if (!isUnconditional(mutation) || leavesNulls(mutation)) {
      const checked = judged(mutation, table, rowkey, records.get(rowkey), now)
      return checked instanceof Accepted ? checked.apply() : checked
    }
    if (mutation.kind === 'delete') records.delete(rowkey)
    else records.set(rowkey, table.rows.toRecord(mutation.row))
    return applied
  } catch (cause) {
    return failedBy(cause)
  }
}

/** Checks all mutations, then writes all. The checks may fail, the writes cannot. */
export function writeAll(batch: readonly Mutation[], options: WriteOptions, tableOf: TableOf): readonly Outcome[] {
  const checks = batch.map((mutation) => check(mutation, options.now, tableOf))
  const accepted = checks.filter((one) => one instanceof Accepted)
  if (accepted.length < checks.length) return checks.map((one) => (one instanceof Accepted ? unprocessed : one))
  return accepted.map((one) => one.apply())
}

function check(mutation: Mutation, now: number, tableOf: TableOf): Accepted | Outcome {
  try {
    const table = tableOf(mutation.schema)
    const rowkey = latin1String(keyOf(mutation).bytes)
    const { records } = table.stored // throws if the table is gone, also for a mutation that looks nothing up
    if (isUnconditional(mutation) && !leavesNulls(mutation)) return new Accepted(mutation, table, rowkey, undefined, undefined)
    return judged(mutation, table, rowkey, records.get(rowkey), now)
  } catch (cause) {
    return failedBy(cause)
  }
}

/** Checks what a mutation requires of the record that was found. */
function judged(mutation: Mutation, table: MemoryTable, rowkey: string, found: Row | undefined, now: number): Accepted | Outcome {
  const { rows } = table
  const current = found === undefined || rows.isExpired(found, now) ? undefined : found
  if (dependsOnValues(mutation)) {
    const verdict = judge(mutation, current === undefined ? undefined : rows.read(current, undefined))
    return verdict.kind === 'outcome' ? verdict.outcome : new Accepted(mutation, table, rowkey, current, verdict)
  }
  const version = current?.[rows.places[mutation.schema.versionIndex] as number]
  const refused = unmetPrecondition(mutation, current !== undefined, version, () => rows.read(current as Row, undefined))
  return refused ?? new Accepted(mutation, table, rowkey, current, undefined)
}
