export { HBaseClient } from './client.js'
export {
  allOf,
  anyOf,
  columnValue,
  firstKeyOnly,
  keyOnly,
  multiRowRange,
  qualifierIs,
  qualifierStartsWith,
  type ColumnValueFilter,
  type RowRange,
} from './filters.js'
export { HBaseError, type HBaseErrorCode, type HBaseErrorDetails } from './error.js'
export type { HBaseClientOptions } from './options.js'
export type {
  Attributes,
  CallOptions,
  Cell,
  Check,
  Column,
  ColumnFamily,
  CompareOperator,
  Delete,
  DeleteType,
  Durability,
  Get,
  Increment,
  Put,
  PutCell,
  ReadSelection,
  Region,
  Result,
  RowMutation,
  Scan,
  TableDescriptor,
} from './requests.js'
