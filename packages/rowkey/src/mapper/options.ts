// Tested by test/packaging/exported-types.test.ts.
// The options of calls and what belongs to them, as `Options.PutOptions<typeof Orders>`: under one name, because few programs write them down.
export type { CancelOptions } from './call/cancellation.js'
export type { BuildIndexOptions, BuildProgress } from './indexes/build-index.js'
export type { EntryCounts } from '#store'
export type { IndexDefinition } from '#model'
export type { IndexReport, VerifyIndexOptions } from './indexes/verify-index.js'
export type { CopyOptions, CopyProgress } from './copy/copy-options.js'
export type { RetryOptions } from './mapper-options.js'
export type { PartitionsOptions, RotateOptions } from './partitions.js'
export type { PurgeOptions, PurgeProgress } from './purge-expired.js'
export type { GetOptions } from './repository-types.js'
export type { KeyOrder, PageOptions, ReadAllOptions, ScanBoundary } from './scan/scan-types.js'
export type {
  BatchOptions,
  ChangeOptions,
  Expires,
  IfOptions,
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
} from './write/write-options.js'
