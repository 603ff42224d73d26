// Tested by keys.test.ts and conformance.test.ts.
import type { ColumnType, Value as KuduValue } from '@rowkey/kudu-client'
import { typeFacts, type SchemaColumn, type Storage, type Value } from 'rowkey/adapter'

/** The type of a column in Kudu. */
export interface KuduType {
  readonly type: ColumnType
  readonly precision?: number | undefined
  readonly scale?: number | undefined
}

/** How the values of one column are stored. */
export interface ValueType {
  readonly kudu: KuduType
  /** What is stored for a value, as the documentation says it. */
  readonly encoding: string
  write(value: Value): KuduValue
  /** undefined for a value that the column's type does not allow, because another program wrote it. */
  read(given: KuduValue): Value | undefined
}

/** How a column is stored: a value column, or a key column with a type of its own. */
export function valueTypeOf({ type }: Pick<SchemaColumn, 'type'>): ValueType {
  let valueType = known.get(type)
  if (valueType === undefined) known.set(type, (valueType = make(typeFacts(type).storage)))
  return valueType
}

/** Cached, because it is needed for every value that is written. */
const known = new WeakMap<SchemaColumn['type'], ValueType>()

type Class<C extends Storage['class']> = Extract<Storage, { class: C }>

function held(type: ColumnType, encoding: string, read: (given: KuduValue) => Value | undefined): ValueType {
  return { kudu: { type }, encoding, write: (value) => value as KuduValue, read }
}

const of =
  (type: 'boolean' | 'number' | 'bigint' | 'string') =>
  (given: KuduValue): Value | undefined =>
    typeof given === type ? given : undefined

function make(storage: Storage): ValueType {
  switch (storage.class) {
    case 'boolean':
      return held('BOOL', 'the value', of('boolean'))
    case 'int':
      return integer(storage)
    case 'bigint':
      return bigInteger(storage)
    case 'float':
      return held(storage.bytes === 4 ? 'FLOAT' : 'DOUBLE', 'the number', of('number'))
    case 'decimal':
      return decimal(storage)
    case 'bytes':
      return held('BINARY', 'the bytes', (given) => {
        if (!(given instanceof Uint8Array)) return undefined
        return given.length === (storage.length ?? given.length) ? given : undefined
      })
    case 'json':
      return held('STRING', 'the text', of('string'))
    case 'text':
      return held('STRING', 'the text', of('string'))
  }
}

/** The first and the last day that a DATE can hold: those of the years 1 and 9999. */
export const firstDay = -719_162
export const lastDay = 2_932_896

/** Numbers, by the narrowest type of Kudu that includes all of them. */
function integer({ min, max, counts }: Class<'int'>): ValueType {
  const within = (given: number): number | undefined => (given >= min && given <= max ? given : undefined)
  if (counts === 'days') return held('DATE', 'the day', (given) => (typeof given === 'number' ? within(given) : undefined))
  if (counts === 'ms') {
    return {
      kudu: { type: 'UNIXTIME_MICROS' },
      encoding: 'the instant',
      write: (value) => microseconds(value as number),
      read: (given) => (typeof given === 'bigint' && given % 1000n === 0n ? within(Number(given / 1000n)) : undefined),
    }
  }
  const fits = (bits: number): boolean => min >= -(2 ** (bits - 1)) && max < 2 ** (bits - 1)
  const read = (given: KuduValue): Value | undefined => (typeof given === 'number' ? within(given) : undefined)
  if (fits(8)) return held('INT8', 'the number', read)
  if (fits(16)) return held('INT16', 'the number', read)
  if (fits(32)) return held('INT32', 'the number', read)
  return held('INT64', 'the number', (given) => (typeof given === 'bigint' ? within(Number(given)) : undefined))
}

/** Of an instant in milliseconds; a number as long as it is exact, which is cheaper. */
function microseconds(ms: number): KuduValue {
  const us = ms * 1000
  return Number.isSafeInteger(us) ? us : BigInt(ms) * 1000n
}

function bigInteger({ min, max, counts }: Class<'bigint'>): ValueType {
  const isAny = min === -(2n ** 63n) && max === 2n ** 63n - 1n
  const read = isAny
    ? of('bigint')
    : (given: KuduValue): Value | undefined => (typeof given === 'bigint' && given >= min && given <= max ? given : undefined)
  if (counts === 'us') return held('UNIXTIME_MICROS', 'the instant', read)
  if (counts === 'ns') return held('INT64', 'the number of ns since 1970', read)
  if (min >= -(2n ** 63n) && max < 2n ** 63n) return held('INT64', 'the number', read)
  const precision = String(max).length
  return { ...held('DECIMAL', 'the number', read), kudu: { type: 'DECIMAL', precision, scale: 0 } }
}

function decimal({ precision, scale }: Class<'decimal'>): ValueType {
  return {
    kudu: { type: 'DECIMAL', precision, scale },
    encoding: 'the number',
    write: (value) => unscaled(value as string),
    read: (given) => (typeof given === 'bigint' ? decimalText(given, scale) : undefined),
  }
}

/** The number without its point: 1.50 is 150. */
const unscaled = (text: string): bigint => BigInt(text.replace('.', ''))

function decimalText(given: bigint, scale: number): string {
  const sign = given < 0n ? '-' : ''
  const digits = String(given < 0n ? -given : given).padStart(scale + 1, '0')
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** The type as SQL writes it. */
export function sqlType({ type, precision, scale }: KuduType): string {
  switch (type) {
    case 'INT8':
      return 'TINYINT'
    case 'INT16':
      return 'SMALLINT'
    case 'INT32':
      return 'INT'
    case 'INT64':
      return 'BIGINT'
    case 'UNIXTIME_MICROS':
      return 'TIMESTAMP'
    case 'BOOL':
      return 'BOOLEAN'
    case 'DECIMAL':
      return `DECIMAL(${precision}, ${scale})`
    default:
      return type
  }
}
