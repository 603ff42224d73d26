// Tested by results.test.ts and real.test.ts.
import { bloomFilters, compressions, dataBlockEncodings } from '../families.js'
import type { ColumnFamily, Region, TableDescriptor } from '../requests.js'
import type { Reader } from '../thrift/input.js'
import { bool, bytes, int32, int64, list, struct, text, textMap } from '../thrift/read.js'

interface TableName {
  readonly namespace?: string
  readonly qualifier: string
}

const tableName = struct<TableName>({ 1: { name: 'namespace', reader: text }, 2: { name: 'qualifier', reader: text } }, ['qualifier'])

/** The name of a number; a number that nobody knows is left out, because a newer server may have more. */
const named = <Name extends string>(numbers: Readonly<Record<Name, number>>): Reader<Name | undefined> => ({
  type: int32.type,
  *read(input) {
    const number = yield* int32.read(input)
    return (Object.keys(numbers) as Name[]).find((name) => numbers[name] === number)
  },
})

const columnFamily = struct<ColumnFamily>(
  {
    1: { name: 'name', reader: text },
    2: { name: 'attributes', reader: textMap },
    3: { name: 'configuration', reader: textMap },
    4: { name: 'blockSize', reader: int32 },
    5: { name: 'bloomFilter', reader: named(bloomFilters) },
    6: { name: 'compression', reader: named(compressions) },
    8: { name: 'dataBlockEncoding', reader: named(dataBlockEncodings) },
    10: { name: 'maxVersions', reader: int32 },
    11: { name: 'minVersions', reader: int32 },
    13: { name: 'timeToLive', reader: int32 },
    20: { name: 'inMemory', reader: bool },
  },
  ['name'],
)

interface Descriptor {
  readonly name: TableName
  readonly families?: readonly ColumnFamily[]
  readonly attributes?: Readonly<Record<string, string>>
}

const descriptor = struct<Descriptor>(
  {
    1: { name: 'name', reader: tableName },
    2: { name: 'families', reader: list(columnFamily, 8) },
    3: { name: 'attributes', reader: textMap },
  },
  ['name'],
)

/** A table, with the default namespace left out of its name. */
export const tableDescriptor: Reader<TableDescriptor> = {
  type: descriptor.type,
  *read(input) {
    const { name, families = [], attributes } = yield* descriptor.read(input)
    const { namespace = 'default', qualifier } = name
    const full = namespace === 'default' || namespace === '' ? qualifier : `${namespace}:${qualifier}`
    return { name: full, families, ...(attributes === undefined ? {} : { attributes }) }
  },
}

interface Location {
  readonly server: { readonly host: string; readonly port?: number }
  readonly region: { readonly id: bigint; readonly start?: Uint8Array; readonly end?: Uint8Array }
}

const server = struct<Location['server']>({ 1: { name: 'host', reader: text }, 2: { name: 'port', reader: int32 } }, ['host'])
const info = struct<Location['region']>(
  { 1: { name: 'id', reader: int64 }, 3: { name: 'start', reader: bytes }, 4: { name: 'end', reader: bytes } },
  ['id'],
)
const location = struct<Location>({ 1: { name: 'server', reader: server }, 2: { name: 'region', reader: info } }, ['server', 'region'])
const locations = list(location, 26)
const empty = new Uint8Array(0)

/** The regions of a table, in the order of their rows. */
export const regions: Reader<Region[]> = {
  type: locations.type,
  *read(input) {
    return (yield* locations.read(input)).map(({ server: { host, port = 0 }, region: { id, start = empty, end = empty } }) => ({
      // Copies: they are few and are kept for long, and what arrived with them need not be.
      start: start.slice(),
      end: end.slice(),
      id,
      server: { host, port },
    }))
  },
}
