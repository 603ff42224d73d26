import type { Random } from '../../../test/kit/seeded.js'
import type { HBaseClient } from '../src/index.js'
import type { Attributes, Column, ColumnFamily, Delete, Get, Put, ReadSelection, RowMutation, Scan } from '../src/requests.js'
import type { Struct, Value } from './oracle.js'

/** A call as it is made, and the arguments that the gateway must get. */
export interface Case {
  readonly call: string
  readonly args: Struct
  readonly make: (client: HBaseClient) => Promise<unknown>
}

type Maker<Made> = (random: Random) => Made

const bytes = ({ below }: Random, min: number, max: number): Buffer =>
  Buffer.from(Array.from({ length: min + below(max - min + 1) }, () => below(256)))
const maybe = <Made>(random: Random, make: () => Made): Made | undefined => (random.below(2) === 0 ? make() : undefined)
const some = <Made>({ below }: Random, make: () => Made, min = 1): Made[] => Array.from({ length: min + below(4) }, make)
const timestamp = ({ below }: Random): bigint => BigInt(below(2 ** 31)) * (below(2) === 0 ? 1n : 2n ** 31n)
const names = ['skip', 'async', 'sync', 'fsync'] as const
const pairs = (attributes: Attributes | Readonly<Record<string, string>> | undefined): Value | undefined =>
  attributes && Object.entries(attributes).map(([name, value]) => [Buffer.from(name), Buffer.from(value as Uint8Array)] as const)

const attributesOf: Maker<Attributes | undefined> = (random) =>
  maybe(random, () => ({ _ttl: bytes(random, 8, 8), 'a\u00e4': bytes(random, 0, 9) }))
const columnOf: Maker<Column> = (random) => {
  const qualifier = maybe(random, () => bytes(random, 0, 5))
  return qualifier === undefined ? { family: bytes(random, 1, 5) } : { family: bytes(random, 1, 5), qualifier }
}
const columnStruct = ({ family, qualifier }: Column, at?: bigint): Struct => ({ family, qualifier, timestamp: at })

const selectionOf: Maker<ReadSelection> = (random) => ({
  columns: maybe(random, () => some(random, () => columnOf(random), 0)),
  maxVersions: maybe(random, () => 1 + random.below(100)),
  timeRange: maybe(random, () => ({ min: 0n, max: timestamp(random) })),
  filter: maybe(random, () => bytes(random, 0, 40)),
  cacheBlocks: maybe(random, () => random.below(2) === 0),
  isTimeline: maybe(random, () => random.below(2) === 0),
})
const selectionStruct = ({ columns, maxVersions, timeRange, filter, cacheBlocks, isTimeline }: ReadSelection): Struct => ({
  columns: columns?.map((column) => columnStruct(column)),
  maxVersions,
  timeRange: timeRange && { minStamp: timeRange.min, maxStamp: timeRange.max },
  filterBytes: filter,
  cacheBlocks,
  consistency: isTimeline === true ? 2 : undefined,
})

const getOf: Maker<Get> = (random) => ({ row: bytes(random, 1, 20), ...selectionOf(random) })
const getStruct = (get: Get): Struct => ({ row: get.row, ...selectionStruct(get) })

const scanOf: Maker<Scan> = (random) => ({
  ...selectionOf(random),
  start: maybe(random, () => bytes(random, 0, 20)),
  stop: maybe(random, () => bytes(random, 0, 20)),
  reversed: maybe(random, () => random.below(2) === 0),
  limit: maybe(random, () => 1 + random.below(1e9)),
  caching: maybe(random, () => 1 + random.below(1e5)),
})
const scanStruct = (scan: Scan): Struct => {
  const { start, stop, reversed, limit, caching } = scan
  return { startRow: start, stopRow: stop, reversed, limit, caching, ...selectionStruct(scan) }
}

const putOf = (random: Random, row: Uint8Array): Put => ({
  row,
  cells: some(random, () => ({
    family: bytes(random, 1, 5),
    qualifier: bytes(random, 0, 9),
    value: random.below(10) === 0 ? Buffer.alloc(70_000, random.below(256)) : bytes(random, 0, 50),
    timestamp: maybe(random, () => timestamp(random)),
  })),
  timestamp: maybe(random, () => timestamp(random)),
  attributes: attributesOf(random),
  durability: maybe(random, () => names[random.below(4)] as (typeof names)[number]),
})
const durabilityOf = (durability: Put['durability']): number | undefined => durability && names.indexOf(durability) + 1
const putStruct = ({ row, cells, timestamp: at, attributes, durability }: Put): Struct => ({
  row,
  columnValues: cells.map(({ family, qualifier, value, timestamp: own }) => ({ family, qualifier, value, timestamp: own })),
  timestamp: at,
  attributes: pairs(attributes),
  durability: durabilityOf(durability),
})

