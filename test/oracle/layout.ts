import type { ColumnType, Salt } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import type { OracleKind } from './kinds.js'
import type { Random } from './random.js'
import { bucket, desc, hashPartition, hashPrefix, nullable } from '@rowkey/codec'
import { defineTable } from '@rowkey/model'
import { kinds } from './kinds.js'

export interface OracleColumn {
  readonly name: string
  readonly kind: OracleKind
  readonly desc: boolean
  readonly nulls: 'first' | 'last' | undefined
  readonly type: ColumnType
}

/** A random table as the oracle knows it. */
export interface OracleTable {
  readonly schema: TableSchema
  readonly key: readonly OracleColumn[]
  readonly partitionLength: number
  readonly values: readonly OracleColumn[]
  readonly salts: readonly Salt[]
  /** The same columns under another salt: a cursor must work on both. */
  readonly rebucketed: TableSchema
}

export function randomTable(random: Random): OracleTable {
  const key = Array.from({ length: 1 + random.below(4) }, (_, i) => randomColumn(random, `k${i}`, 0.25))
  const values = Array.from({ length: random.below(3) }, (_, i) => randomColumn(random, `v${i}`, 0.5))
  // At least one column stays behind the partition.
  const partitionLength = random.chance(0.3) ? random.below(key.length) : 0
  const salts = randomSalts(random, key)
  const define = (name: string, salt: readonly Salt[]): TableSchema =>
    defineTable(name, {
      columns: Object.fromEntries(random.shuffled([...key, ...values]).map((column) => [column.name, column.type])),
      partition: key.slice(0, partitionLength).map(({ name: column }) => column),
      key: key.slice(partitionLength).map(({ name: column }) => column) as [string, ...string[]],
      salt,
    })
  return { schema: define('table_a', salts), rebucketed: define('table_b', randomSalts(random, key)), key, partitionLength, values, salts }
}

function randomColumn(random: Random, name: string, nullChance: number): OracleColumn {
  const kind = random.pick(kinds)
  const isDesc = random.chance(0.4)
  const nulls = random.chance(nullChance) ? random.pick(['first', 'last'] as const) : undefined
  const turned = isDesc ? desc(kind.type) : kind.type
  return { name, kind, desc: isDesc, nulls, type: nulls === undefined ? turned : nullable(turned, { nulls }) }
}

function randomSalts(random: Random, key: readonly OracleColumn[]): readonly Salt[] {
  const salts: Salt[] = []
  let free = key.filter(({ nulls }) => nulls === undefined)
  for (let level = random.below(3); level > 0 && free.length > 0; level--) {
    const of = random.shuffled(free).slice(0, 1 + random.below(free.length))
    salts.push(randomSalt(random, of))
    free = free.filter((column) => !of.includes(column))
  }
  return salts
}

const kuduKinds = ['int8', 'int16', 'int32', 'int64', 'decimal', 'timestamp', 'date', 'text', 'bytes']

function randomSalt(random: Random, of: readonly OracleColumn[]): Salt {
  const names = of.map(({ name }) => name)
  const [first] = of
  if (of.length === 1 && first?.kind.isInteger === true && random.chance(0.5))
    return bucket({ of: first.name, modulo: 2 + random.below(5) })
  if (random.chance(0.2)) return hashPrefix({ of: names, digits: 1 })
  if (of.every(({ kind }) => kuduKinds.includes(kind.type.kind)) && random.chance(0.4)) {
    return hashPartition({ of: names, buckets: 2 + random.below(6), seed: random.below(3) })
  }
  return bucket({ of: names, count: 2 + random.below(6), seed: random.below(3) })
}
