// Tested by proto.test.ts.
import {
  bool,
  bytes,
  int32,
  int64,
  message,
  names,
  optional,
  packed,
  repeated,
  required,
  text,
  uint32,
  type Named,
  type Shape,
} from './codec.js'

/** A message without fields. */
export type EmptyPB = object
export const empty: Shape<EmptyPB> = message<EmptyPB>({})

const statusCodes = {
  UNKNOWN_ERROR: 999,
  OK: 0,
  NOT_FOUND: 1,
  CORRUPTION: 2,
  NOT_SUPPORTED: 3,
  INVALID_ARGUMENT: 4,
  IO_ERROR: 5,
  ALREADY_PRESENT: 6,
  RUNTIME_ERROR: 7,
  NETWORK_ERROR: 8,
  ILLEGAL_STATE: 9,
  NOT_AUTHORIZED: 10,
  ABORTED: 11,
  REMOTE_ERROR: 12,
  SERVICE_UNAVAILABLE: 13,
  TIMED_OUT: 14,
  UNINITIALIZED: 15,
  CONFIGURATION_ERROR: 16,
  INCOMPLETE: 17,
  END_OF_FILE: 18,
  CANCELLED: 19,
  IMMUTABLE: 20,
} as const
/** `AppStatusPB.ErrorCode` */
export type StatusCode = Named<typeof statusCodes>

export interface AppStatusPB {
  readonly code: StatusCode
  readonly message?: string | undefined
}
export const appStatus: Shape<AppStatusPB> = message<AppStatusPB>({
  code: required(1, names(statusCodes)),
  message: optional(2, text),
})

export interface HostPortPB {
  readonly host: string
  readonly port: number
}
export const hostPort: Shape<HostPortPB> = message<HostPortPB>({ host: required(1, text), port: required(2, uint32) })

export interface SignedTokenPB {
  readonly tokenData?: Uint8Array | undefined
  readonly signature?: Uint8Array | undefined
  readonly signingKeySeqNum?: bigint | undefined
}
export const signedToken: Shape<SignedTokenPB> = message<SignedTokenPB>({
  tokenData: optional(1, bytes),
  signature: optional(2, bytes),
  signingKeySeqNum: optional(3, int64),
})

/** `DataType`: those that a client can meet. */
const dataTypes = {
  INT8: 1,
  INT16: 3,
  INT32: 5,
  INT64: 7,
  STRING: 8,
  BOOL: 9,
  FLOAT: 10,
  DOUBLE: 11,
  BINARY: 12,
  UNIXTIME_MICROS: 13,
  DECIMAL32: 15,
  DECIMAL64: 16,
  DECIMAL128: 17,
  VARCHAR: 19,
  DATE: 20,
  NESTED: 21,
} as const
export type DataType = Named<typeof dataTypes>

const encodings = {
  AUTO_ENCODING: 0,
  PLAIN_ENCODING: 1,
  PREFIX_ENCODING: 2,
  GROUP_VARINT: 3,
  RLE: 4,
  DICT_ENCODING: 5,
  BIT_SHUFFLE: 6,
} as const
export type EncodingType = Named<typeof encodings>

const compressions = { DEFAULT_COMPRESSION: 0, NO_COMPRESSION: 1, SNAPPY: 2, LZ4: 3, ZLIB: 4 } as const
export type CompressionType = Named<typeof compressions>

export interface ColumnTypeAttributesPB {
  readonly precision?: number | undefined
  readonly scale?: number | undefined
  readonly length?: number | undefined
}
const columnTypeAttributes = message<ColumnTypeAttributesPB>({
  precision: optional(1, int32),
  scale: optional(2, int32),
  length: optional(3, int32),
})

export interface ColumnSchemaPB {
  readonly id?: number | undefined
  readonly name: string
  readonly type: DataType
  readonly isKey?: boolean | undefined
  readonly isNullable?: boolean | undefined
  readonly readDefaultValue?: Uint8Array | undefined
  readonly writeDefaultValue?: Uint8Array | undefined
  readonly encoding?: EncodingType | undefined
  readonly compression?: CompressionType | undefined
  readonly cfileBlockSize?: number | undefined
  readonly typeAttributes?: ColumnTypeAttributesPB | undefined
  readonly comment?: string | undefined
  readonly immutable?: boolean | undefined
  readonly isAutoIncrementing?: boolean | undefined
}
export const columnSchema: Shape<ColumnSchemaPB> = message<ColumnSchemaPB>({
  id: optional(1, uint32),
  name: required(2, text),
  type: required(3, names(dataTypes)),
  isKey: optional(4, bool),
  isNullable: optional(5, bool),
  readDefaultValue: optional(6, bytes),
  writeDefaultValue: optional(7, bytes),
  encoding: optional(8, names(encodings)),
  compression: optional(9, names(compressions)),
  cfileBlockSize: optional(10, int32),
  typeAttributes: optional(11, columnTypeAttributes),
  comment: optional(12, text),
  immutable: optional(13, bool),
  isAutoIncrementing: optional(14, bool),
})

