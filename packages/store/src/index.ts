export type { Answer, Cost, Filter, Limit, Page, PageSource, ReadOptions, Slice, Test } from './contract/reading.js'
export type { Mutation, Outcome, WriteOptions } from './contract/writing.js'
export type { Adapter, Capabilities, TableCatalog, TableStore } from './contract/adapter.js'
// Adapters import this package only.
export { RowkeyError, compareBytes, isRowkeyError, toHex, type Bound, type Bucket, type Row, type RowLayout, type Value } from '@rowkey/codec'
export type { Column, SchemaJSON, TableSchema } from '@rowkey/model'
