export type * as Options from './options.js'
export { copyTable } from './copy/copy-table.js'
export type { CopyOptions, CopyProgress, CopyResult, CopySource, CopyTarget, TableDigest } from './copy/copy-options.js'
export { createMapper, type Mapper } from './create-mapper.js'
export type { AddressOf, DefinitionOf, Located } from './native.js'
export type { MapperOptions, RetryOptions } from './mapper-options.js'
export type { CancelOptions } from './call/cancellation.js'
export type { CallEvent } from './call/calls.js'
export { isRowkeyError, type ErrorCode, type ErrorDetails, type MapperErrorDetails } from './call/errors.js'
export type {
  Expiring,
  GetOptions,
  Operations,
  PlainOperations,
  PlainRepository,
  Repository,
  RepositoryOf,
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
export type { ClassTransformer } from './rows/nested-classes.js'
export type {
  KeyOrder,
  PageOptions,
  ReadAll,
  ReadAllOptions,
  ReadAllPage,
  Scan,
  ScanBoundary,
  ScanOptions,
  ScanPage,
} from './scan/scan-types.js'
