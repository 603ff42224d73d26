import { bucket, kuduHash, hashPrefix, isRowkeyError, keyLayout, toHex, type ColumnType, type Salt } from '#codec'
import { scaled } from '@rowkey/servers/scale'
import fc from 'fast-check'
import { seed } from '../../../../../test/kit/property.js'
import { anyColumn, type RandomColumn } from '../random-columns.js'
import { anyLayout, nameOf } from '../random-layouts.js'
import { anyOpenLayout } from '../random-open-layouts.js'
import { anyDamage, hostile, otherSalts, type Damage } from './damage.js'
import { rowsOf, valueOf } from './page.js'
import type { Question } from './python-decoder.js'

const runs = scaled(150)
export const timeout = 180_000 + runs * 200

type Key = Readonly<Record<string, unknown>>
type Broken = (key: Uint8Array) => readonly Uint8Array[]

const typesOf = (columns: readonly RandomColumn[]): Question['columns'] => columns.map(({ type }, i) => [nameOf(i), type])
const asKey = (values: readonly unknown[]): Key => Object.fromEntries(values.map((value, i) => [nameOf(i), value]))

/** Keys as `encode` writes them, and what is made of them. */
function question(columns: Question['columns'], salts: readonly Salt[], keys: readonly Key[], broken: Broken): Question {
  const layout = keyLayout(columns, { salt: salts })
  const good = keys.map((key) => layout.encode(key))
  return { layout, columns, salts, keys: [...good, ...good.flatMap(broken)].map(toHex), good: good.length }
}

const damaged =
  (damages: readonly Damage[]): Broken =>
  (key) =>
    damages.map((damage) => damage(key))
const damages = fc.array(anyDamage, { minLength: 10, maxLength: 10 })
const several = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(values, { minLength: 3, maxLength: 3 })

const drawn = fc.sample(
  anyColumn.chain(({ type, value }) => fc.record({ type: fc.constant(type), values: several(value), damages })),
  { numRuns: Math.max(runs, 500), seed }, // so that every type is among them
)

const distinct = [...new Map(drawn.map((each) => [JSON.stringify(each.type), each])).values()]
const alone = (type: ColumnType): Question['columns'] => [['c', type]]
const keysOf = (values: readonly unknown[]): Key[] => values.map((c) => ({ c }))

/** One column, each distinct type once: random damage, and all that is made for its type. */
export const columns: readonly Question[] = distinct.map(({ type, values, damages }) => {
  const { keys, ...rest } = question(alone(type), [], keysOf(values), damaged(damages))
  return { ...rest, keys: [...keys, ...hostile(type).map(toHex)] }
})

const levels = [
  bucket({ of: 'c', count: 257 }),
  bucket({ of: 'c', modulo: 10 }),
  bucket({ of: 'c', modulo: 12, decimalDigits: 1, separator: '_' }),
  bucket({ of: 'c', count: 300, bytes: 8 }),
  hashPrefix({ of: 'c', digits: 3 }),
  kuduHash({ of: 'c', count: 256, seed: 2 ** 32 - 1 }),
]

/** One column behind each salt that takes it. */
const salted: readonly Question[] = distinct.flatMap(({ type, values }) =>
  levels
    .filter((salt) => fits(type, salt))
    .map((salt) => {
      const width = keyLayout(alone(type), { salt }).minBytes - keyLayout(alone(type)).minBytes
      return question(alone(type), [salt], keysOf(values), otherSalts(width))
    }),
)

function fits(type: ColumnType, salt: Salt<'c'>): boolean {
  try {
    keyLayout(alone(type), { salt })
    return true
  } catch (error) {
    if (isRowkeyError(error, 'INVALID_LAYOUT')) return false
    throw error
  }
}

const kuduKinds = ['int16', 'int64', 'decimal', 'timestamp', 'date', 'text', 'bytes']
const kuduColumn = anyColumn.filter(({ type }) => !type.nullable && type.followedBy === undefined && kuduKinds.includes(type.kind))

/** Salts of two or three columns, which they name in any order. */
const named: readonly Question[] = fc
  .sample(
    fc.array(kuduColumn, { minLength: 2, maxLength: 3 }).chain((columns) => {
      const names = columns.map((_, i) => nameOf(i))
      const of = fc.shuffledSubarray(names, { minLength: 2 })
      const rows = several(fc.tuple(...columns.map(({ value }) => value)))
      return fc.record({ columns: fc.constant(columns), of, rows, seed: fc.nat(), kind: fc.nat(2) })
    }),
    { numRuns: runs, seed },
  )
  .map(({ columns, of, rows, seed, kind }) => {
    const salt = [bucket({ of, count: 1000, seed }), hashPrefix({ of }), kuduHash({ of, count: 1000, seed })][kind] as Salt
    return question(typesOf(columns), [salt], rows.map(asKey), () => [])
  })

/** Whole keys, twice, for most damage to a salted key shows in its salt: with salts, and without. */
const layouts: readonly Question[] = fc
  .sample(fc.tuple(anyLayout, damages), { numRuns: runs, seed })
  .flatMap(([{ columns, salts, keys }, damages]) =>
    [[], ...(salts.length === 0 ? [] : [salts])].map((of) => question(typesOf(columns), of, keys, damaged(damages))),
  )

/** Keys that may begin other keys. */
const open: readonly Question[] = fc
  .sample(fc.tuple(anyOpenLayout, damages), { numRuns: runs, seed })
  .flatMap(([{ types, salts, rows }, damages]) =>
    [[], ...(salts.length === 0 ? [] : [salts])].map((of) =>
      question(
        types.map((type, i) => [nameOf(i), type] as const),
        of,
        rows.map(asKey),
        damaged(damages),
      ),
    ),
  )

const vectors: readonly Question[] = rowsOf('| type | value | hex |').map(([type, , hex]) => {
  const columns = [['c', valueOf(type as string) as ColumnType]] as const
  return { layout: keyLayout(columns), columns, salts: [], keys: [hex as string], good: 1 }
})

export const questions: readonly Question[] = [...columns, ...salted, ...named, ...layouts, ...open, ...vectors]
