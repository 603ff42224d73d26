// Tested by proto.test.ts.
import { empty, type EmptyPB } from './common.js'
import {
  alterTableRequest,
  alterTableResponse,
  connectToMasterResponse,
  createTableRequest,
  createTableResponse,
  deleteTableResponse,
  getTableLocationsRequest,
  getTableLocationsResponse,
  getTableSchemaResponse,
  getTableStatisticsRequest,
  getTableStatisticsResponse,
  isDoneResponse,
  listTablesRequest,
  listTablesResponse,
  tableRequest,
  type AlterTableRequestPB,
  type AlterTableResponsePB,
  type ConnectToMasterResponsePB,
  type CreateTableRequestPB,
  type CreateTableResponsePB,
  type GetTableLocationsRequestPB,
  type GetTableLocationsResponsePB,
  type GetTableSchemaResponsePB,
  type GetTableStatisticsRequestPB,
  type GetTableStatisticsResponsePB,
  type IsDoneResponsePB,
  type ListTablesRequestPB,
  type ListTablesResponsePB,
  type MasterResponsePB,
  type TableRequestPB,
} from './master.js'
import type { Shape } from './codec.js'
import {
  listTabletsRequest,
  listTabletsResponse,
  scannerKeepAliveRequest,
  scannerKeepAliveResponse,
  scanRequest,
  scanResponse,
  writeRequest,
  writeResponse,
  type ListTabletsRequestPB,
  type ListTabletsResponsePB,
  type ScannerKeepAliveRequestPB,
  type ScannerKeepAliveResponsePB,
  type ScanRequestPB,
  type ScanResponsePB,
  type WriteRequestPB,
  type WriteResponsePB,
} from './tablet-server.js'

export type * from './common.js'
export type * from './master.js'
export type * from './tablet-server.js'

/** A method of a server. */
export interface Method<Request, Response> {
  readonly service: string
  readonly name: string
  readonly request: Shape<Request>
  readonly response: Shape<Response>
  /** Numbers of what the server must be able to do. */
  readonly features?: readonly number[]
  /** It is not sent again where it may have been executed. */
  readonly changes?: boolean
  /** It only finds out what the request of a call needs, so a call of which nothing else was sent was not sent. */
  readonly prepares?: boolean
}

const service = { master: 'kudu.master.MasterService', tabletServer: 'kudu.tserver.TabletServerService' } as const

const masterMethod = <Request, Response>(
  name: string,
  request: Shape<Request>,
  response: Shape<Response>,
  ...features: readonly number[]
): Method<Request, Response> => ({ service: service.master, name, request, response, features })

export const connectToMaster: Method<EmptyPB, ConnectToMasterResponsePB> = masterMethod('ConnectToMaster', empty, connectToMasterResponse)
export const getTableSchema: Method<TableRequestPB, GetTableSchemaResponsePB> = masterMethod(
  'GetTableSchema',
  tableRequest,
  getTableSchemaResponse,
)
export const getTableLocations: Method<GetTableLocationsRequestPB, GetTableLocationsResponsePB> = {
  ...masterMethod('GetTableLocations', getTableLocationsRequest, getTableLocationsResponse),
  prepares: true,
}
export const createTable: Method<CreateTableRequestPB, CreateTableResponsePB> = {
  ...masterMethod('CreateTable', createTableRequest, createTableResponse),
  changes: true,
}
export const isCreateTableDone: Method<TableRequestPB, IsDoneResponsePB> = masterMethod('IsCreateTableDone', tableRequest, isDoneResponse)
export const alterTable: Method<AlterTableRequestPB, AlterTableResponsePB> = {
  ...masterMethod('AlterTable', alterTableRequest, alterTableResponse),
  changes: true,
}
export const isAlterTableDone: Method<TableRequestPB, IsDoneResponsePB> = masterMethod('IsAlterTableDone', tableRequest, isDoneResponse)
export const deleteTable: Method<TableRequestPB, MasterResponsePB> = {
  ...masterMethod('DeleteTable', tableRequest, deleteTableResponse),
  changes: true,
}
export const listTables: Method<ListTablesRequestPB, ListTablesResponsePB> = masterMethod(
  'ListTables',
  listTablesRequest,
  listTablesResponse,
)
export const getTableStatistics: Method<GetTableStatisticsRequestPB, GetTableStatisticsResponsePB> = masterMethod(
  'GetTableStatistics',
  getTableStatisticsRequest,
  getTableStatisticsResponse,
)

/** What a master must be able to do where ranges have hash levels of their own. */
export const rangesWithHash: readonly number[] = [8]
const columnarLayout = 5

export const write: Method<WriteRequestPB, WriteResponsePB> = {
  service: service.tabletServer,
  name: 'Write',
  request: writeRequest,
  response: writeResponse,
}
/** Answers are columnar if the request says so. */
export const scan: Method<ScanRequestPB, ScanResponsePB> = {
  service: service.tabletServer,
  name: 'Scan',
  request: scanRequest,
  response: scanResponse,
  features: [columnarLayout],
}
export const scannerKeepAlive: Method<ScannerKeepAliveRequestPB, ScannerKeepAliveResponsePB> = {
  service: service.tabletServer,
  name: 'ScannerKeepAlive',
  request: scannerKeepAliveRequest,
  response: scannerKeepAliveResponse,
}
export const listTablets: Method<ListTabletsRequestPB, ListTabletsResponsePB> = {
  service: service.tabletServer,
  name: 'ListTablets',
  request: listTabletsRequest,
  response: listTabletsResponse,
}
