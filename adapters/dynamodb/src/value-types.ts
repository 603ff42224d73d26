import type { SchemaColumn } from '@rowkey/store'

type Kind = SchemaColumn['type']['kind']

/** How the values of a kind of column are stored. */
export interface ValueType {
  /** Types of DynamoDB's attributes. */
  readonly native: string
  readonly encoding: string
  readonly why: string
}

const text: ValueType = { native: 'S', encoding: 'the text', why: 'readable; S keeps any text, the empty one too' }
const integer: ValueType = { native: 'N', encoding: 'decimal digits', why: 'exact: N has 38 digits and travels as text' }
const float: ValueType = {
  native: 'N or B',
  encoding: 'N: the shortest digits that give the number again; B: IEEE 754, big-endian',
  why: 'N has neither −0, NaN nor infinities, and ends at 1e-130 and 1e126: those are B',
}

/**
 * What attributes hold the values of columns, by kind of column, for whoever reads items with another client. Null is an attribute that is
 * absent. Key columns are in `p` and `s` only.
 *
 * @example
 * ```ts
 * valueTypes.int64.native //=> 'N'
 * ```
 */
export const valueTypes: Readonly<Record<Kind, ValueType>> = Object.freeze({
  text,
  bytes: { native: 'B', encoding: 'the bytes', why: 'B keeps any bytes, none too' },
  fixedBytes: { native: 'B', encoding: 'the bytes', why: 'as bytes' },
  bool: { native: 'BOOL', encoding: 'true or false', why: 'its own type' },
  uuid: { ...text, encoding: 'its 36 lower-case characters' },
  ulid: { ...text, encoding: 'its 26 characters' },
  json: { ...text, encoding: 'its JSON text', why: 'M would lose the order of names and the form of numbers' },
  int8: integer,
  int16: integer,
  int32: integer,
  int64: integer,
  uint8: integer,
  uint16: integer,
  uint32: integer,
  uint64: integer,
  float32: { ...float, encoding: `${float.encoding}, 4 bytes` },
  float64: { ...float, encoding: `${float.encoding}, 8 bytes` },
  decimal: { native: 'N', encoding: 'the number', why: 'exact; zeros at the end are put back by the scale of the column' },
  timestamp: { ...integer, encoding: 'ms, µs or ns since 1970-01-01 UTC' },
  date: { ...integer, encoding: 'days since 1970-01-01' },
  paddedText: { ...text, encoding: 'the text without padding' },
  separatedText: { ...text, encoding: 'the text without separator' },
  reversed: { native: 'as inside', encoding: 'as the column inside, not reversed', why: 'reversing is for keys' },
  dictionary: { ...text, encoding: 'the value, not its code', why: 'readable' },
})
