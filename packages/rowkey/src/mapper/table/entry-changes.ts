// Tested by packages/rowkey/test/mapper/exact-index.test.ts.
import { compareKeys, type Row, type Value } from '#codec'
import type { TableIndex, TableSchema } from '#model'
import type { Mutation } from '#store/adapter'
import { entryOf, keyObject, keyText, rowOf, withPatch, type Verdict } from '#store/engine'
import { mapperError } from '../call/errors.js'
import { newUlid } from '../rows/ulid.js'
import { sameRow } from './same-row.js'

/** A mutation that goes with a write, in one batch. */
export interface Part {
  readonly mutation: Mutation
  /** The write, in its list. */
  readonly of: number
  /** The index whose entry it is; undefined: it is the row itself. */
  readonly index?: TableIndex
}

/** The row after a verdict; undefined if there is none. */
export function rowAfter(verdict: Verdict, found: Row | undefined): Row | undefined {
  if (verdict.kind === 'store') return verdict.row
  return verdict.kind === 'patch' && found !== undefined ? withPatch(found, verdict.row, verdict.set) : undefined
}

/** A write of what a mutation makes of the row that was found, on the condition that the row is still the same; undefined: there is nothing to do. */
export function guarded({ schema, kind, row, key }: Mutation, verdict: Verdict, found: Row | undefined): Mutation | undefined {
  if (found === undefined) return verdict.kind === 'store' ? { kind: 'insert', schema, row: verdict.row, key } : undefined
  const given = { schema, key, conditions: sameRow(schema, found) }
  if (verdict.kind === 'store') return { ...given, kind: 'put', row: verdict.row }
  if (verdict.kind === 'patch')
    return verdict.set.length === 0 ? undefined : { ...given, kind: 'update', row: verdict.row, set: verdict.set }
  return kind === 'delete' ? { ...given, kind, row } : undefined
}

/** Whether a mutation can change an entry of its row, so that the row has to be read first. */
export function changesEntries(mutation: Mutation): boolean {
  if (mutation.kind !== 'update' || mutation.create !== undefined) return true
  const { set, additions = [] } = mutation
  return mutation.schema.indexes.some(({ sources }) =>
    sources.some((at) => set.includes(at) || additions.some(({ column }) => column === at)),
  )
}

/**
 * Who has the entries that rows of unique indexes leave or change. Rows that are older than an index may have no entry, or share their values: only the row that
 * the entry names may remove or change it.
 */
export type Holders = (index: TableIndex, before: Row) => { readonly isOwn: boolean; readonly entry: Row } | undefined

/** Collects the entries that change with rows. An entry that one row leaves and another takes is one mutation. */
export class EntryChanges {
  private readonly byKey = new Map<string, Part>()
  private readonly guards = new Map<string, Part>()
  private readonly now: number
  private readonly holders: Holders | undefined

  /** @param holders undefined: each row is taken to have its entries */
  constructor(now: number, holders: Holders | undefined) {
    this.now = now
    this.holders = holders
  }

  get parts(): readonly Part[] {
    return [...this.byKey.values(), ...[...this.guards].flatMap(([key, guard]) => (this.byKey.has(key) ? [] : [guard]))]
  }

  /**
   * The entry of an index, of the write at `of`, before and after it. Returns the write that takes the same entry of a unique index, if there is one.
   */
  add(index: TableIndex, of: number, before: Row | undefined, after: Row | undefined): Part | undefined {
    const old = before === undefined ? undefined : entryOf(index, before)
    const next = after === undefined ? undefined : entryOf(index, after)
    const { schema } = index
    const isSame = old !== undefined && next !== undefined && schema.layout.compareRows(old, next) === 0
    if (isSame && old.every((value, at) => at < schema.keyLength || equal(value, next[at]))) return undefined
    const holder = old === undefined || before === undefined ? undefined : this.holders?.(index, before)
    const isOthers = holder?.isOwn === false
    if (isOthers) this.guard(index, of, holder.entry)
    if (isSame && isOthers) return undefined
    const conditions = index.unique && old !== undefined ? ownedBy(index, old) : undefined
    const key = (entry: Row): Row => entry.slice(0, schema.keyLength)
    if (old !== undefined && !isSame && !isOthers)
      this.enter({ mutation: { kind: 'delete', schema, row: key(old), ...conditions }, of, index })
    if (next === undefined) return undefined
    const row = schema.versionIndex < 0 ? next : [...next, newUlid(this.now)]
    const taking: Mutation = isSame ? { kind: 'put', schema, row, ...conditions } : { kind: index.unique ? 'insert' : 'put', schema, row }
    return this.enter({ mutation: taking, of, index })
  }

  private enter(part: Part): Part | undefined {
    const key = rowOf(part.mutation)
    const other = this.byKey.get(key)
    if (other === undefined) {
      this.byKey.set(key, part)
      return undefined
    }
    const [left, taken] = other.mutation.kind === 'delete' ? [other, part] : [part, other]
    if (left.mutation.kind !== 'delete') return other
    // Two rows that leave one entry: it is the entry of one of them at most, so the store refuses one of the conditions, and who has it is read.
    if (taken.mutation.kind === 'delete') return undefined
    const { schema, row } = taken.mutation
    this.byKey.set(key, { ...taken, mutation: { kind: 'put', schema, row, conditions: left.mutation.conditions } })
    return undefined
  }

  /** The entry of another row has to be as it was read: if that row leaves it in the meantime, it may have become the entry of this one. */
  private guard(index: TableIndex, of: number, entry: Row): void {
    const { schema } = index
    const row = entry.slice(0, schema.keyLength)
    const mutation: Mutation = { kind: 'update', schema, row, set: [], version: entry[schema.versionIndex] as string }
    this.guards.set(rowOf(mutation), { mutation, of, index })
  }
}

/** The conditions that an entry names the same row, as far as its key does not say that. */
function ownedBy({ schema, keySources }: TableIndex, entry: Row): Pick<Mutation, 'conditions'> {
  const conditions = keySources.flatMap((at) => (at < schema.keyLength ? [] : [{ column: at, in: [entry[at] as Value] }]))
  return conditions.length === 0 ? {} : { conditions }
}

export const equal = (a: Value | undefined, b: Value | undefined): boolean =>
  a === b || (a instanceof Uint8Array && b instanceof Uint8Array && compareKeys(a, b) === 0)

/** Another row has the values of an index. @param entry its key is that of the entry that both need */
export function violation({ name: index, schema }: TableIndex, table: TableSchema, mutation: Mutation, entry: Row): Error {
  const values = keyObject(schema, entry)
  const message = `a row of '${table.name}' already has ${keyText(values)}, which index '${index}' allows once. Nothing was written. Change it, or change the other row first.`
  return mapperError('UNIQUE_VIOLATION', message, { table: table.name, indexName: index, values, key: keyObject(table, mutation.row) })
}
