import { rowkeyOf, type Mutation, type Outcome, type Row, type TableSchema, type WriteOptions } from '@rowkey/store'
import { expired } from './expiry.js'
import type { MemoryTable } from './table-store.js'

const applied: Outcome = Object.freeze({ kind: 'applied' })
const missing: Outcome = Object.freeze({ kind: 'missing' })
const unprocessed: Outcome = Object.freeze({ kind: 'unprocessed' })

/** Where the rows of a mutation live. */
export type StoreOf = (schema: TableSchema) => MemoryTable

/** A mutation with its row found and its condition judged. */
interface Checked {
  readonly store: MemoryTable
  readonly rowkey: string
  readonly current: Row | undefined
  readonly refusal: Outcome | undefined
}

/** Writes in the given order; what fails does not stop the others. */
export function writeEach(batch: readonly Mutation[], options: WriteOptions, storeOf: StoreOf): readonly Outcome[] {
  return batch.map((mutation) => {
    try {
      const checked = check(mutation, options.now, storeOf)
      if (checked.refusal !== undefined) return checked.refusal
      apply(mutation, checked)
      return applied
    } catch (cause) {
      return { kind: 'failed', cause }
    }
  })
}

/** Checks everything, then writes everything; the first half may fail, the second cannot. */
export function writeAll(batch: readonly Mutation[], options: WriteOptions, storeOf: StoreOf): readonly Outcome[] {
  const checks = batch.map((mutation): Checked | { readonly refusal: Outcome } => {
    try {
      return check(mutation, options.now, storeOf)
    } catch (cause) {
      return { refusal: { kind: 'failed', cause } }
    }
  })
  if (checks.some(({ refusal }) => refusal !== undefined)) return checks.map(({ refusal }) => refusal ?? unprocessed)
  batch.forEach((mutation, i) => apply(mutation, checks[i] as Checked))
  return batch.map(() => applied)
}

function check(mutation: Mutation, now: number, storeOf: StoreOf): Checked {
  const { schema, row, kind, version } = mutation
  const store = storeOf(schema)
  const rowkey = rowkeyOf(schema, row)
  const { rows } = store.table
  if (version === undefined && (kind === 'put' || kind === 'delete')) return { store, rowkey, current: undefined, refusal: undefined }
  const { places } = store.records
  const found = rows.get(rowkey)
  const current = found === undefined || expired(found, places[schema.expiryAt] ?? -1, now) ? undefined : found
  return { store, rowkey, current, refusal: judge(mutation, current, store) }
}

/** Why the mutation must not be applied, undefined if it may be. */
function judge({ kind, version, schema }: Mutation, current: Row | undefined, { records }: MemoryTable): Outcome | undefined {
  if (kind === 'insert' && current !== undefined) return { kind: 'conflict', current: records.toRow(current) }
  if (kind === 'insert') return undefined
  if (current === undefined) return missing
  if (version === undefined || current[records.places[schema.versionAt] as number] === version) return undefined
  return { kind: 'conflict', current: records.toRow(current) }
}

function apply(mutation: Mutation, { store, rowkey, current }: Checked): void {
  const { rows } = store.table
  switch (mutation.kind) {
    case 'put':
    case 'insert':
      rows.set(rowkey, store.records.toRecord(mutation.row))
      return
    case 'update':
      rows.set(rowkey, store.records.patched(current as Row, mutation.row, mutation.set))
      return
    case 'delete':
      rows.delete(rowkey)
  }
}
