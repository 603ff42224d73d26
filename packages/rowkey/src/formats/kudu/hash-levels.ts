// Tested by partition-schema.test.ts.
import type { Row } from '#codec'
import { checkOptions, murmur2Modulo, show, showName, showNames } from '#codec/internal'
import { encodeAll, encodingsOf, refused } from './key-columns.js'
import type { KuduColumn } from './kudu-column.js'

/** One level of hash partitions, `HASH (columns) PARTITIONS buckets`. `seed`: default 0. */
export interface HashLevel<Name extends string = string> {
  readonly columns: readonly Name[]
  readonly buckets: number
  readonly seed?: number
}

/** The bucket of a row in each level. @throws RowkeyError `INVALID_LAYOUT` */
export function hashLevels(given: unknown, columns: readonly KuduColumn[]): readonly ((row: Row) => number)[] {
  if (!Array.isArray(given)) throw refused(`the hash levels cannot be ${show(given)}. Give a list of { columns, buckets, seed }.`)
  const taken = new Set<number>()
  return given.map((level: unknown) => {
    checkOptions('a hash level', level, ['columns', 'buckets', 'seed'], refused)
    const { columns: names, buckets, seed = 0 } = level as Partial<HashLevel>
    checkInteger('buckets', buckets, 2, 2 ** 31 - 1)
    checkInteger('seed', seed, 0, 2 ** 32 - 1)
    // Kudu hashes columns in the order of the table, however the level lists them.
    const positions = positionsOf('hash level', names, columns).toSorted((a, b) => a - b)
    if (positions.length === 0) throw refused('a hash level has no columns. Give at least one.')
    for (const at of positions) {
      const name = columns[at]?.name ?? ''
      if (taken.has(at)) throw refused(`column '${showName(name)}' is in two hash levels. Kudu allows a column in one level only.`, name)
      taken.add(at)
    }
    const encodings = encodingsOf(positions.map((at) => columns[at] as KuduColumn))
    return (row) => {
      const hashed = encodeAll(
        encodings,
        positions.map((at) => row[at] as Row[number]),
      )
      return murmur2Modulo(hashed, 0, hashed.length, seed, buckets)
    }
  })
}

function checkInteger(option: string, given: unknown, least: number, max: number): asserts given is number {
  if (Number.isInteger(given) && (given as number) >= least && (given as number) <= max) return
  throw refused(`a hash level cannot have ${option} ${show(given)}. Give an integer from ${least} to ${max}.`)
}

/** The positions of the named columns. @throws RowkeyError `INVALID_LAYOUT` for a name that is not a column, or is there twice */
export function positionsOf(what: string, names: unknown, columns: readonly KuduColumn[]): readonly number[] {
  if (!Array.isArray(names)) throw refused(`the columns of a ${what} cannot be ${show(names)}. Give a list of names.`)
  return names.map((name: unknown, i) => {
    const at = columns.findIndex((column) => column.name === name)
    if (at < 0) {
      const known = showNames(
        columns.map((column) => column.name),
        "'",
      )
      throw refused(`a ${what} names ${show(name)}, which is not a key column. Use ${known}.`)
    }
    if (names.indexOf(name) < i) throw refused(`column '${showName(name)}' is in a ${what} twice. Name it once.`, showName(name))
    return at
  })
}
