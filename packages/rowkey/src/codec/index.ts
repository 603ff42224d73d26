export { RowkeyError, isRowkeyError, type CodecErrorDetails } from './error.js'
export type {
  ColumnType,
  Columns,
  Default,
  Flat,
  Kind,
  RandomDefault,
  Row,
  Trait,
  TraitsOf,
  TypeData,
  NoDefault,
  TypeFactory,
  TypeOptions,
  Value,
  ValueOf,
  ValuesOf,
} from './type/column-type.js'
export { isColumnType } from './type/type-impl.js'
export type { TypeWrapper } from './type/type-wrapper.js'
export { random } from './type/make-type.js'
export type { ValueJSON } from './type/value-json.js'
export { bool } from './columns/boolean.js'
export { bytes, fixedBytes } from './columns/bytes.js'
export { decimal } from './columns/decimal.js'
export { paddedText, separatedText } from './columns/delimited-text.js'
export { dictionary } from './columns/dictionary.js'
export { digits, type DigitsForm } from './columns/digits.js'
export { fixedText } from './columns/fixed-text.js'
export { float32, float64 } from './columns/float.js'
export { ulid, uuid, type UuidOptions } from './columns/ids.js'
export { int16, int32, int64, int8, uint16, uint32, uint64, uint8, type Int64Options } from './columns/integers.js'
export { json, type Json, type JsonData } from './columns/json.js'
export { lastBytes, lastText } from './columns/last.js'
export { reversed } from './columns/reversed.js'
export { text } from './columns/text.js'
export { period, type Every, type EveryFrom, type PeriodOptions } from './columns/period.js'
export { date, timestamp, type DateOptions, type TimestampOptions } from './columns/time.js'
export { desc, followedBy, nullable } from './columns/wrappers.js'
export { isSalt, type CountFrom, type Salt } from './salts/salt.js'
export { bucket, type HashBucket, type ModuloBucket } from './salts/bucket.js'
export { kuduHash } from './salts/kudu-hash.js'
export { hashPrefix } from './salts/hash-prefix.js'
export { successor, type Bound, type Bucket, type RowkeyRange } from './layout/bound.js'
export type { KeyInspection, KeyPart } from './layout/inspect.js'
export type { Codegen } from './layout/compiled-paths.js'
export { rowLayout, type EncodedKey, type RowLayout, type SaltLevel } from './layout/row-layout.js'
export { keyLayout, type KeyColumns, type KeyLayout, type KeyLayoutOptions, type KeyOf, type Salts } from './layout/key-layout.js'
export { compareKeys, compareText } from './compare.js'
export { fromEscapedText, toEscapedText } from './escaped-text.js'
export { fromHex, toHex } from './hex.js'
