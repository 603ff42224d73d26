import { typeFacts, type Row, type SchemaColumn, type Storage, type TableSchema, type Value } from '@rowkey/store/adapter'
import * as driver from './client/driver-values.js'
import * as native from './client/native-bytes.js'
import { valueTypeOf } from './values.js'

/** One key column as Cassandra holds it. */
export interface KeyColumn {
  readonly name: string
  readonly cql: string
  /** Of the table; a column of the codec's bytes has its direction in them. */
  readonly order: 'ASC' | 'DESC'
  /** Why it has this type. */
  readonly why: string
  write(value: Value): Buffer
  /** undefined for what the column cannot hold. */
  read(given: unknown): Value | undefined
}

type Type = SchemaColumn['type']

/** Why a key column cannot have a type of its own, undefined if it can. */
function obstacle(type: Type, isPartition: boolean): string | undefined {
  if (type.nullable) return 'no part of a primary key may be null, so it holds the bytes of the rowkey'
  const { keyBytes, storage } = typeFacts(type)
  if (keyBytes === 'idiom') return 'it holds the bytes of the rowkey, as others write them'
  if (isTextUuid(storage) && !isPartition) {
    return 'CQL orders UUIDs by version and clock, this column by its text, so it holds the bytes of the rowkey'
  }
  return undefined
}

/** In both orders. */
const isUuid = (type: Type): boolean => {
  const { storage } = typeFacts(type)
  return storage.class === 'text' && (storage.format === 'uuid' || storage.format === 'time-uuid')
}

const isTextUuid = (storage: Storage): boolean => storage.class === 'text' && storage.format === 'uuid'

/** The key columns of a table, by position. */
export function keyColumns(schema: TableSchema): readonly KeyColumn[] {
  return schema.columns.slice(0, schema.keyLength).map((column, position) => keyColumn(schema, column, position))
}

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
          return codec.decode(driver.bytesOf(given))
        } catch {
          return undefined // bytes that no value has
        }
      },
    }
  }
  const { cql, why: reason, write, read } = valueTypeOf({ type })
  return {
    name: physical,
    cql,
    order: type.desc && !isPartition ? 'DESC' : 'ASC',
    why: isPartition && isUuid(type) ? 'only equality counts in a partition key' : reason,
    write(value) {
      // CQL takes null as a bound and means all rows by it.
      if (value === null) throw new TypeError(`null for key column '${physical}', which is never null`)
      return write(value === 0 ? 0 : value) // −0 is 0 in a key
    },
    read,
  }
}

/**
 * Whether two rows or keys certainly are in one partition: the table has no salt, and the values of the partition columns are identical. Rows often
 * come partition by partition, and then nothing has to be encoded to compare them. `false` says nothing: two arrays may hold equal bytes.
 */
export function isSamePartition({ salt, partitionLength }: TableSchema, one: Row, other: Row): boolean {
  for (let i = 0; i < partitionLength; i++) if (one[i] !== other[i]) return false
  return salt.length === 0 // computing a bucket costs more than the bytes of a partition
}
