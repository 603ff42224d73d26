// Tested by proto.test.ts.
import {
  appStatus,
  columnSchema,
  columnSchemaDelta,
  hashBucketSchema,
  hostPort,
  partition,
  partitionSchema,
  role,
  rowOperations,
  schema,
  signedToken,
  type AppStatusPB,
  type ColumnSchemaDeltaPB,
  type ColumnSchemaPB,
  type HashBucketSchemaPB,
  type HostPortPB,
  type PartitionPB,
  type PartitionSchemaPB,
  type Role,
  type RowOperationsPB,
  type SchemaPB,
  type SignedTokenPB,
} from './common.js'
import { bool, bytes, int32, int64, message, names, optional, repeated, required, text, uint32, type Named, type Shape } from './codec.js'

const masterErrors = {
  UNKNOWN_ERROR: 1,
  INVALID_SCHEMA: 2,
  TABLE_NOT_FOUND: 3,
  TABLE_ALREADY_PRESENT: 4,
  TOO_MANY_TABLETS: 5,
  CATALOG_MANAGER_NOT_INITIALIZED: 6,
  NOT_THE_LEADER: 7,
  REPLICATION_FACTOR_TOO_HIGH: 8,
  TABLET_NOT_RUNNING: 9,
  EVEN_REPLICATION_FACTOR: 10,
  ILLEGAL_REPLICATION_FACTOR: 11,
  INCOMPATIBLE_REPLICA_MANAGEMENT: 12,
  HIVE_METASTORE_ERROR: 13,
  NOT_AUTHORIZED: 14,
  MASTER_ALREADY_PRESENT: 15,
  TABLE_SOFT_DELETED: 16,
} as const
export interface MasterErrorPB {
  readonly code: Named<typeof masterErrors>
  readonly status: AppStatusPB
}
const masterError = message<MasterErrorPB>({ code: required(1, names(masterErrors)), status: required(2, appStatus) })

/** What each answer of a master may be instead. */
export interface MasterResponsePB {
  readonly error?: MasterErrorPB | undefined
}
const masterResponse = message<MasterResponsePB>({ error: optional(1, masterError) })

/** By one of the two. */
export interface TableIdentifierPB {
  readonly tableId?: string | undefined
  readonly tableName?: string | undefined
}
const tableIdentifier = message<TableIdentifierPB>({ tableId: optional(1, text), tableName: optional(2, text) })

/** What many requests consist of. */
export interface TableRequestPB {
  readonly table: TableIdentifierPB
}
export const tableRequest: Shape<TableRequestPB> = message<TableRequestPB>({ table: required(1, tableIdentifier) })

export interface ConnectToMasterResponsePB extends MasterResponsePB {
  readonly role?: Role | undefined
  readonly caCertDer: readonly Uint8Array[]
  readonly authnToken?: SignedTokenPB | undefined
  readonly masterAddrs: readonly HostPortPB[]
  readonly clusterId?: string | undefined
}
export const connectToMasterResponse: Shape<ConnectToMasterResponsePB> = message<ConnectToMasterResponsePB>({
  error: optional(1, masterError),
  role: optional(2, role),
  caCertDer: repeated(3, bytes),
  authnToken: optional(4, signedToken),
  masterAddrs: repeated(5, hostPort),
  clusterId: optional(8, text),
})

export interface GetTableSchemaResponsePB extends MasterResponsePB {
  readonly schema?: SchemaPB | undefined
  readonly numReplicas?: number | undefined
  readonly tableId?: string | undefined
  readonly partitionSchema?: PartitionSchemaPB | undefined
  readonly tableName?: string | undefined
  readonly authzToken?: SignedTokenPB | undefined
  readonly owner?: string | undefined
  readonly comment?: string | undefined
}
export const getTableSchemaResponse: Shape<GetTableSchemaResponsePB> = message<GetTableSchemaResponsePB>({
  error: optional(1, masterError),
  schema: optional(2, schema),
  numReplicas: optional(3, int32),
  tableId: optional(4, text),
  partitionSchema: optional(5, partitionSchema),
  tableName: optional(7, text),
  authzToken: optional(8, signedToken),
  owner: optional(10, text),
  comment: optional(11, text),
})

export interface PartitionKeyPB {
  readonly rangeKey?: Uint8Array | undefined
  readonly hashKey?: Uint8Array | undefined
}
const partitionKey = message<PartitionKeyPB>({ rangeKey: optional(1, bytes), hashKey: optional(2, bytes) })