export interface ColumnSchemaDeltaPB {
  readonly name?: string | undefined
  readonly newName?: string | undefined
  readonly defaultValue?: Uint8Array | undefined
  readonly removeDefault?: boolean | undefined
  readonly encoding?: EncodingType | undefined
  readonly compression?: CompressionType | undefined
  readonly blockSize?: number | undefined
  readonly newComment?: string | undefined
}
export const columnSchemaDelta: Shape<ColumnSchemaDeltaPB> = message<ColumnSchemaDeltaPB>({
  name: optional(1, text),
  newName: optional(2, text),
  defaultValue: optional(4, bytes),
  removeDefault: optional(5, bool),
  encoding: optional(6, names(encodings)),
  compression: optional(7, names(compressions)),
  blockSize: optional(8, int32),
  newComment: optional(9, text),
})

export interface SchemaPB {
  readonly columns: readonly ColumnSchemaPB[]
}
export const schema: Shape<SchemaPB> = message<SchemaPB>({ columns: repeated(1, columnSchema) })

/** Rows, and the bytes of their texts. */
export interface RowOperationsPB {
  readonly rows?: Uint8Array | undefined
  readonly indirectData?: Uint8Array | undefined
}
export const rowOperations: Shape<RowOperationsPB> = message<RowOperationsPB>({
  rows: optional(2, bytes),
  indirectData: optional(3, bytes),
})

/** One of the two. */
export interface ColumnIdentifierPB {
  readonly id?: number | undefined
  readonly name?: string | undefined
}
const columnIdentifier = message<ColumnIdentifierPB>({ id: optional(1, int32), name: optional(2, text) })

export interface HashBucketSchemaPB {
  readonly columns: readonly ColumnIdentifierPB[]
  readonly numBuckets: number
  readonly seed?: number | undefined
}
export const hashBucketSchema: Shape<HashBucketSchemaPB> = message<HashBucketSchemaPB>({
  columns: repeated(1, columnIdentifier),
  numBuckets: required(2, int32),
  seed: optional(3, uint32),
})

export interface RangeSchemaPB {
  readonly columns: readonly ColumnIdentifierPB[]
}
export interface RangeWithHashSchemaPB {
  readonly rangeBounds?: RowOperationsPB | undefined
  readonly hashSchema: readonly HashBucketSchemaPB[]
}
export interface PartitionSchemaPB {
  readonly hashSchema: readonly HashBucketSchemaPB[]
  readonly rangeSchema?: RangeSchemaPB | undefined
  readonly customHashSchemaRanges: readonly RangeWithHashSchemaPB[]
}
export const partitionSchema: Shape<PartitionSchemaPB> = message<PartitionSchemaPB>({
  hashSchema: repeated(1, hashBucketSchema),
  rangeSchema: optional(2, message<RangeSchemaPB>({ columns: repeated(1, columnIdentifier) })),
  customHashSchemaRanges: repeated(
    5,
    message<RangeWithHashSchemaPB>({ rangeBounds: optional(1, rowOperations), hashSchema: repeated(2, hashBucketSchema) }),
  ),
})

/** A key is the buckets and then the range columns. */
export interface PartitionPB {
  readonly hashBuckets: readonly number[]
  readonly partitionKeyStart?: Uint8Array | undefined
  readonly partitionKeyEnd?: Uint8Array | undefined
}
export const partition: Shape<PartitionPB> = message<PartitionPB>({
  hashBuckets: packed(1, int32),
  partitionKeyStart: optional(2, bytes),
  partitionKeyEnd: optional(3, bytes),
})

const roles = { UNKNOWN_ROLE: 999, FOLLOWER: 0, LEADER: 1, LEARNER: 2, NON_PARTICIPANT: 3 } as const
/** Of a replica, and of a master. */
export type Role = Named<typeof roles>
export const role: ReturnType<typeof names<typeof roles>> = names(roles)
