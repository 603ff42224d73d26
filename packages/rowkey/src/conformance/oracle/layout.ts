// Tested by wrong.test.ts and test/oracle/work.test.ts.
import { bucket, type ColumnType, desc, hashPrefix, kuduHash, nullable, type Salt } from '#codec'
import { defineTable, renameTable, type TableSchema } from '#model'
import type { OracleKind } from './kinds.js'
import type { Random } from './random.js'
import { randomPeriod, type OraclePeriod } from './period-kinds.js'
import { followedKinds, kinds, lastKinds } from './kinds.js'

/** An index of a random table as the oracle sees it. */
export interface OracleIndex {
  readonly name: string
  readonly partition: readonly string[]
  readonly key: readonly string[]
  /** Value columns in its entries. */
  readonly include: readonly string[]
  readonly salts: readonly Salt[]
  /** Of the same index of the second table. */
  readonly otherSalts: readonly Salt[]
}

/** A column as the oracle sees it. */
export interface OracleColumn {
  readonly name: string
  readonly kind: OracleKind
  readonly desc: boolean
  readonly nulls: 'first' | 'last' | undefined
  readonly type: ColumnType
  readonly period?: OraclePeriod
}

/** A random table as the oracle sees it. */
export interface OracleLayout {
  readonly key: readonly OracleColumn[]
  readonly partitionLength: number
  readonly values: readonly OracleColumn[]
  readonly salts: readonly Salt[]
  /** The salt of a second table with the same columns: a cursor must work on both. */
  readonly otherSalts: readonly Salt[]
  readonly expires: boolean
  readonly versioned: boolean
  /** Whether it is declared with `writes: 'plain'`, which some stores write in another way. */
  readonly plain: boolean
  readonly indexes: readonly OracleIndex[]
}

/** The version column of layouts with versions; not one of the columns of {@link OracleLayout}. */
export const versionColumn = 'rev'

export function randomLayout(random: Random): OracleLayout {
  const length = 1 + random.below(4)
  const isLast = (i: number): boolean => i === length - 1 && random.chance(0.2)
  const plainKey = Array.from({ length }, (_, i) =>
    isLast(i) ? columnOf(`k${i}`, random.pick(lastKinds), false, undefined) : randomColumn(random, `k${i}`, 0.25, true),
  )
  const key = random.chance(0.2) ? withPeriod(random, plainKey) : plainKey
  const values = Array.from({ length: random.below(3) }, (_, i) => randomColumn(random, `v${i}`, 0.5))
  const versioned = random.chance(0.15)
  return {
    key,
    values,
    partitionLength: random.chance(0.3) ? random.below(maxPartition(key) + 1) : 0,
    salts: randomSalts(random, key),
    otherSalts: randomSalts(random, key),
    expires: random.chance(0.25),
    versioned,
    plain: !versioned && random.chance(0.5),
    indexes: [],
  }
}

/** With an instant or a date at a random place, and its period before it: mostly behind one column, and next to the source. */
function withPeriod(random: Random, columns: readonly OracleColumn[]): readonly OracleColumn[] {
  const { source, kind, period } = randomPeriod(random, 'kt')
  const isDesc = random.chance(0.5)
  // No column can come after one without an end of its own.
  const last = lastKinds.some(({ name }) => name === columns.at(-1)?.kind.name) ? columns.length - 1 : columns.length
  const at = Math.min(random.pick([0, 1, 1, 2]), last)
  const sourceAt = random.chance(0.7) ? at : at + random.below(last - at + 1)
  const instant = columnOf('kt', source, isDesc, undefined)
  // Its direction is that of the source, written or not.
  const begin = { ...columnOf('kp', kind, isDesc, undefined), ...(random.chance(0.5) ? { type: kind.type } : {}), period }
  return [...columns.slice(0, at), begin, ...columns.slice(at, sourceAt), instant, ...columns.slice(sourceAt)]
}

/** All columns, which makes a table by id, unless the last one can only be at the end of a key that continues after the partition. */
function maxPartition(key: readonly OracleColumn[]): number {
  return lastKinds.some(({ name }) => name === key.at(-1)?.kind.name) ? key.length - 1 : key.length
}

