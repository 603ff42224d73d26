import { bucket, kuduHash, hashPrefix, keyLayout, type KeyLayout, type Salt } from '#codec'
import fc from 'fast-check'
import { anyColumn, type RandomColumn } from './random-columns.js'

export type Key = Record<string, unknown>

/** A layout with keys of it. */
export interface RandomLayout {
  readonly columns: readonly RandomColumn[]
  readonly salts: readonly Salt[]
  readonly layout: KeyLayout
  readonly keys: readonly Key[]
}

export const nameOf = (position: number): string => `c${position}`

/** One to four columns, none to two salt levels, two to six keys that often share their first columns. */
export const anyLayout: fc.Arbitrary<RandomLayout> = fc.array(anyColumn, { minLength: 1, maxLength: 4 }).chain((columns) => {
  const row = fc.tuple(...columns.map(({ value }) => value))
  const rows = fc.array(fc.tuple(row, fc.nat(columns.length)), { minLength: 2, maxLength: 6 }).map((drawn) =>
    // The first `shared` values of each row are those of the row before it.
    drawn.map(([values, shared], i) => values.map((value, at) => (i > 0 && at < shared ? drawn[i - 1]?.[0][at] : value))),
  )
  return fc.record({ columns: fc.constant(columns), salts: saltsOf(columns), rows }).map(({ salts, rows }) => ({
    columns,
    salts,
    layout: keyLayout(
      columns.map(({ type }, i) => [nameOf(i), type] as const),
      { salt: salts },
    ),
    keys: rows.map((values) => Object.fromEntries(values.map((value, i) => [nameOf(i), value]))),
  }))
})

const kuduKinds = ['int8', 'int16', 'int32', 'int64', 'decimal', 'timestamp', 'date', 'text', 'bytes']
const modulos = [...['digits'], 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64', 'timestamp', 'date']

function saltsOf(columns: readonly RandomColumn[]): fc.Arbitrary<Salt[]> {
  const names = columns.flatMap(({ type }, i) => (type.nullable ? [] : [nameOf(i)]))
  const integers = columns.flatMap(({ type }, i) => (type.nullable || !modulos.includes(type.kind) ? [] : [nameOf(i)]))
  if (names.length === 0) return fc.constant([])
  const of = fc.shuffledSubarray(names, { minLength: 1 })
  const formed = <T>(salt: fc.Arbitrary<T>): fc.Arbitrary<T & { bytes?: 2 | 4 | 8; decimalDigits?: number; separator?: string }> =>
    fc
      .tuple(
        salt,
        fc.constantFrom<{ bytes?: 2 | 4 | 8; decimalDigits?: number; separator?: string }>(
          ...[
            {},
            {},
            { bytes: 4 as const },
            { bytes: 8 as const, separator: '_' },
            { decimalDigits: 1, separator: '_' },
            { decimalDigits: 5 },
          ],
        ),
      )
      .map(([options, form]) => ({ ...options, ...form }))
  const separated = <T>(salt: fc.Arbitrary<T>): fc.Arbitrary<T & { separator?: string }> =>
    fc
      .tuple(salt, fc.constantFrom(undefined, '_', '\0', 'é|'))
      .map(([options, separator]) => ({ ...options, ...(separator === undefined ? {} : { separator }) }))
  const levels: fc.Arbitrary<Salt>[] = [
    separated(fc.record({ of, count: fc.constantFrom(2, 16, 255, 256, 257, 65_536), seed: fc.constantFrom(0, 1, 2 ** 32 - 1) })).map(
      bucket,
    ),
    formed(fc.record({ of, count: fc.constantFrom(2, 11, 1000) })).map(bucket),
    separated(fc.record({ of, digits: fc.integer({ min: 1, max: 8 }) })).map(hashPrefix),
  ]
  const hashed = columns.flatMap(({ type }, i) =>
    type.nullable || type.followedBy !== undefined || !kuduKinds.includes(type.kind) ? [] : [nameOf(i)],
  )
  if (hashed.length > 0) {
    const some = fc.shuffledSubarray(hashed, { minLength: 1 })
    levels.push(fc.record({ of: some, count: fc.constantFrom(2, 257), seed: fc.constantFrom(0, 2 ** 32 - 1) }).map(kuduHash))
  }
  if (integers.length > 0)
    levels.push(formed(fc.record({ of: fc.constantFrom(...integers), modulo: fc.constantFrom(2, 10, 256, 1000) })).map(bucket))
  const product = (salts: readonly Salt[]): number => salts.reduce((count, salt) => count * salt.count, 1)
  const kuduTwice = (salts: readonly Salt[]): boolean => {
    const of = salts.filter(({ kind }) => kind === 'hashPartition').flatMap((salt) => salt.of)
    return new Set(of).size < of.length
  }
  return fc.array(fc.oneof(...levels), { maxLength: 2 }).filter((salts) => Number.isSafeInteger(product(salts)) && !kuduTwice(salts))
}

/** The order of two keys in the columns `[0, length)`, by the reference. */
export function keysInOrder({ columns }: RandomLayout, a: Key, b: Key, length = columns.length): number {
  for (let i = 0; i < length; i++) {
    const order = (columns[i] as RandomColumn).order(a[nameOf(i)], b[nameOf(i)])
    if (order !== 0) return order
  }
  return 0
}

/** The first `length` columns of a key. */
export const prefixOf = (key: Key, length: number): Key => Object.fromEntries(Object.entries(key).slice(0, length))
