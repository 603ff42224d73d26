// Tested by tables.test.ts.
import { KuduError } from '../error.js'
import { MalformedAnswer } from '../malformed-answer.js'
import type { ColumnSchemaPB, CompressionType, DataType, EncodingType } from '../proto/messages.js'
import { Refusal } from '../refusal.js'
import type { Column, ColumnType, Compression, Encoding } from '../requests.js'
import { decodeCell, encodeCell } from '../rows/bounds.js'
import { show } from '../show.js'
import type { TableColumn } from '../table.js'

const encodings: Readonly<Record<Encoding, EncodingType>> = {
  auto: 'AUTO_ENCODING',
  plain: 'PLAIN_ENCODING',
  bitshuffle: 'BIT_SHUFFLE',
  runLength: 'RLE',
  dictionary: 'DICT_ENCODING',
  prefix: 'PREFIX_ENCODING',
}
const compressions: Readonly<Record<Compression, CompressionType>> = {
  default: 'DEFAULT_COMPRESSION',
  none: 'NO_COMPRESSION',
  snappy: 'SNAPPY',
  lz4: 'LZ4',
  zlib: 'ZLIB',
}
const encodingNames = new Map(Object.entries(encodings).map(([name, type]) => [type, name as Encoding]))
const compressionNames = new Map(Object.entries(compressions).map(([name, type]) => [type, name as Compression]))
const isDecimal = (type: DataType): boolean => type === 'DECIMAL32' || type === 'DECIMAL64' || type === 'DECIMAL128'
const readable: readonly string[] = [
  'INT8',
  'INT16',
  'INT32',
  'INT64',
  'UNIXTIME_MICROS',
  'DATE',
  'STRING',
  'VARCHAR',
  'BINARY',
  'BOOL',
  'FLOAT',
  'DOUBLE',
]

/** How a column is told to a master. @throws Refusal */
export function columnSchemaOf(column: Column): ColumnSchemaPB {
  const {
    name,
    type,
    isKey,
    isNullable = false,
    precision,
    scale = 0,
    length,
    encoding,
    compression,
    blockSize,
    defaultValue,
    comment,
  } = column
  return {
    name,
    type: type === 'DECIMAL' ? decimalType(precision ?? 0) : type,
    isKey,
    isNullable,
    readDefaultValue: defaultValue === undefined ? undefined : encodeCell(column, defaultValue),
    encoding: encoding === undefined ? undefined : encodingOf(encoding),
    compression: compression === undefined ? undefined : compressionOf(compression),
    cfileBlockSize: blockSize,
    typeAttributes: type === 'DECIMAL' ? { precision, scale } : type === 'VARCHAR' ? { length } : undefined,
    comment,
  }
}

const decimalType = (precision: number): DataType => (precision <= 9 ? 'DECIMAL32' : precision <= 18 ? 'DECIMAL64' : 'DECIMAL128')

export function encodingOf(encoding: Encoding): EncodingType {
  if (Object.hasOwn(encodings, encoding)) return encodings[encoding]
  throw new Refusal('encoding', `is ${show(String(encoding))}. Give one of ${Object.keys(encodings).join(', ')}`)
}

export function compressionOf(compression: Compression): CompressionType {
  if (Object.hasOwn(compressions, compression)) return compressions[compression]
  throw new Refusal('compression', `is ${show(String(compression))}. Give one of ${Object.keys(compressions).join(', ')}`)
}

/** A column as a master tells it. @throws MalformedAnswer, or KuduError if its type is of a newer server */
export function columnOf(schema: ColumnSchemaPB, call: string): TableColumn {
  const {
    id = 0,
    name,
    type,
    isKey = false,
    isNullable = false,
    writeDefaultValue,
    encoding,
    compression,
    cfileBlockSize = 0,
    comment,
  } = schema
  const { precision, scale = 0, length } = schema.typeAttributes ?? {}
  const isOfDecimal = isDecimal(type)
  if (!isOfDecimal && !readable.includes(type)) {
    const problem = `${call}(): the column ${show(name)} has the type ${type}, which this client cannot read.`
    throw new KuduError('SERVER', problem, { call, isSent: false, status: 'NOT_SUPPORTED' })
  }
  // Its digits say how long its cells are.
  if (isOfDecimal && !(precision !== undefined && precision >= 1 && precision <= 38 && decimalType(precision) === type))
    throw new MalformedAnswer(`the column ${show(name)} is ${type} with ${precision} digits`)
  const column: TableColumn = {
    id,
    name,
    type: isOfDecimal ? 'DECIMAL' : (type as ColumnType),
    isKey,
    isNullable,
    ...(isOfDecimal ? { precision, scale } : {}),
    ...(type === 'VARCHAR' ? { length } : {}),
    encoding: encodingNames.get(encoding ?? 'AUTO_ENCODING') ?? 'auto',
    compression: compressionNames.get(compression ?? 'DEFAULT_COMPRESSION') ?? 'default',
    ...(cfileBlockSize === 0 ? {} : { blockSize: cfileBlockSize }),
    ...(comment === undefined || comment === '' ? {} : { comment }),
  }
  return Object.freeze(writeDefaultValue === undefined ? column : { ...column, defaultValue: decodeCell(column, writeDefaultValue) })
}
