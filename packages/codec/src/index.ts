export { RowkeyError, isRowkeyError, type CodecErrorDetails } from './error.js'
export type {
  ColumnType,
  Columns,
  Default,
  Flat,
  Kind,
  RandomDefault,
  Trait,
  TraitsOf,
  TypeData,
  TypeFactory,
  TypeOptions,
  ValueOf,
  ValuesOf,
} from './types/column-type.js'
export { derived } from './link.js'
export { byteOptions, typeFields } from './types/type-options.js'
export { defaultText, typeText } from './kinds/type-text.js'
export { isColumnType } from './types/is-column-type.js'
export { random } from './types/default.js'
export { dictionary, paddedText, separatedText, text, ulid, uuid, type UuidOptions } from './types/text-types.js'
export {
  bool,
  decimal,
  float32,
  float64,
  int16,
  int32,
  int64,
  int8,
  uint16,
  uint32,
  uint64,
  uint8,
  type WideOptions,
} from './types/number-types.js'
export { bytes, fixedBytes, json, type Json } from './types/byte-types.js'
export { date, timestamp, type DateOptions, type TimestampOptions } from './types/time-types.js'
export { desc, nullable, reversed } from './types/wrappers.js'
export { bucket, hashPartition, hashPrefix, isSalt, type HashBucket, type ModuloBucket } from './salts/salt.js'
export type { Salt } from './salts/salt-data.js'
export { saltOptions, saltText } from './salts/salt-text.js'
export type { Row, Value } from './values/value.js'
export { values, type Values } from './values/values.js'
export { isPlainObject } from './values/built-in.js'
export { makeCode } from './generated/make-code.js'
export { show, showWhole } from './values/show.js'
export { successor, type Bound, type Bucket, type RowkeyRange } from './layout/bound.js'
export type { KeyInspection, KeyPart } from './layout/inspect.js'
export type { Codegen } from './layout/hot-paths.js'
export { rowLayout, type RowLayout, type SaltLevel } from './layout/row-layout.js'
export { keyLayout, type KeyColumns, type KeyLayout, type KeyLayoutOptions, type KeyOf, type Salts } from './layout/key-layout.js'
export { compareKeys, compareText } from './compare.js'
export { fromEscapedText, toEscapedText } from './escaped-text.js'
export { fromHex, toHex } from './hex.js'
export { oneByteString } from './one-byte-string.js'
export { utf8Length } from './encodings/utf8.js'
export { murmur3 } from './salts/murmur3.js'
