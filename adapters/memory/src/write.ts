import { applied, conflict, failedBy, keyOf, latin1String, missing, unprocessed } from '@rowkey/store/adapter'
import type { Mutation, Outcome, Row, TableSchema, WriteOptions } from '@rowkey/store/adapter'
import type { MemoryTable } from './table.js'

/** Where the rows of a mutation live. */
export type TableOf = (schema: TableSchema) => MemoryTable

/** A mutation that may be applied. */
class Accepted {
  readonly mutation: Mutation
  readonly table: MemoryTable
  readonly rowkey: string
  /** The existing record; undefined if it was not looked up. */
  readonly current: Row | undefined

  constructor(mutation: Mutation, table: MemoryTable, rowkey: string, current: Row | undefined) {
    this.mutation = mutation
    this.table = table
    this.rowkey = rowkey
    this.current = current
  }

  apply(): void {
    const { mutation, rowkey } = this
    const { stored, rows } = this.table
    switch (mutation.kind) {
      case 'put':
      case 'insert':
        stored.records.set(rowkey, rows.toRecord(mutation.row))
        return
      case 'update':
        stored.records.set(rowkey, rows.patched(this.current as Row, mutation.row, mutation.set))
        return
      case 'delete':
        stored.records.delete(rowkey)
    }
  }
}

/** Writes in the given order; what fails does not stop the others. */
export function writeEach(batch: readonly Mutation[], options: WriteOptions, tableOf: TableOf): readonly Outcome[] {
  const outcomes: Outcome[] = new Array<Outcome>(batch.length)
  for (let i = 0; i < batch.length; i++) outcomes[i] = writeOne(batch[i] as Mutation, options.now, tableOf)
  return outcomes
}

function writeOne(mutation: Mutation, now: number, tableOf: TableOf): Outcome {
  const checked = check(mutation, now, tableOf)
  if (!(checked instanceof Accepted)) return checked
  checked.apply()
  return applied
}

/** Checks all mutations, then writes all. The checks may fail, the writes cannot. */
export function writeAll(batch: readonly Mutation[], options: WriteOptions, tableOf: TableOf): readonly Outcome[] {
  const checks = batch.map((mutation) => check(mutation, options.now, tableOf))
  const accepted = checks.filter((one) => one instanceof Accepted)
  if (accepted.length < checks.length) return checks.map((one) => (one instanceof Accepted ? unprocessed : one))
  for (const one of accepted) one.apply()
  return checks.map(() => applied)
}

function check(mutation: Mutation, now: number, tableOf: TableOf): Accepted | Outcome {
  try {
    const table = tableOf(mutation.schema)
    const rowkey = latin1String(keyOf(mutation).bytes)
    const { records } = table.stored
    if (mutation.version === undefined && (mutation.kind === 'put' || mutation.kind === 'delete')) {
      return new Accepted(mutation, table, rowkey, undefined)
    }
    const found = records.get(rowkey)
    const current = found === undefined || table.rows.isExpired(found, now) ? undefined : found
    return refusal(mutation, current, table) ?? new Accepted(mutation, table, rowkey, current)
  } catch (cause) {
    return failedBy(cause)
  }
}

/** Why the mutation must not be applied, undefined if it may be. */
function refusal({ kind, version, schema }: Mutation, current: Row | undefined, { rows }: MemoryTable): Outcome | undefined {
  if (kind === 'insert') return current === undefined ? undefined : conflict(rows.toRow(current))
  if (current === undefined) return missing
  if (version === undefined || current[rows.places[schema.versionIndex] as number] === version) return undefined
  return conflict(rows.toRow(current))
}