const deleteTypes = ['version', 'column', 'family', 'familyVersion'] as const
const deleteOf = (random: Random, row: Uint8Array): Delete => {
  const type = deleteTypes[random.below(4)] as (typeof deleteTypes)[number]
  const isOfColumns = type === 'column' || type === 'version'
  const column = (): Column =>
    isOfColumns ? { family: bytes(random, 1, 5), qualifier: bytes(random, 0, 5) } : { family: bytes(random, 1, 5) }
  return {
    row,
    ...(type === 'column' && random.below(2) === 0 ? {} : { columns: some(random, column), type }),
    timestamp: type === 'familyVersion' ? timestamp(random) : maybe(random, () => timestamp(random)),
    attributes: attributesOf(random),
    durability: maybe(random, () => names[random.below(4)] as (typeof names)[number]),
  }
}
const deleteStruct = ({ row, columns, type = 'column', timestamp: at, attributes, durability }: Delete): Struct => ({
  row,
  columns: columns?.map((column) => columnStruct(column, at)),
  timestamp: at,
  deleteType: deleteTypes.indexOf(type),
  attributes: pairs(attributes),
  durability: durabilityOf(durability),
})

const mutationsOf = (random: Random, row: Uint8Array): RowMutation[] =>
  some(random, () => (random.below(2) === 0 ? { put: putOf(random, row) } : { delete: deleteOf(random, row) }))
const mutationsStruct = (row: Uint8Array, mutations: readonly RowMutation[]): Struct => ({
  row,
  mutations: mutations.map((each) => ('put' in each ? { put: putStruct(each.put) } : { deleteSingle: deleteStruct(each.delete) })),
})

const compressions = ['LZO', 'GZ', 'NONE', 'SNAPPY', 'LZ4', 'BZIP2', 'ZSTD'] as const
const bloomFilters = ['NONE', 'ROW', 'ROWCOL', 'ROWPREFIX_FIXED_LENGTH'] as const
const encodings = { NONE: 0, PREFIX: 2, DIFF: 3, FAST_DIFF: 4, ROW_INDEX_V1: 7 } as const
const familyOf = (random: Random, isFramed: boolean): ColumnFamily => {
  const pick = <Name>(all: readonly Name[]): Name => all[random.below(all.length)] as Name
  return {
    name: pick(['f', 'd', 'Familie\u00e4']),
    maxVersions: maybe(random, () => 1 + random.below(9)),
    minVersions: maybe(random, () => random.below(9)),
    timeToLive: maybe(random, () => 1 + random.below(1e9)),
    compression: maybe(random, () => pick(compressions)),
    dataBlockEncoding: maybe(random, () => pick(Object.keys(encodings) as (keyof typeof encodings)[])),
    bloomFilter: maybe(random, () => pick(bloomFilters)),
    blockSize: maybe(random, () => 1 + random.below(1e6)),
    inMemory: maybe(random, () => random.below(2) === 0),
    attributes: isFramed ? undefined : maybe(random, () => ({ NEW_VERSION_BEHAVIOR: 'true', '\u2028': '' })),
    configuration: maybe(random, () => ({ 'hbase.hstore.compaction.min': '4' })),
  }
}
const familyStruct = (family: ColumnFamily): Struct => {
  const { maxVersions, minVersions, timeToLive, compression, dataBlockEncoding, bloomFilter, blockSize, inMemory } = family
  return {
    ...{ name: Buffer.from(family.name), maxVersions, minVersions, timeToLive, blockSize, inMemory },
    compressionType: compression && compressions.indexOf(compression),
    bloomnFilterType: bloomFilter && bloomFilters.indexOf(bloomFilter),
    dataBlockEncoding: dataBlockEncoding && encodings[dataBlockEncoding],
    attributes: pairs(family.attributes),
    configuration: family.configuration && Object.entries(family.configuration),
  }
}

const operators = ['less', 'lessOrEqual', 'equal', 'notEqual', 'greaterOrEqual', 'greater'] as const

