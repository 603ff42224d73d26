export { copyTable } from './copy/copy-table.js'
export type { CopyOptions, CopyProgress, CopyResult, CopySource, CopyTarget, TableDigest } from './copy/copy-options.js'
export { createMapper, type Mapper } from './create-mapper.js'
export type { AddressOf, DefinitionOf, Located, LocatedRows } from './native.js'
export type { MapperOptions, RetryOptions } from './mapper-options.js'
export type { CancelOptions } from './call/cancellation.js'
export type { CallEvent } from './call/calls.js'
export { isRowkeyError, type ErrorCode, type ErrorDetails, type MapperErrorDetails } from './call/errors.js'
export type {
  ConditionalMethods,
  ConditionalOperations,
  Expiring,
  GetOptions,
  Operations,
  PlainOperations,
  Repository,
  TableMethods,
  WithExpiry,
} from './repository-types.js'
export type {
  BatchOptions,
  ChangeOptions,
  Expires,
  IncrementOptions,
  InsertOptions,
  ModifyOptions,
  OperationOptions,
  PutManyOptions,
  PutOptions,
  PutProgress,
  UpdateOptions,
  UpsertOptions,
  WriteOptions,
  Written,
  WrittenMany,
  WrittenRow,
} from './write/write-options.js'
export type { Operation, WrittenOperations } from './write/operations.js'
export type { PurgeOptions, PurgeProgress } from './purge-expired.js'
export type { ClassValidationError, ClassValidator } from './rows/class-validator.js'
export type { PageOptions, ReadAll, ReadAllOptions, ReadAllPage, Scan, ScanBoundary, ScanOptions, ScanPage } from './scan/scan-types.js'
