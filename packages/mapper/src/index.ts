export { createMapper, type Mapper } from './create-mapper.js'
export type { AddressOf, DefinitionOf, Located, LocatedRows } from './native.js'
export type { MapperOptions, RetryOptions } from './mapper-options.js'
export type { CancelOptions } from './cancellation.js'
export type { CallEvent } from './call-event.js'
export { isRowkeyError, type ErrorCode, type ErrorDetails, type MapperErrorDetails } from './errors.js'
export type {
  ConditionalMethods,
  ConditionalOperations,
  GetOptions,
  LoadOptions,
  Operations,
  PlainOperations,
  Repository,
  TableMethods,
  Written,
} from './repository-types.js'
export type { BatchOptions, ChangeOptions, InsertOptions, OperationOptions, PutOptions, WriteOptions } from './write-options.js'
export type { LoadProgress } from './load-windows.js'
export type { Operation } from './operation.js'
export type { OperationResult } from './write-operations.js'
export type { PurgeOptions } from './purge-expired.js'
export type { ClassValidationError, ClassValidator } from './rows/class-validator.js'
export type { FullScan, FullScanOptions, FullScanPage } from './full-scan-types.js'
export type { Scan, ScanOptions, ScanPage } from './scan-types.js'