/** A random call of each sort. */
export function casesOf(random: Random, isFramed: boolean): readonly Case[] {
  const inNamespace = random.below(2) === 0
  const name = inNamespace ? 'ns_1:t.a-b' : 't\u00e4ble'
  const table = Buffer.from(name)
  const tableName = inNamespace ? { ns: Buffer.from('ns_1'), qualifier: Buffer.from('t.a-b') } : { ns: undefined, qualifier: table }
  const row = bytes(random, 1, 30)
  const get = getOf(random)
  const gets = some(random, () => getOf(random))
  const scan = scanOf(random)
  const put = putOf(random, row)
  const puts = some(random, () => putOf(random, bytes(random, 1, 9)))
  const request = deleteOf(random, row)
  const deletes = some(random, () => deleteOf(random, bytes(random, 1, 9)))
  const check = { row, family: bytes(random, 1, 5), qualifier: bytes(random, 0, 5), value: maybe(random, () => bytes(random, 0, 5)) }
  const { value } = check
  const isAbsent = value === undefined || value.length === 0
  const checkArgs = { table, row, family: check.family, qualifier: check.qualifier }
  const mutations = mutationsOf(random, row)
  const operator = isAbsent ? ((['equal', 'notEqual'] as const)[random.below(2)] ?? 'equal') : (operators[random.below(6)] ?? 'equal')
  const columns = some(random, () => ({
    family: bytes(random, 1, 5),
    qualifier: bytes(random, 0, 5),
    amount: timestamp(random) * (random.below(2) === 0 ? 1n : -1n),
  }))
  const increment = { row, columns, attributes: attributesOf(random), returnResults: maybe(random, () => random.below(2) === 0) }
  const families = some(random, () => familyOf(random, isFramed))
  const attributes = isFramed ? undefined : maybe(random, () => ({ 'rowkey.schema': '{}' }))
  const descriptor = { name, families, attributes }
  const desc = { tableName, columns: families.map(familyStruct), attributes: pairs(attributes) }
  const splitKeys = isFramed ? [] : [Buffer.from([3]), Buffer.from([1, 2]), Buffer.from([200])]
  const sorted = [splitKeys[1], splitKeys[0], splitKeys[2]] as Buffer[]
  const rows = 1 + random.below(1000)
  const onTable = (call: 'deleteTable' | 'disableTable' | 'enableTable' | 'isTableEnabled' | 'tableExists'): Case => ({
    call,
    args: { tableName },
    make: (client) => client[call](name),
  })
  return [
    { call: 'get', args: { table, tget: getStruct(get) }, make: (client) => client.get(name, get) },
    { call: 'getMultiple', args: { table, tgets: gets.map(getStruct) }, make: (client) => client.getMany(name, gets) },
    { call: 'put', args: { table, tput: putStruct(put) }, make: (client) => client.put(name, put) },
    { call: 'putMultiple', args: { table, tputs: puts.map(putStruct) }, make: (client) => client.putMany(name, puts) },
    { call: 'deleteSingle', args: { table, tdelete: deleteStruct(request) }, make: (client) => client.delete(name, request) },
    {
      call: 'deleteMultiple',
      args: { table, tdeletes: deletes.map(deleteStruct) },
      make: (client) => client.deleteMany(name, deletes),
    },
    {
      call: 'checkAndPut',
      args: { ...checkArgs, value: isAbsent ? undefined : value, tput: putStruct(put) },
      make: (client) => client.checkAndPut(name, check, put),
    },
    {
      call: 'checkAndDelete',
      args: { ...checkArgs, value: isAbsent ? undefined : value, tdelete: deleteStruct(request) },
      make: (client) => client.checkAndDelete(name, check, request),
    },
    {
      call: 'checkAndMutate',
      args: {
        ...checkArgs,
        compareOp: operators.indexOf(operator),
        value: value ?? Buffer.alloc(0),
        rowMutations: mutationsStruct(row, mutations),
      },
      make: (client) => client.checkAndMutate(name, check, operator, mutations),
    },
    {
      call: 'mutateRow',
      args: { table, trowMutations: mutationsStruct(row, mutations) },
      make: (client) => client.mutateRow(name, row, mutations),
    },
    {
      call: 'increment',
      args: { table, tincrement: { row, columns, attributes: pairs(increment.attributes), returnResults: increment.returnResults } },
      make: (client) => client.increment(name, increment),
    },
    {
      call: 'getScannerResults',
      args: { table, tscan: scanStruct(scan), numRows: rows },
      make: (client) => client.scan(name, scan, rows),
    },
    { call: 'openScanner', args: { table, tscan: scanStruct(scan) }, make: (client) => client.openScanner(name, scan) },
    { call: 'getScannerRows', args: { scannerId: rows, numRows: rows }, make: (client) => client.getScannerRows(rows, rows) },
    { call: 'closeScanner', args: { scannerId: 0 }, make: (client) => client.closeScanner(0) },
    { call: 'getAllRegionLocations', args: { table }, make: (client) => client.regions(name) },
    {
      call: 'createTable',
      args: { desc, splitKeys: isFramed ? undefined : sorted },
      make: (client) => client.createTable(descriptor, splitKeys),
    },
    { call: 'modifyTable', args: { desc }, make: (client) => client.modifyTable(descriptor) },
    {
      call: 'modifyColumnFamily',
      args: { tableName, column: familyStruct(families[0] as ColumnFamily) },
      make: (client) => client.modifyColumnFamily(name, families[0] as ColumnFamily),
    },
    { call: 'getTableDescriptor', args: { table: tableName }, make: (client) => client.getTableDescriptor(name) },
    ...(['deleteTable', 'disableTable', 'enableTable', 'isTableEnabled', 'tableExists'] as const).map(onTable),
    { call: 'listNamespaces', args: {}, make: (client) => client.listNamespaces() },
    { call: 'createNamespace', args: { namespaceDesc: { name: 'ns_1' } }, make: (client) => client.createNamespace('ns_1') },
    { call: 'getThriftServerType', args: {}, make: (client) => client.getThriftServerType() },
  ]
}
