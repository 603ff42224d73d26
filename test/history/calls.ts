import { defineTable, int64, nullable, text, uint32, uint8, type Mapper } from 'rowkey'
import type { Random } from '../kit/seeded.js'
import { meets, type Change, type Condition, type Operation, type Result, type Seen } from './register.js'

const columns = { object: text(), row: uint8(), a: nullable(uint32()), b: nullable(uint32()), n: int64({ default: 0n }) }
/** Rows of one object share a partition, so that batches of them can be atomic. */
const shape = { columns, partition: ['object'], key: ['row'] } as const

/** The same table with a version, without, and with plain writes only. */
export const Tables = {
  versioned: defineTable('history_versioned', { ...shape, version: 'rev' }),
  unversioned: defineTable('history_unversioned', shape),
  plain: defineTable('history_plain', { ...shape, writes: 'plain' }),
}

export type Kind = keyof typeof Tables

/** What most calls of a history do: write rows, or change them in one of the ways that the store computes. */
export type Focus = 'rows' | 'changes' | 'increments' | 'creating increments' | 'upserts' | 'conditions' | 'removals'

/** What clients know of an object. */
export interface KnownObject {
  readonly name: string
  /** Versions that rows had. */
  readonly versions: string[]
  /** Values of `a` that rows had. */
  readonly values: number[]
  increments: number
}

/** A `deleteAll()` of the rows that meet a condition. */
export interface Removal {
  readonly kind: 'removal'
  readonly rows: readonly (0 | 1)[]
  readonly condition: Condition
  /** Whether a filter in code decides, instead of the predicate. */
  readonly inCode: boolean
}

/** What a client is going to do. */
export type Call = Operation['call'] | Removal

/** The sum is a 64-bit integer, so it has 31 digits in base four. */
const maxIncrements = 31

/** A random call. */
export function randomCall(random: Random, kind: Kind, focus: Focus, hasBatches: boolean, object: KnownObject): Call {
  const row = random.below(2) as 0 | 1
  if (random.next() < 0.4) return { kind: 'get', row }
  const what = focus === 'changes' ? changing[random.below(changing.length)] : focus
  if (what === 'removals' && random.next() < 0.6) {
    const rows = random.next() < 0.5 ? [row] : ([0, 1] as const)
    return { kind: 'removal', rows, condition: randomCondition(random, object), inCode: random.next() < 0.3 }
  }
  const one = (at: 0 | 1): Change => randomChange(random, kind, what ?? 'rows', at, object)
  const isBatch = hasBatches && random.next() < 0.25
  return { kind: 'write', changes: isBatch ? [one(row), one((1 - row) as 0 | 1)] : [one(row)] }
}

const changing: readonly Focus[] = ['rows', 'increments', 'creating increments', 'upserts', 'conditions', 'removals']

function randomChange(random: Random, kind: Kind, focus: Focus, row: 0 | 1, object: KnownObject): Change {
  if (kind === 'plain') return { row, kind: random.next() < 0.7 ? 'put' : 'delete' }
  const column = random.below(2) === 0 ? 'a' : 'b'
  const isOfFocus = random.next() < 0.7
  if (isOfFocus && (focus === 'increments' || focus === 'creating increments') && object.increments < maxIncrements) {
    const amount = 4n ** BigInt(object.increments++)
    return { row, kind: 'increment', amount, ...(focus === 'increments' ? {} : { creates: true }) }
  }
  if (isOfFocus && focus === 'upserts') return { row, kind: 'upsert', column }
  const what = (['put', 'insert', 'update', 'update', 'delete'] as const)[random.below(5)] ?? 'put'
  const change: Change = { row, kind: what, ...(what === 'update' ? { column } : {}) }
  if (what === 'insert') return change
  if (isOfFocus && focus === 'conditions') return { ...change, condition: randomCondition(random, object) }
  const { versions } = object
  const version = random.next() < 0.5 ? undefined : versions[versions.length - 1 - random.below(3)]
  return version === undefined ? change : { ...change, onVersion: version }
}

function randomCondition(random: Random, { values, increments }: KnownObject): Condition {
  if (random.next() < 0.3) return { column: 'n', below: 4n ** BigInt(random.below(Math.min(maxIncrements, increments + 2))) }
  if (random.next() < 0.2) return { column: 'b', equals: null }
  return { column: 'a', equals: values[values.length - 1 - random.below(4)] ?? null }
}

/** How long a client waits. */
export interface Limits {
  readonly deadline?: number
  readonly signal?: AbortSignal
}

