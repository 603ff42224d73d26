import type {
  CallOptions,
  Check,
  Column,
  ColumnFamily,
  Delete,
  Get,
  Increment,
  Put,
  PutCell,
  ReadSelection,
  Scan,
  TableDescriptor,
} from '../requests.js'
import type { Names } from './limits.js'

const write = { row: true, attributes: true, durability: true } as const
const selection: Names<ReadSelection> = {
  columns: true,
  maxVersions: true,
  timeRange: true,
  filter: true,
  cacheBlocks: true,
  isTimeline: true,
}

export const getNames: Names<Get> = { row: true, ...selection }
export const scanNames: Names<Scan> = { start: true, stop: true, reversed: true, limit: true, caching: true, ...selection }
export const timeRangeNames: Names<NonNullable<ReadSelection['timeRange']>> = { min: true, max: true }
export const columnNames: Names<Column> = { family: true, qualifier: true }
export const putNames: Names<Put> = { ...write, cells: true, timestamp: true }
export const cellNames: Names<PutCell> = { family: true, qualifier: true, value: true, timestamp: true }
export const deleteNames: Names<Delete> = { ...write, columns: true, type: true, timestamp: true }
export const incrementNames: Names<Increment> = { ...write, columns: true, returnResults: true }
export const amountNames: Names<Increment['columns'][number]> = { family: true, qualifier: true, amount: true }
export const checkedNames: Names<Check> = { row: true, family: true, qualifier: true, value: true }
export const putMutationNames: Names<{ put: Put }> = { put: true }
export const deleteMutationNames: Names<{ delete: Delete }> = { delete: true }
export const descriptorNames: Names<TableDescriptor> = { name: true, families: true, attributes: true }
export const familyNames: Names<ColumnFamily> = {
  name: true,
  maxVersions: true,
  minVersions: true,
  timeToLive: true,
  compression: true,
  dataBlockEncoding: true,
  bloomFilter: true,
  blockSize: true,
  inMemory: true,
  attributes: true,
  configuration: true,
}
export const callOptionNames: Names<CallOptions> = { timeout: true, signal: true }
