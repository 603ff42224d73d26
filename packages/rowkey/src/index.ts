// Column types, salts and the codec
export {
  bool, bucket, bytes, compareBytes, compareText, date, desc, dictionary, fixedBytes, float32, float64, hashPrefix, int16, int32, int64,
  int8, isRowkeyError, json, keyLayout, nullable, paddedText, random, reversed, RowkeyError, separatedText, text, timestamp, toHex,
  uint16, uint32, uint64, uint8, uuid,
} from '@rowkey/codec'
export type { ColumnType, Flat, HashBucket, Json, KeyColumns, KeyLayout, KeyOf, ModuloBucket, Salt, Salts, Trait, TypeOptions, Value } from '@rowkey/codec'
// Models
export { Bucket, Column, defineTable, HashPrefix, KeyColumn, PartitionKey, RowKey, schemaFromJSON, schemaOf, Table } from '@rowkey/model'
export type {
  Class, Condition, InferFullWhere, InferInsert, InferKey, InferPatch, InferRow, InferWhere, InferWrites, Model, SchemaJSON,
  TableDefinition, TableOptions, TableSchema, TableShape,
} from '@rowkey/model'
// Repositories
export { createMapper } from '@rowkey/mapper'
export type {
  CallEvent, ConditionalMethods, ErrorCode, ErrorDetails, GetOptions, Mapper, MapperOptions, Repository, Scan, ScanOptions, ScanPage,
  TableMethods, Written,
} from '@rowkey/mapper'
export type { Adapter, Explanation, QueryStats } from '@rowkey/store'
// The in-process engine
export { memory } from '@rowkey/memory'
