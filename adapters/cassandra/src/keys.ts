import { typeFacts, type Row, type SchemaColumn, type Storage, type TableCatalog, type TableSchema, type Value } from 'rowkey/adapter'
import * as driver from './client/driver-values.js'
import * as native from './client/native-bytes.js'
import type { PrimaryKey } from './client/cql.js'
import { cutRange, type Cut, type NativeRange } from './client/between.js'
import { valueTypeOf } from './values.js'

/** One key column as Cassandra stores it. */
export interface KeyColumn {
  readonly name: string
  readonly cql: string
  /** The order in the table. It is `ASC` for a column of the codec's bytes, which already contain the direction. */
  readonly order: 'ASC' | 'DESC'
  /** Why it has this type. */
  readonly why: string
  write(value: Value): Buffer
  /** undefined for a value that the column's type does not allow. */
  read(given: unknown): Value | undefined
  /** Cuts a range of its values after a share of it, near the lower or the upper end; undefined if no point is found. */
  cut(range: NativeRange, share: number, isNearHigh: boolean): Cut | undefined
}

type Type = SchemaColumn['type']

/** Why a key column cannot have a type of its own, undefined if it can. */
function obstacle(type: Type, isPartition: boolean): string | undefined {
  if (type.nullable) return 'no part of a primary key may be null, so it contains the bytes of the rowkey'
  const { keyBytes, storage } = typeFacts(type)
  if (keyBytes === 'idiom') return 'it contains the bytes of the rowkey, in a format that other programs use'
  if (isTextUuid(storage) && !isPartition) {
    return 'CQL orders UUIDs by version and clock, this column by its text, so it contains the bytes of the rowkey'
  }
  return undefined
}

/** In both orders. */
const isUuid = (type: Type): boolean => {
  const { storage } = typeFacts(type)
  return storage.class === 'text' && (storage.format === 'uuid' || storage.format === 'time-uuid')
}

const isTextUuid = (storage: Storage): boolean => storage.class === 'text' && storage.format === 'uuid'

/** Whether a partition has one row, because no key columns are after those of the partition. */
export const isById = ({ partitionLength, keyLength }: TableSchema): boolean => partitionLength === keyLength

// In the first form, every partition key begins with the bucket, which is 0 in a table without a salt. In the second one the partition key is what
// the model says. A table that needs the bucket is made in the first form, and so is readable for versions that know no other.

/** What the catalog of a table in the second form contains about it. */
export const secondForm = { form: 2 } as const

/** Whether the partition key of a table begins with the bucket. */
export const hasBucket = ({ store }: TableCatalog): boolean => store?.['form'] !== secondForm.form

/** The same of a table that is made now: the bucket of a salt, or a constant, because a partition key has at least one column. */
export const needsBucket = ({ salt, partitionLength }: TableSchema): boolean => salt.length > 0 || partitionLength === 0

/** The primary key of a table. */
export function primaryKey(schema: TableSchema, hasBucket: boolean): PrimaryKey<KeyColumn> {
  const isAlone = !hasBucket && schema.partitionLength === 1
  const columns = schema.columns.slice(0, schema.keyLength).map((column, position) => {
    const key = keyColumn(schema, column, position)
    return position === 0 && isAlone && mayBeEmpty(column.type) ? neverEmpty(key) : key
  })
  return { hasBucket, columns }
}

/** Whether some value has no bytes in Cassandra. The bytes of a rowkey are never none in a partition, because none would begin all others. */
function mayBeEmpty(type: Type): boolean {
  const { storage } = typeFacts(type)
  if (obstacle(type, true) !== undefined) return false
  return (storage.class === 'text' && storage.format === undefined) || (storage.class === 'bytes' && storage.length === undefined)
}

/** Stands for no bytes, which a server refuses as a partition key. */
const standIn = 'rk_empty'

/** A column that is a partition key alone. What begins with the stand-in has it twice, so that all values stay different. */
function neverEmpty(column: KeyColumn): KeyColumn {
  return {
    ...column,
    why: `${column.why}; '${standIn}' instead of an empty one, which a partition key cannot be`,
    write(value) {
      const bytes = column.write(value)
      return bytes.length === 0 || beginsWithStandIn(bytes) ? Buffer.concat([Buffer.from(standIn), bytes]) : bytes
    },
    read(given) {
      if ((typeof given !== 'string' && !Buffer.isBuffer(given)) || !beginsWithStandIn(given)) return column.read(given)
      const rest = typeof given === 'string' ? given.slice(standIn.length) : given.subarray(standIn.length)
      return rest.length === 0 || beginsWithStandIn(rest) ? column.read(rest) : undefined
    },
  }
}

const beginsWithStandIn = (given: string | Buffer): boolean =>
  typeof given === 'string' ? given.startsWith(standIn) : given.toString('latin1', 0, standIn.length) === standIn

function keyColumn({ layout, partitionLength }: TableSchema, { physical, type }: SchemaColumn, position: number): KeyColumn {
  const isPartition = position < partitionLength
  const why = obstacle(type, isPartition)
  if (why !== undefined) {
    const codec = layout.column(position)
    return {
      name: physical,
      cql: 'blob',
      order: 'ASC',
      why,
      write: (value) => native.blob(codec.encode(value)),
      read(given) {
        try {
          return Buffer.isBuffer(given) ? codec.decode(driver.bytesOf(given)) : undefined
        } catch {
          return undefined // these are not the bytes of any value
        }
      },
      cut: (range, share, isNearHigh) => cutRange('blob', range, share, isNearHigh, undefined),
    }
  }
  const { cql, why: reason, write, read } = valueTypeOf({ type })
  const domain = domainOf(type)
  return {
    name: physical,
    cql,
    order: type.desc && !isPartition ? 'DESC' : 'ASC',
    why: isPartition && isUuid(type) ? 'only equality counts in a partition key' : reason,
    write(value) {
      // CQL accepts null as a bound, and then returns all rows.
      if (value === null) throw new TypeError(`key column '${physical}' cannot be null`)
      return write(value === 0 ? 0 : value) // −0 is 0 in a key
    },
    read,
    cut: (range, share, isNearHigh) => cutRange(cql, range, share, isNearHigh, domain),
  }
}

/** The native bytes of the least and the greatest value of a type of numbers. */
function domainOf(type: Type): readonly [Buffer, Buffer] | undefined {
  const { storage } = typeFacts(type)
  const { write } = valueTypeOf({ type })
  if (storage.class === 'int' || storage.class === 'bigint') return [write(storage.min), write(storage.max)]
  if (storage.class !== 'decimal') return undefined
  const greatest = 10n ** BigInt(storage.precision) - 1n
  return [native.unscaled(-greatest, storage.scale), native.unscaled(greatest, storage.scale)]
}

/**
 * Whether two rows or keys certainly are in one partition: the table has no salt, and the values of the partition columns are identical. Rows often
 * come partition by partition, and then nothing has to be encoded to compare them. `false` says nothing: two arrays may hold equal bytes.
 */
export function isSamePartition({ salt, partitionLength }: TableSchema, one: Row, other: Row): boolean {
  for (let i = 0; i < partitionLength; i++) if (one[i] !== other[i]) return false
  return salt.length === 0 // computing a bucket costs more than the bytes of a partition
}