/** The table of a layout, and a copy of it with the other salts. Both are declared with the same name, to which cursors belong. */
export function schemasOf(layout: OracleLayout): readonly [TableSchema, TableSchema] {
  const { key, partitionLength, values, salts, otherSalts, expires, versioned, plain, indexes } = layout
  const names = key.map(({ name }) => name)
  // Values first, because the order of properties must not matter.
  const columns = Object.fromEntries([...values, ...key.toReversed()].map(({ name, type }) => [name, type]))
  const indexesWith = (saltOf: (index: OracleIndex) => readonly Salt[]): Readonly<Record<string, object>> =>
    Object.fromEntries(
      indexes.map((index) => {
        const { name, partition, key, include } = index
        return [name, { partition, key, salt: saltOf(index), ...(include.length === 0 ? {} : { include }) }]
      }),
    )
  const define = (salt: readonly Salt[], saltOf: (index: OracleIndex) => readonly Salt[]): TableSchema =>
    defineTable('table_a', {
      columns,
      partition: names.slice(0, partitionLength),
      key: names.slice(partitionLength) as [],
      salt,
      ...(expires ? { ttl: '30d' } : {}),
      ...(versioned ? { version: versionColumn } : {}),
      ...(plain ? { writes: 'plain' as const } : {}),
      ...(indexes.length === 0 ? {} : { indexes: indexesWith(saltOf) as never }),
    })
  return [
    define(salts, (index) => index.salts),
    renameTable(
      define(otherSalts, (index) => index.otherSalts),
      'table_b',
    ),
  ]
}

/** A column of a kind, with its type. */
export function columnOf(name: string, kind: OracleKind, isDesc: boolean, nulls: OracleColumn['nulls']): OracleColumn {
  const turned = isDesc ? desc(kind.type) : kind.type
  return { name, kind, desc: isDesc, nulls, type: nulls === undefined ? turned : nullable(turned, { nulls }) }
}

const keyKinds: readonly OracleKind[] = [...kinds, ...followedKinds]

function randomColumn(random: Random, name: string, nullChance: number, isKey = false): OracleColumn {
  const kind = random.pick(isKey ? keyKinds : kinds)
  const isDesc = random.chance(0.4)
  const isNullable = random.chance(nullChance) && kind.type.followedBy === undefined
  return columnOf(name, kind, isDesc, isNullable ? random.pick(['first', 'last'] as const) : undefined)
}

export function randomSalts(random: Random, key: readonly OracleColumn[]): readonly Salt[] {
  const salts: Salt[] = []
  let free = key.filter(({ nulls }) => nulls === undefined)
  for (let level = random.below(3); level > 0 && free.length > 0; level--) {
    const of = random.shuffled(free).slice(0, 1 + random.below(free.length))
    salts.push(randomSalt(random, of))
    free = free.filter((column) => !of.includes(column))
  }
  return salts
}

/** The kinds that Kudu can hash, by the oracle's own names. */
const kuduNames = new Set([
  ...['text', 'text again', 'bytes', 'int8', 'int16', 'int32', 'int64', 'int64 as number', 'decimal(9,2)', 'decimal(38)', 'date'],
  ...['timestamp ms', 'timestamp ms as number', 'timestamp ms as bigint', 'timestamp us', 'timestamp ns'],
])

function randomSalt(random: Random, of: readonly OracleColumn[]): Salt {
  const names = of.map(({ name }) => name)
  const [first] = of
  const separator = random.chance(0.2) ? { separator: '_' } : {}
  if (of.length === 1 && first?.kind.isInteger === true && random.chance(0.5))
    return bucket({ of: first.name, modulo: 2 + random.below(5), ...bucketForm(random), ...separator })
  if (random.chance(0.2)) return hashPrefix({ of: names, digits: 1, ...separator })
  if (of.every(({ kind }) => kuduNames.has(kind.name)) && random.chance(0.4)) {
    return kuduHash({ of: names, count: 2 + random.below(6), seed: random.below(3) })
  }
  if (random.chance(0.1)) return bucket({ of: names, count: 12, decimalDigits: 1, separator: '_' })
  return bucket({ of: names, count: 2 + random.below(6), seed: random.below(3), ...bucketForm(random), ...separator })
}

/** How the bucket number is written, mostly as usual. */
function bucketForm(random: Random): { readonly bytes?: 4 | 8; readonly decimalDigits?: number } {
  if (random.chance(0.7)) return {}
  return random.pick([{ bytes: 4 as const }, { bytes: 8 as const }, { decimalDigits: 1 }, { decimalDigits: 2 }])
}
