// Tested by lock.test.ts.
import { isRowkeyError, type Row } from 'rowkey/codec'
import type { TableSchema } from 'rowkey'
import { values } from 'rowkey/internal'
import { isDeepStrictEqual } from 'node:util'
import { decoderOf, partsOf } from '../keys/decode-key.js'
import { keyColumns } from '../keys/key-of-values.js'
import { computedIn } from '../values/computed-in.js'
import { textsOf } from '../values/text-of-value.js'
import { plainValue } from '../values/value-from-text.js'
import { exampleKey } from '../values/example.js'
import { Failure } from '../failure.js'
import { changesOf, type Change } from './changes.js'

/** One part of an example key. */
export interface ExamplePart {
  readonly name: string
  readonly hex: string
}

/** The same key in the locked layout and in that of the model. */
export interface ByteDifference {
  /** The values, as `encode` takes them. */
  readonly line: string
  readonly before: readonly ExamplePart[]
  readonly after: readonly ExamplePart[]
}

/** What became of one table since it was locked. */
export type Verdict =
  | { readonly table: string; readonly state: 'same' | 'added' | 'removed' }
  /** Its types have more values, and all bytes are what they were. */
  | { readonly table: string; readonly state: 'grown' }
  | { readonly table: string; readonly state: 'changed'; readonly changes: readonly Change[]; readonly bytes: ByteDifference }

/**
 * Compares models with a lock, table by table in the order of their names.
 */
export function compareWithLock(locked: ReadonlyMap<string, TableSchema>, schemas: readonly TableSchema[]): readonly Verdict[] {
  const models = new Map(schemas.map((schema) => [schema.name, schema]))
  const names = [...new Set([...locked.keys(), ...models.keys()])].sort()
  return names.map((table): Verdict => {
    const [before, after] = [locked.get(table), models.get(table)]
    if (before === undefined || after === undefined) return { table, state: before === undefined ? 'added' : 'removed' }
    if (before.fingerprints.layout === after.fingerprints.layout) return { table, state: 'same' }
    const changes = changesOf(before, after)
    return changes.length === 0 ? { table, state: 'grown' } : { table, state: 'changed', changes, bytes: byteDifference(before, after) }
  })
}

/** Different buckets can have the same number for one key, so other keys are tried for a difference. */
const tried = 64

/** An example in both layouts, as far as the model can hold its values: the first one whose bytes differ, or else that of the lock. */
function byteDifference(before: TableSchema, after: TableSchema): ByteDifference {
  const difference = (variant: number): ByteDifference => {
    const old = exampleKey(before, variant)
    const now = sameValues(before, old, after)
    return { line: decoderOf(before).line(old), before: exampleParts(before, old), after: exampleParts(after, now) }
  }
  // Where another part has changed too, a difference in the salt is looked for all the same.
  const isSeen = ({ before: old, after: now }: ByteDifference): boolean =>
    !isDeepStrictEqual(old, now) && (isDeepStrictEqual(before.salt, after.salt) || old[0]?.hex !== now[0]?.hex)
  const first = difference(0)
  if (isSeen(first)) return first
  const others = Array.from({ length: tried }, (_, at) => difference(at + 1))
  return others.find(isSeen) ?? first
}

function exampleParts(schema: TableSchema, key: Row): readonly ExamplePart[] {
  return partsOf(schema, schema.layout.rowkey(key)).map(({ name, hex }) => ({ name, hex }))
}

/** The values of a key for the columns of another layout; its own example for columns that are new or cannot hold them. */
function sameValues(before: TableSchema, key: Row, after: TableSchema): Row {
  const own = exampleKey(after)
  const texts = new Map(keyColumns(before).map(({ physical, type }, at) => [physical, textsOf(type).bare(key[at] ?? null)]))
  const same = keyColumns(after).map((column, at) => {
    if (column.type.of !== undefined) return null
    const text = texts.get(column.physical)
    try {
      return text === undefined ? (own[at] ?? null) : values(column.type, column.name).toValue(plainValue(column, text))
    } catch (error) {
      if (error instanceof Failure || isRowkeyError(error)) return own[at] ?? null
      throw error
    }
  })
  computedIn(after)?.fill(same)
  return same
}