interface Key {
  readonly object: string
  readonly row: number
}

interface Row extends Key, Seen {
  readonly rev?: string
}

type Written = Promise<{ readonly version?: string }>

interface Conditions {
  readonly if?: object
}

/** The repository of any of the tables: what a table lacks is not called. */
interface Loose {
  get(key: Key, limits: Limits): Promise<Row | undefined>
  put(row: object, options: Limits & Conditions): Written
  insert(row: object, options: Limits): Written
  update(key: Key, patch: object, options: Limits & Conditions): Written
  upsert(row: object, options: Limits): Written
  increment(key: Key, by: object, options: Limits & { readonly create?: boolean }): Written
  delete(key: Key, options: Limits & Conditions): Promise<void>
  scan(where: object, options: Limits & { readonly filter?: (row: Row) => boolean }): { deleteAll(): Promise<number> }
  readonly ops: {
    put(row: object, options: Conditions): never
    insert(row: object): never
    update(key: Key, patch: object, options: Conditions): never
    upsert(row: object): never
    increment(key: Key, by: object, options: { readonly create?: boolean }): never
    delete(key: Key, options: Conditions): never
  }
}

/** Does a call, and says how it ended; for a removal, the number of rows. */
export async function send(db: Mapper, kind: Kind, object: string, id: number, call: Call, limits: Limits): Promise<Result | number> {
  const table = db.repository(Tables[kind]) as never as Loose
  if (call.kind === 'removal') return remove(table, object, call, limits)
  if (call.kind === 'get') {
    const row = await table.get({ object, row: call.row }, limits)
    return { kind: 'done', seen: row === undefined ? undefined : { a: row.a, b: row.b, n: row.n, version: row.rev } }
  }
  const { changes } = call
  const [only] = changes
  if (changes.length === 1 && only !== undefined) return { kind: 'done', versions: [await one(table, object, id, only, limits)] }
  const { results } = await db.write(
    changes.map((change) => operation(table, object, id, change)),
    { atomic: true, ...limits },
  )
  return { kind: 'done', versions: results.map(({ version }) => version) }
}

function remove(table: Loose, object: string, { rows, condition, inCode }: Removal, limits: Limits): Promise<number> {
  const [first = 0] = rows
  const keys = { object, row: rows.length === 1 ? { gte: first, lt: first + 1 } : { gte: 0 } }
  if (inCode) return table.scan(keys, { ...limits, filter: (row) => meets(row, condition) }).deleteAll()
  return table.scan({ ...keys, ...predicate(condition) }, limits).deleteAll()
}

const predicate = (condition: Condition): object => ({
  [condition.column]: condition.column === 'n' ? { lt: condition.below } : condition.equals,
})

function conditionsOf({ onVersion, condition }: Change): Conditions {
  if (onVersion === undefined && condition === undefined) return {}
  return {
    if: {
      ...(onVersion === undefined ? {} : { rev: onVersion }),
      ...(condition === undefined ? {} : predicate(condition)),
    },
  }
}

async function one(table: Loose, object: string, id: number, change: Change, limits: Limits): Promise<string | undefined> {
  const { row, kind, column = 'a', amount = 0n, creates } = change
  const key = { object, row }
  const options = { ...limits, ...conditionsOf(change) }
  switch (kind) {
    case 'put':
      return (await table.put({ ...key, a: id }, options)).version
    case 'insert':
      return (await table.insert({ ...key, a: id }, limits)).version
    case 'update':
      return (await table.update(key, { [column]: id }, options)).version
    case 'upsert':
      return (await table.upsert({ ...key, [column]: id }, limits)).version
    case 'increment':
      return (await table.increment(key, { n: amount }, { ...limits, ...(creates === true ? { create: true } : {}) })).version
    case 'delete':
      await table.delete(key, options)
      return undefined
  }
}

function operation({ ops }: Loose, object: string, id: number, change: Change): never {
  const { row, kind, column = 'a', amount = 0n, creates } = change
  const key = { object, row }
  const options = conditionsOf(change)
  switch (kind) {
    case 'put':
      return ops.put({ ...key, a: id }, options)
    case 'insert':
      return ops.insert({ ...key, a: id })
    case 'update':
      return ops.update(key, { [column]: id }, options)
    case 'upsert':
      return ops.upsert({ ...key, [column]: id })
    case 'increment':
      return ops.increment(key, { n: amount }, creates === true ? { create: true } : {})
    case 'delete':
      return ops.delete(key, options)
  }
}
