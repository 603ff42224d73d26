// Tested by ddl.test.ts.
import type { ColumnFamily } from '@rowkey/hbase-client'
import { catalogToJSON, utf8Of, visible, type TableCatalog } from '@rowkey/store/adapter'
import { familyName } from '../keys.js'
import type { NewTable } from '../native-table.js'

// The HBase shell is Ruby: text in single quotes has two escapes, and bytes are in double quotes, where #{…} would be executed.

/** Text as an argument. Characters that a terminal would obey or hide make it bytes. */
export const quoted = (text: string): string =>
  visible(text) === text && !beyond16Bits.test(text) ? `'${text.replace(/[\\']/g, '\\$&')}'` : quotedBytes(utf8Of(text))

const beyond16Bits = /[\u{10000}-\u{10ffff}]/u

/** Bytes as an argument. */
export function quotedBytes(bytes: Uint8Array): string {
  const shown = Array.from(bytes, (byte) => {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x23 && byte !== 0x5c
    return isPlain ? String.fromCharCode(byte) : `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`
  })
  return `"${shown.join('')}"`
}

/**
 * A rowkey in `SPLITS`. The shell makes text of it before it makes bytes of the text: bytes from 80 in double quotes would all become fd.
 * In single quotes they stay as they are written here, which is what it reads.
 */
export function quotedSplit(bytes: Uint8Array): string {
  const shown = Array.from(bytes, (byte) => {
    const isPlain = /^[\w.-]$/.test(String.fromCharCode(byte))
    return isPlain ? String.fromCharCode(byte) : `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`
  })
  return `'${shown.join('')}'`
}

/** A name in a comment. */
export const shellName = (name: string): string => (/^[\w.-]+$/.test(name) ? name : quoted(name))

/** `create '…', {NAME => 'f', …}, …` */
export function createCommand({ descriptor, splitKeys }: NewTable): string {
  const { name, families, attributes = {} } = descriptor
  const metadata = Object.entries(attributes).map(([key, value]) => `${quoted(key)} => ${quoted(value)}`)
  const parts = [
    quoted(name),
    ...families.map(familyText),
    ...(splitKeys.length === 0 ? [] : [`SPLITS => [${splitKeys.map(quotedSplit).join(', ')}]`]),
    ...(metadata.length === 0 ? [] : [`METADATA => {${metadata.join(', ')}}`]),
  ]
  return `create ${parts.join(', ')}`
}

function familyText({ name, maxVersions, timeToLive, compression, dataBlockEncoding, bloomFilter, attributes = {} }: ColumnFamily): string {
  const options: readonly (readonly [string, string | number | undefined])[] = [
    ['NAME', quoted(name)],
    ['VERSIONS', maxVersions],
    ['TTL', timeToLive],
    ['COMPRESSION', compression === undefined ? undefined : quoted(compression)],
    ['DATA_BLOCK_ENCODING', dataBlockEncoding === undefined ? undefined : quoted(dataBlockEncoding)],
    ['BLOOMFILTER', bloomFilter === undefined ? undefined : quoted(bloomFilter)],
    ...Object.entries(attributes).map(([key, value]) => [key, quoted(value)] as const),
  ]
  return `{${options.flatMap(([key, value]) => (value === undefined ? [] : [`${key} => ${value}`])).join(', ')}}`
}

/** `put '…', …` of a catalog. */
export const catalogCommand = (table: string, name: string, catalog: TableCatalog): string =>
  `put ${quoted(table)}, ${quoted(name)}, '${familyName}:catalog', ${quoted(JSON.stringify({ ...catalogToJSON(catalog), state: 'ready' }))}`
