// Tested by proto.test.ts.
import {
  appStatus,
  columnSchema,
  empty,
  role,
  rowOperations,
  schema,
  signedToken,
  type AppStatusPB,
  type ColumnSchemaPB,
  type EmptyPB,
  type Role,
  type RowOperationsPB,
  type SchemaPB,
  type SignedTokenPB,
} from './common.js'
import {
  bool,
  bytes,
  fixed64,
  int32,
  int64,
  message,
  names,
  optional,
  repeated,
  required,
  text,
  uint32,
  uint64,
  type Named,
  type Shape,
} from './codec.js'

const tabletServerErrors = {
  UNKNOWN_ERROR: 1,
  INVALID_SCHEMA: 2,
  INVALID_ROW_BLOCK: 3,
  INVALID_MUTATION: 4,
  MISMATCHED_SCHEMA: 5,
  TABLET_NOT_FOUND: 6,
  SCANNER_EXPIRED: 7,
  INVALID_SCAN_SPEC: 8,
  INVALID_CONFIG: 9,
  TABLET_ALREADY_EXISTS: 10,
  TABLET_HAS_A_NEWER_SCHEMA: 11,
  TABLET_NOT_RUNNING: 12,
  INVALID_SNAPSHOT: 13,
  INVALID_SCAN_CALL_SEQ_ID: 14,
  NOT_THE_LEADER: 15,
  WRONG_SERVER_UUID: 16,
  CAS_FAILED: 17,
  ALREADY_INPROGRESS: 18,
  THROTTLED: 19,
  TABLET_FAILED: 20,
  NOT_AUTHORIZED: 21,
} as const
export interface TabletServerErrorPB {
  readonly code: Named<typeof tabletServerErrors>
  readonly status: AppStatusPB
}
const tabletServerError = message<TabletServerErrorPB>({ code: required(1, names(tabletServerErrors)), status: required(2, appStatus) })

export interface WriteRequestPB {
  readonly tabletId: string
  readonly schema?: SchemaPB | undefined
  readonly rowOperations?: RowOperationsPB | undefined
  readonly propagatedTimestamp?: bigint | undefined
  readonly authzToken?: SignedTokenPB | undefined
}
export const writeRequest: Shape<WriteRequestPB> = message<WriteRequestPB>({
  tabletId: required(1, text),
  schema: optional(2, schema),
  rowOperations: optional(3, rowOperations),
  propagatedTimestamp: optional(5, fixed64),
  authzToken: optional(6, signedToken),
})

export interface PerRowErrorPB {
  readonly rowIndex: number
  readonly error: AppStatusPB
}
export interface WriteResponsePB {
  readonly error?: TabletServerErrorPB | undefined
  readonly perRowErrors: readonly PerRowErrorPB[]
  readonly timestamp?: bigint | undefined
}
export const writeResponse: Shape<WriteResponsePB> = message<WriteResponsePB>({
  error: optional(1, tabletServerError),
  perRowErrors: repeated(2, message<PerRowErrorPB>({ rowIndex: required(1, int32), error: required(2, appStatus) })),
  timestamp: optional(3, fixed64),
})

export interface RangePredicatePB {
  readonly lower?: Uint8Array | undefined
  readonly upper?: Uint8Array | undefined
}
export interface EqualityPredicatePB {
  readonly value?: Uint8Array | undefined
}
export interface InListPredicatePB {
  readonly values: readonly Uint8Array[]
}
/** One of the predicates is there. */
export interface ColumnPredicatePB {
  readonly column?: string | undefined
  readonly range?: RangePredicatePB | undefined
  readonly equality?: EqualityPredicatePB | undefined
  readonly isNotNull?: EmptyPB | undefined
  readonly inList?: InListPredicatePB | undefined
  readonly isNull?: EmptyPB | undefined
}
const columnPredicate = message<ColumnPredicatePB>({
  column: optional(1, text),
  range: optional(2, message<RangePredicatePB>({ lower: optional(1, bytes), upper: optional(2, bytes) })),
  equality: optional(3, message<EqualityPredicatePB>({ value: optional(1, bytes) })),
  isNotNull: optional(4, empty),
  inList: optional(5, message<InListPredicatePB>({ values: repeated(1, bytes) })),
  isNull: optional(6, empty),
})

const readModes = { UNKNOWN_READ_MODE: 0, READ_LATEST: 1, READ_AT_SNAPSHOT: 2, READ_YOUR_WRITES: 3 } as const
const orderModes = { UNKNOWN_ORDER_MODE: 0, UNORDERED: 1, ORDERED: 2 } as const