export interface GetTableLocationsRequestPB extends TableRequestPB {
  readonly maxReturnedLocations?: number | undefined
  readonly internTsInfosInResponse?: boolean | undefined
  readonly keyStart?: PartitionKeyPB | undefined
  readonly keyEnd?: PartitionKeyPB | undefined
}
export const getTableLocationsRequest: Shape<GetTableLocationsRequestPB> = message<GetTableLocationsRequestPB>({
  table: required(1, tableIdentifier),
  maxReturnedLocations: optional(5, uint32),
  internTsInfosInResponse: optional(7, bool),
  keyStart: optional(8, partitionKey),
  keyEnd: optional(9, partitionKey),
})

export interface InternedReplicaPB {
  readonly tsInfoIdx: number
  readonly role: Role
}
export interface TabletLocationsPB {
  readonly tabletId: string
  readonly partition?: PartitionPB | undefined
  readonly internedReplicas: readonly InternedReplicaPB[]
}
export interface TSInfoPB {
  readonly permanentUuid: Uint8Array
  readonly rpcAddresses: readonly HostPortPB[]
}
export interface GetTableLocationsResponsePB extends MasterResponsePB {
  readonly tabletLocations: readonly TabletLocationsPB[]
  readonly ttlMillis?: number | undefined
  readonly tsInfos: readonly TSInfoPB[]
}
export const getTableLocationsResponse: Shape<GetTableLocationsResponsePB> = message<GetTableLocationsResponsePB>({
  error: optional(1, masterError),
  tabletLocations: repeated(
    2,
    message<TabletLocationsPB>({
      tabletId: required(1, text),
      partition: optional(6, partition),
      internedReplicas: repeated(7, message<InternedReplicaPB>({ tsInfoIdx: required(1, uint32), role: required(2, role) })),
    }),
  ),
  ttlMillis: optional(3, uint32),
  tsInfos: repeated(4, message<TSInfoPB>({ permanentUuid: required(1, bytes), rpcAddresses: repeated(2, hostPort) })),
})

export interface CreateTableRequestPB {
  readonly name: string
  readonly schema: SchemaPB
  readonly numReplicas?: number | undefined
  readonly splitRowsRangeBounds?: RowOperationsPB | undefined
  readonly partitionSchema?: PartitionSchemaPB | undefined
  readonly owner?: string | undefined
  readonly comment?: string | undefined
}
export const createTableRequest: Shape<CreateTableRequestPB> = message<CreateTableRequestPB>({
  name: required(1, text),
  schema: required(2, schema),
  numReplicas: optional(4, int32),
  splitRowsRangeBounds: optional(6, rowOperations),
  partitionSchema: optional(7, partitionSchema),
  owner: optional(8, text),
  comment: optional(13, text),
})

export interface CreateTableResponsePB extends MasterResponsePB {
  readonly tableId?: string | undefined
}
export const createTableResponse: Shape<CreateTableResponsePB> = message<CreateTableResponsePB>({
  error: optional(1, masterError),
  tableId: optional(2, text),
})

export interface IsDoneResponsePB extends MasterResponsePB {
  readonly done?: boolean | undefined
}
/** Of `IsCreateTableDone` and `IsAlterTableDone`. */
export const isDoneResponse: Shape<IsDoneResponsePB> = message<IsDoneResponsePB>({
  error: optional(1, masterError),
  done: optional(3, bool),
})

export const deleteTableResponse: Shape<MasterResponsePB> = masterResponse

