// Also tested by conformance.test.ts and buckets.test.ts.
import type { Value as KuduValue } from '@rowkey/kudu-client'
import { typeFacts, type SchemaColumn, type TableSchema, type Value } from 'rowkey/adapter'
import { firstDay, lastDay, valueTypeOf, type KuduType } from './values.js'

/** The column before the key with the bucket, for salts that Kudu does not compute. */
export const bucketColumn = 'rk_bucket'

/** One key column as Kudu stores it. */
export interface KeyColumn {
  readonly name: string
  readonly kudu: KuduType
  /** What is stored for a value, as the documentation says it. */
  readonly why: string
  /** `native`: the value itself; `turned`: minus one minus it; `bytes`: those that the column has in a rowkey. */
  readonly form: 'native' | 'turned' | 'bytes'
  write(value: Value): KuduValue
  /** undefined for a value that the column's type does not allow. */
  read(given: KuduValue): Value | undefined
  /** The first stored value after this one; undefined if there is none. */
  next(stored: KuduValue): KuduValue | undefined
}

type Type = SchemaColumn['type']

/** The key columns of a table, in the order of the model. */
export const keyColumns = (schema: TableSchema): readonly KeyColumn[] =>
  schema.columns.slice(0, schema.keyLength).map((column, position) => keyColumn(schema, column, position))

function keyColumn(schema: TableSchema, column: SchemaColumn, position: number): KeyColumn {
  const { type, physical: name } = column
  const why = obstacle(type)
  if (why !== undefined) return asBytes(schema, name, position, why)
  const { kudu, encoding, write, read } = valueTypeOf(column)
  if (!type.desc) return { name, kudu, why: encoding, form: 'native', write, read, next: nextStored(kudu) }
  return turned(name, type)
}

/** Why a key column cannot be of a type of Kudu, undefined if it can. */
function obstacle(type: Type): string | undefined {
  if (type.nullable) return 'no key column of Kudu may be null'
  const { keyBytes, storage } = typeFacts(type)
  if (keyBytes === 'idiom') return 'its bytes are in a format that other programs use'
  switch (storage.class) {
    case 'boolean':
    case 'float':
      return 'no key column of Kudu may be a BOOL, FLOAT or DOUBLE'
    case 'text':
      if (storage.format === 'time-uuid') return 'it is ordered by its clock'
      break
    case 'bigint':
      if (valueTypeOf({ type }).kudu.type === 'DECIMAL') return 'Kudu has no unsigned types'
      break
    default:
  }
  if (type.desc && !isCounted(type)) return 'key columns of Kudu are ascending'
  return undefined
}

/** Whether its values are integers that minus one minus it turns round. */
const isCounted = (type: Type): boolean => {
  const { class: kind } = typeFacts(type).storage
  return kind === 'int' || kind === 'bigint'
}

function asBytes({ layout }: TableSchema, name: string, position: number, why: string): KeyColumn {
  const codec = layout.column(position)
  return {
    name,
    kudu: { type: 'BINARY' },
    why: `the bytes of the column in a rowkey, because ${why}`,
    form: 'bytes',
    write: (value) => codec.encode(value),
    read(given) {
      try {
        return given instanceof Uint8Array ? codec.decode(given) : undefined
      } catch {
        return undefined // these are not the bytes of any value
      }
    },
    next: nextBytes,
  }
}

/** A descending integer, instant or day: minus one minus it, which no integer overflows. */
function turned(name: string, type: Type): KeyColumn {
  const { storage } = typeFacts(type)
  const why = 'minus one minus the number, because key columns of Kudu are ascending'
  if (storage.class === 'bigint') {
    const { min, max, counts } = storage
    return {
      name,
      kudu: { type: 'INT64' },
      why: counts === undefined ? why : `${why}; it counts ${counts === 'us' ? 'µs' : counts} since 1970`,
      form: 'turned',
      write: (value) => -1n - (value as bigint),
      read: (given) => (typeof given === 'bigint' && -1n - given >= min && -1n - given <= max ? -1n - given : undefined),
      next: nextStored({ type: 'INT64' }),
    }
  }
  const { min, max, counts } = storage as Extract<typeof storage, { class: 'int' }>
  const isWide = min < -(2 ** 31) || max >= 2 ** 31
  const kudu: KuduType = { type: isWide ? 'INT64' : 'INT32' }
  const within = (value: number): number | undefined => (value >= min && value <= max ? value : undefined)
  return {
    name,
    kudu,
    why: counts === undefined ? why : `${why}; it counts ${counts} since 1970`,
    form: 'turned',
    write: (value) => -1 - (value as number),
    read: (given) => (typeof given === (isWide ? 'bigint' : 'number') ? within(-1 - Number(given)) : undefined),
    next: nextStored(kudu),
  }
}

const nextText = (stored: KuduValue): KuduValue => `${stored as string}\0`

function nextBytes(stored: KuduValue): KuduValue {
  const bytes = stored as Uint8Array
  const next = new Uint8Array(bytes.length + 1)
  next.set(bytes)
  return next
}

/** How the values of a type follow each other. */
export function nextStored({ type, precision = 0 }: KuduType): KeyColumn['next'] {
  const upTo = (max: bigint) => (stored: KuduValue) => {
    const value = BigInt(stored as number | bigint)
    return value >= max ? undefined : value + 1n
  }
  switch (type) {
    case 'STRING':
      return nextText
    case 'BINARY':
      return nextBytes
    case 'INT64':
    case 'UNIXTIME_MICROS':
      return upTo(2n ** 63n - 1n)
    case 'DECIMAL':
      return upTo(10n ** BigInt(precision) - 1n)
    default: {
      const max = type === 'DATE' ? lastDay : type === 'INT8' ? 127 : type === 'INT16' ? 32_767 : 2 ** 31 - 1
      return (stored) => ((stored as number) >= max ? undefined : (stored as number) + 1)
    }
  }
}

/** Whether a value is one that its column in Kudu has no room for: a day before the year 1 or after 9999. */
export const isOutside = ({ kudu }: Pick<KeyColumn, 'kudu'>, stored: KuduValue): 'before' | 'after' | undefined =>
  kudu.type !== 'DATE' ? undefined : (stored as number) < firstDay ? 'before' : (stored as number) > lastDay ? 'after' : undefined