export interface NewScanRequestPB {
  readonly tabletId: string
  readonly limit?: bigint | undefined
  readonly projectedColumns: readonly ColumnSchemaPB[]
  readonly readMode?: Named<typeof readModes> | undefined
  readonly snapTimestamp?: bigint | undefined
  readonly propagatedTimestamp?: bigint | undefined
  readonly startPrimaryKey?: Uint8Array | undefined
  readonly stopPrimaryKey?: Uint8Array | undefined
  readonly cacheBlocks?: boolean | undefined
  readonly orderMode?: Named<typeof orderModes> | undefined
  readonly lastPrimaryKey?: Uint8Array | undefined
  readonly columnPredicates: readonly ColumnPredicatePB[]
  /** 2 = columnar, which needs the feature `columnarLayout`. */
  readonly rowFormatFlags?: bigint | undefined
  readonly authzToken?: SignedTokenPB | undefined
}
const newScanRequest = message<NewScanRequestPB>({
  tabletId: required(1, text),
  limit: optional(2, uint64),
  projectedColumns: repeated(4, columnSchema),
  readMode: optional(5, names(readModes)),
  snapTimestamp: optional(6, fixed64),
  propagatedTimestamp: optional(7, fixed64),
  startPrimaryKey: optional(8, bytes),
  stopPrimaryKey: optional(9, bytes),
  cacheBlocks: optional(10, bool),
  orderMode: optional(11, names(orderModes)),
  lastPrimaryKey: optional(12, bytes),
  columnPredicates: repeated(13, columnPredicate),
  rowFormatFlags: optional(14, uint64),
  authzToken: optional(15, signedToken),
})

export interface ScanRequestPB {
  readonly scannerId?: Uint8Array | undefined
  readonly newScanRequest?: NewScanRequestPB | undefined
  readonly callSeqId?: number | undefined
  readonly batchSizeBytes?: number | undefined
  readonly closeScanner?: boolean | undefined
}
export const scanRequest: Shape<ScanRequestPB> = message<ScanRequestPB>({
  scannerId: optional(1, bytes),
  newScanRequest: optional(2, newScanRequest),
  callSeqId: optional(3, uint32),
  batchSizeBytes: optional(4, uint32),
  closeScanner: optional(5, bool),
})

/** Which sidecars a column has. */
export interface ColumnarColumnPB {
  readonly dataSidecar?: number | undefined
  readonly varlenDataSidecar?: number | undefined
  readonly nonNullBitmapSidecar?: number | undefined
}
export interface ColumnarRowBlockPB {
  readonly columns: readonly ColumnarColumnPB[]
  readonly numRows?: bigint | undefined
}
export interface ScanResponsePB {
  readonly error?: TabletServerErrorPB | undefined
  readonly scannerId?: Uint8Array | undefined
  readonly hasMoreResults?: boolean | undefined
  readonly columnarData?: ColumnarRowBlockPB | undefined
  readonly snapTimestamp?: bigint | undefined
  readonly lastPrimaryKey?: Uint8Array | undefined
  readonly propagatedTimestamp?: bigint | undefined
}
export const scanResponse: Shape<ScanResponsePB> = message<ScanResponsePB>({
  error: optional(1, tabletServerError),
  scannerId: optional(2, bytes),
  hasMoreResults: optional(3, bool),
  columnarData: optional(
    5,
    message<ColumnarRowBlockPB>({
      columns: repeated(
        1,
        message<ColumnarColumnPB>({
          dataSidecar: optional(1, int32),
          varlenDataSidecar: optional(2, int32),
          nonNullBitmapSidecar: optional(3, int32),
        }),
      ),
      numRows: optional(2, int64),
    }),
  ),
  snapTimestamp: optional(6, fixed64),
  lastPrimaryKey: optional(7, bytes),
  propagatedTimestamp: optional(9, fixed64),
})

export interface ScannerKeepAliveRequestPB {
  readonly scannerId: Uint8Array
}
export const scannerKeepAliveRequest: Shape<ScannerKeepAliveRequestPB> = message<ScannerKeepAliveRequestPB>({
  scannerId: required(1, bytes),
})

export interface ScannerKeepAliveResponsePB {
  readonly error?: TabletServerErrorPB | undefined
}
export const scannerKeepAliveResponse: Shape<ScannerKeepAliveResponsePB> = message<ScannerKeepAliveResponsePB>({
  error: optional(1, tabletServerError),
})

export interface ListTabletsRequestPB {
  readonly needSchemaInfo?: boolean | undefined
}
export const listTabletsRequest: Shape<ListTabletsRequestPB> = message<ListTabletsRequestPB>({ needSchemaInfo: optional(1, bool) })

export interface TabletStatusPB {
  readonly tabletId: string
  readonly tableName: string
  readonly lastStatus: string
  readonly estimatedOnDiskSize?: bigint | undefined
}
export interface StatusAndSchemaPB {
  readonly tabletStatus: TabletStatusPB
  readonly role?: Role | undefined
}
/** The replicas of a server. */
export interface ListTabletsResponsePB {
  readonly error?: TabletServerErrorPB | undefined
  readonly statusAndSchema: readonly StatusAndSchemaPB[]
}
export const listTabletsResponse: Shape<ListTabletsResponsePB> = message<ListTabletsResponsePB>({
  error: optional(1, tabletServerError),
  statusAndSchema: repeated(
    2,
    message<StatusAndSchemaPB>({
      tabletStatus: required(
        1,
        message<TabletStatusPB>({
          tabletId: required(1, text),
          tableName: required(2, text),
          lastStatus: required(4, text),
          estimatedOnDiskSize: optional(7, int64),
        }),
      ),
      role: optional(5, role),
    }),
  ),
})