const stepTypes = {
  UNKNOWN: 0,
  ADD_COLUMN: 1,
  DROP_COLUMN: 2,
  RENAME_COLUMN: 3,
  ALTER_COLUMN: 4,
  ADD_RANGE_PARTITION: 5,
  DROP_RANGE_PARTITION: 6,
} as const
export interface AddColumnPB {
  readonly schema: ColumnSchemaPB
}
export interface DropColumnPB {
  readonly name: string
}
export interface RenameColumnPB {
  readonly oldName: string
  readonly newName: string
}
export interface CustomHashSchemaPB {
  readonly hashSchema: readonly HashBucketSchemaPB[]
}
export interface AddRangePartitionPB {
  readonly rangeBounds?: RowOperationsPB | undefined
  readonly customHashSchema?: CustomHashSchemaPB | undefined
}
export interface DropRangePartitionPB {
  readonly rangeBounds?: RowOperationsPB | undefined
}
export interface AlterColumnPB {
  readonly delta?: ColumnSchemaDeltaPB | undefined
}
/** What belongs to the type is there. */
export interface AlterTableStepPB {
  readonly type?: Named<typeof stepTypes> | undefined
  readonly addColumn?: AddColumnPB | undefined
  readonly dropColumn?: DropColumnPB | undefined
  readonly renameColumn?: RenameColumnPB | undefined
  readonly addRangePartition?: AddRangePartitionPB | undefined
  readonly dropRangePartition?: DropRangePartitionPB | undefined
  readonly alterColumn?: AlterColumnPB | undefined
}
export interface AlterTableRequestPB extends TableRequestPB {
  readonly alterSchemaSteps: readonly AlterTableStepPB[]
  readonly newTableName?: string | undefined
  readonly schema?: SchemaPB | undefined
}
export const alterTableRequest: Shape<AlterTableRequestPB> = message<AlterTableRequestPB>({
  table: required(1, tableIdentifier),
  alterSchemaSteps: repeated(
    2,
    message<AlterTableStepPB>({
      type: optional(1, names(stepTypes)),
      addColumn: optional(2, message<AddColumnPB>({ schema: required(1, columnSchema) })),
      dropColumn: optional(3, message<DropColumnPB>({ name: required(1, text) })),
      renameColumn: optional(4, message<RenameColumnPB>({ oldName: required(1, text), newName: required(2, text) })),
      addRangePartition: optional(
        5,
        message<AddRangePartitionPB>({
          rangeBounds: optional(1, rowOperations),
          customHashSchema: optional(3, message<CustomHashSchemaPB>({ hashSchema: repeated(1, hashBucketSchema) })),
        }),
      ),
      dropRangePartition: optional(6, message<DropRangePartitionPB>({ rangeBounds: optional(1, rowOperations) })),
      alterColumn: optional(7, message<AlterColumnPB>({ delta: optional(1, columnSchemaDelta) })),
    }),
  ),
  newTableName: optional(3, text),
  schema: optional(4, schema),
})

export interface AlterTableResponsePB extends MasterResponsePB {
  readonly tableId?: string | undefined
}
export const alterTableResponse: Shape<AlterTableResponsePB> = message<AlterTableResponsePB>({
  error: optional(1, masterError),
  tableId: optional(3, text),
})

export interface ListTablesRequestPB {
  readonly nameFilter?: string | undefined
}
export const listTablesRequest: Shape<ListTablesRequestPB> = message<ListTablesRequestPB>({ nameFilter: optional(1, text) })

export interface TableInfoPB {
  readonly id: string
  readonly name: string
}
export interface ListTablesResponsePB extends MasterResponsePB {
  readonly tables: readonly TableInfoPB[]
}
export const listTablesResponse: Shape<ListTablesResponsePB> = message<ListTablesResponsePB>({
  error: optional(1, masterError),
  tables: repeated(2, message<TableInfoPB>({ id: required(1, text), name: required(2, text) })),
})

export interface GetTableStatisticsRequestPB extends TableRequestPB {
  readonly includeTabletStatistics?: boolean | undefined
}
export const getTableStatisticsRequest: Shape<GetTableStatisticsRequestPB> = message<GetTableStatisticsRequestPB>({
  table: required(1, tableIdentifier),
  includeTabletStatistics: optional(2, bool),
})

export interface TabletStatisticsPB {
  readonly tabletId?: string | undefined
  readonly onDiskSize?: bigint | undefined
  readonly liveRowCount?: bigint | undefined
}
export interface GetTableStatisticsResponsePB extends MasterResponsePB {
  readonly onDiskSize?: bigint | undefined
  readonly liveRowCount?: bigint | undefined
  readonly tabletStatistics: readonly TabletStatisticsPB[]
}
export const getTableStatisticsResponse: Shape<GetTableStatisticsResponsePB> = message<GetTableStatisticsResponsePB>({
  error: optional(1, masterError),
  onDiskSize: optional(2, int64),
  liveRowCount: optional(3, int64),
  tabletStatistics: repeated(
    6,
    message<TabletStatisticsPB>({ tabletId: optional(1, text), onDiskSize: optional(2, int64), liveRowCount: optional(3, int64) }),
  ),
})
