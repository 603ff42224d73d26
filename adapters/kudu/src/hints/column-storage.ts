import type { Column, Compression, Encoding, TableChange } from '@rowkey/kudu-client'
import { show, showName, type SchemaColumn, type TableSchema } from 'rowkey/adapter'
import { keyColumns } from '../keys.js'
import { sqlType, valueTypeOf, type KuduType } from '../values.js'

/**
 * How the cells of one column are kept on the disk. What is absent is as the server is set in a new table, and stays as it is in one that
 * exists. Another choice holds for what is written, or compacted, from then on.
 */
export interface ColumnStorage {
  /**
   * - `plain`: each value as it is.
   * - `bitshuffle`: the first bits of all values, then the second ones, and so on, compressed by LZ4. For values that repeat, or change little in the
   *   order of the key. Numbers, instants and days; their default.
   * - `runLength`: a value and how often it follows itself. For equal neighbours in the order of the key. Integers, instants, days, decimals of up to 18
   *   digits, and booleans, whose default it is.
   * - `dictionary`: the number of each value in a list of all. For few different values; where they are too many, Kudu takes `plain` by itself. Text and
   *   bytes; their default.
   * - `prefix`: without what a value has in common with the one before it. For the first key column, and values that begin alike. Text and bytes.
   * - `auto`: the default of the type.
   */
  readonly encoding?: Encoding
  /** Of encoded blocks, for space at the cost of the speed of scans. `default`: as the server is set, which is `none` unless somebody set it. */
  readonly compression?: Compression
  /** Bytes of a block before compression, from 512; 0: as the server is set, which is 262,144 unless somebody set it. */
  readonly blockSize?: number
}

/** What a model says of its columns, by their names in the model. */
export type ColumnStorages = Readonly<Record<string, ColumnStorage>>

const compressions: readonly Compression[] = ['default', 'none', 'snappy', 'lz4', 'zlib']
const encodings: readonly Encoding[] = ['auto', 'plain', 'bitshuffle', 'runLength', 'dictionary', 'prefix']

/** Kudu takes less for 512, and a signed number of 32 bits at most. */
const [minBlock, maxBlock] = [512, 2 ** 31 - 1]

/** Decimals of more digits are in 16 bytes, for which Kudu has no run length. */
const maxRunLengthDigits = 18

/** The encodings of a type, as Kudu 1.18 accepts them. */
function encodingsOf({ type, precision = 0 }: KuduType): readonly Encoding[] {
  switch (type) {
    case 'STRING':
    case 'VARCHAR':
    case 'BINARY':
      return ['auto', 'plain', 'dictionary', 'prefix']
    case 'BOOL':
      return ['auto', 'plain', 'runLength']
    case 'FLOAT':
    case 'DOUBLE':
      return ['auto', 'plain', 'bitshuffle']
    case 'DECIMAL':
      return precision > maxRunLengthDigits ? ['auto', 'plain', 'bitshuffle'] : ['auto', 'plain', 'bitshuffle', 'runLength']
    default:
      return ['auto', 'plain', 'bitshuffle', 'runLength']
  }
}

/** For which columns an encoding is, as the guide says it. */
const purposes: Readonly<Record<Encoding, string>> = {
  auto: 'for all',
  plain: 'for all',
  bitshuffle: 'for numbers, instants and days',
  runLength: 'for integers, instants, days, booleans and decimals of up to 18 digits',
  dictionary: 'for text and bytes',
  prefix: 'for text and bytes',
}

const quoted = (names: readonly string[]): string => names.map((each) => `'${each}'`).join(', ')

const isObject = (given: unknown): given is object => typeof given === 'object' && given !== null && !Array.isArray(given)

/** What to give instead of a hint `columns`, as the end of the sentence "Give …"; undefined if nothing is wrong with it. */
export function columnsFault(given: unknown, schema: TableSchema): string | undefined {
  if (!isObject(given)) return "an object such as { line: { encoding: 'prefix', compression: 'lz4' } }"
  for (const [name, storage] of Object.entries(given)) {
    const fault = columnFault(name, schema) ?? storageFault(name, storage, schema)
    if (fault !== undefined) return fault
  }
  return undefined
}

