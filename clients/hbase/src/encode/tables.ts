// Tested by requests.test.ts and limits.test.ts.
import type { ColumnFamily, TableDescriptor } from '../requests.js'
import { STRING, STRUCT } from '../thrift/types.js'
import type { Writer } from '../thrift/writer.js'
import { bloomFilters, compressions, dataBlockEncodings } from '../families.js'
import {
  areEqual,
  checkBoolean,
  checkCount,
  checkFamily,
  checkList,
  checkNames,
  checkRow,
  checkSome,
  checkText,
  each,
  maxRowLength,
  numberOf,
  Refusal,
} from './limits.js'
import { descriptorNames, familyNames } from './known-names.js'
import { show } from '../show.js'
import { writeTableName } from './names.js'

/** A `TTableDescriptor` as a field. */
export function writeDescriptor(writer: Writer, field: number, descriptor: TableDescriptor): void {
  checkNames(descriptor, descriptorNames)
  const { name, families, attributes } = descriptor
  writer.struct(field)
  writeTableName(writer, 1, name)
  checkSome('families', families)
  writer.list(2, STRUCT, families.length)
  each('families', families, (family) => writeFamily(writer, family))
  writeAttributes(writer, 3, attributes)
  writer.stop()
}

/** A `TColumnFamilyDescriptor`, with its end. */
export function writeFamily(writer: Writer, family: ColumnFamily): void {
  checkNames(family, familyNames)
  const {
    name,
    attributes,
    configuration,
    blockSize,
    bloomFilter,
    compression,
    dataBlockEncoding,
    maxVersions,
    minVersions,
    timeToLive,
    inMemory,
  } = family
  checkText('name', name)
  const bytes = Buffer.from(name, 'utf8')
  checkFamily('name', bytes)
  // eslint-disable-next-line no-control-regex -- HBase refuses them
  if (/[\u0000-\u001f:/]|^\./.test(name)) throw new Refusal('name', "has ':', '/' or a control character, or begins with '.'")
  writer.binary(1, bytes)
  writeAttributes(writer, 2, attributes)
  writeTexts(writer, 3, 'configuration', configuration)
  writeCount(writer, 4, 'blockSize', blockSize, 1)
  if (bloomFilter !== undefined) writer.int32(5, numberOf('bloomFilter', bloomFilter, bloomFilters))
  if (compression !== undefined) writer.int32(6, numberOf('compression', compression, compressions))
  if (dataBlockEncoding !== undefined) writer.int32(8, numberOf('dataBlockEncoding', dataBlockEncoding, dataBlockEncodings))
  writeCount(writer, 10, 'maxVersions', maxVersions, 1)
  writeCount(writer, 11, 'minVersions', minVersions, 0)
  writeCount(writer, 13, 'timeToLive', timeToLive, 1)
  if (inMemory !== undefined) {
    checkBoolean('inMemory', inMemory)
    writer.bool(20, inMemory)
  }
  writer.stop()
}

function writeCount(writer: Writer, field: number, path: string, value: number | undefined, min: number): void {
  if (value === undefined) return
  checkCount(path, value, min)
  writer.int32(field, value)
}

function writeAttributes(writer: Writer, field: number, attributes: Readonly<Record<string, string>> | undefined): void {
  if (attributes !== undefined && Object.keys(attributes).length > 0) notFramed(writer, 'attributes')
  writeTexts(writer, field, 'attributes', attributes)
}

function writeTexts(writer: Writer, field: number, path: string, texts: Readonly<Record<string, string>> | undefined): void {
  if (texts === undefined) return
  const entries = Object.entries(texts)
  writer.map(field, entries.length)
  for (const [name, value] of entries) {
    checkText(path, name)
    checkText(`${path}[${show(name)}]`, value)
    writer.bytes(Buffer.from(name, 'utf8'))
    writer.bytes(Buffer.from(value, 'utf8'))
  }
}

/**
 * Over a framed transport the gateway takes the whole request for each name of an attribute, and for each split key: the array that they are
 * in, instead of their part of it. The table would be another one, without an error.
 */
function notFramed(writer: Writer, path: string): void {
  if (!writer.isFramed) return
  const problem = "cannot be given over transport 'framed', because of a fault of HBase's gateway"
  throw new Refusal(path, `${problem}. Use a gateway with transport 'unframed' or 'http' for it`)
}

/** The borders between the regions of a new table, in their order. */
export function writeSplitKeys(writer: Writer, field: number, keys: readonly Uint8Array[]): void {
  checkList('splitKeys', keys)
  if (keys.length === 0) return
  notFramed(writer, 'splitKeys')
  each('splitKeys', keys, (key) => checkRow('', key, maxRowLength))
  const sorted = keys.toSorted((a, b) => Buffer.compare(a, b))
  const twice = sorted.findIndex((key, index) => index > 0 && areEqual(key, sorted[index - 1] as Uint8Array))
  if (twice >= 0)
    throw new Refusal(
      `splitKeys[${keys.indexOf(sorted[twice] as Uint8Array)}]`,
      'is there twice. Each of them is one border between regions',
    )
  writer.list(field, STRING, sorted.length)
  for (const key of sorted) writer.bytes(key)
}