function columnFault(name: string, { columns }: TableSchema): string | undefined {
  const column = columns.find((each) => each.name === name)
  if (column?.role === 'expiry' || column?.role === 'version') return `columns of the key and of values, not '${showName(name)}'`
  if (column !== undefined) return undefined
  const renamed = columns.find(({ physical }) => physical === name)
  if (renamed !== undefined) return `'${showName(renamed.name)}' instead of '${showName(name)}': columns have their names in the model`
  return `columns of the model, ${quoted(columns.map((each) => showName(each.name)))}, not '${showName(name)}'`
}

function storageFault(name: string, storage: unknown, schema: TableSchema): string | undefined {
  if (!isObject(storage)) return `'${showName(name)}' an object with encoding, compression or blockSize`
  for (const [property, given] of Object.entries(storage)) {
    const fault = propertyFault(name, property, given, schema)
    if (fault !== undefined) return `'${showName(name)}' ${fault}`
  }
  return undefined
}

function propertyFault(name: string, property: string, given: unknown, schema: TableSchema): string | undefined {
  switch (property) {
    case 'encoding':
      return encodingFault(name, given, schema)
    case 'compression':
      return compressions.some((each) => each === given) ? undefined : `a compression of ${quoted(compressions)}, not ${show(given)}`
    case 'blockSize': {
      const fits = given === 0 || (Number.isInteger(given) && (given as number) >= minBlock && (given as number) <= maxBlock)
      return fits ? undefined : `a blockSize from ${minBlock} to ${maxBlock} bytes, or 0 for that of the server, not ${show(given)}`
    }
    default:
      return `encoding, compression and blockSize only, not '${showName(property)}'`
  }
}

function encodingFault(name: string, given: unknown, schema: TableSchema): string | undefined {
  const encoding = encodings.find((each) => each === given)
  if (encoding === undefined) return `an encoding of ${quoted(encodings)}, not ${show(given)}`
  const type = kuduTypeOf(name, schema)
  const accepted = encodingsOf(type)
  if (accepted.includes(encoding)) return undefined
  return `an encoding of ${quoted(accepted)}: it is ${sqlType(type)} in Kudu, and '${encoding}' is ${purposes[encoding]}`
}

function kuduTypeOf(name: string, schema: TableSchema): KuduType {
  const position = schema.columns.findIndex((column) => column.name === name)
  return keyColumns(schema)[position]?.kudu ?? valueTypeOf(schema.columns[position] as SchemaColumn).kudu
}

/** Columns with what the model says of them. */
export function withStorages(columns: readonly Column[], schema: TableSchema, storages: ColumnStorages = {}): readonly Column[] {
  const named = new Map(Object.entries(storages))
  if (named.size === 0) return columns
  const byPhysical = new Map(schema.columns.map(({ name, physical }) => [physical, named.get(name)]))
  return columns.map((column) => ({ ...column, ...byPhysical.get(column.name) }))
}

/** What to change so that a column of a table is kept as the model says; undefined if it is. */
export function storageChange(wanted: Column, found: Column): TableChange | undefined {
  const { encoding, compression, blockSize } = wanted
  const change = {
    ...(encoding === undefined || encoding === (found.encoding ?? 'auto') ? {} : { encoding }),
    ...(compression === undefined || compression === (found.compression ?? 'default') ? {} : { compression }),
    ...(blockSize === undefined || blockSize === (found.blockSize ?? 0) ? {} : { blockSize }),
  }
  return Object.keys(change).length === 0 ? undefined : { alterColumn: wanted.name, ...change }
}

/** The names of encodings in the SQL of Impala. */
const sqlEncodings: Readonly<Record<Encoding, string>> = {
  auto: 'AUTO_ENCODING',
  plain: 'PLAIN_ENCODING',
  bitshuffle: 'BIT_SHUFFLE',
  runLength: 'RLE',
  dictionary: 'DICT_ENCODING',
  prefix: 'PREFIX_ENCODING',
}

const sqlCompressions: Readonly<Record<Compression, string>> = {
  default: 'DEFAULT_COMPRESSION',
  none: 'NO_COMPRESSION',
  snappy: 'SNAPPY',
  lz4: 'LZ4',
  zlib: 'ZLIB',
}

/** The attributes of a column in the SQL of Impala, each with a space before it. */
export function sqlStorage({ encoding, compression, blockSize = 0 }: Column): string {
  return [
    encoding === undefined ? '' : ` ENCODING ${sqlEncodings[encoding]}`,
    compression === undefined ? '' : ` COMPRESSION ${sqlCompressions[compression]}`,
    blockSize === 0 ? '' : ` BLOCK_SIZE ${blockSize}`,
  ].join('')
}
