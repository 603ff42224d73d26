// Tested by ddl.test.ts.
import type { ColumnFamily } from '@rowkey/hbase-client'
import { catalogToJSON, utf8Of, type TableCatalog } from 'rowkey/adapter'
import { familyName } from '../keys.js'
import type { NewTable } from '../native-table.js'

// The HBase shell is Ruby: text in single quotes has two escapes, and bytes are in double quotes, where #{…} would be executed.

/** Text as an argument. Characters that a terminal would obey, or not show, make it bytes. */
export const quoted = (text: string): string => (/^[ -~]*$/.test(text) ? `'${text.replace(/[\\']/g, '\\$&')}'` : quotedBytes(utf8Of(text)))

/** Bytes as an argument. */
export function quotedBytes(bytes: Uint8Array): string {
  const shown = Array.from(bytes, (byte) => {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x23 && byte !== 0x5c
    return isPlain ? String.fromCharCode(byte) : `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`
  })
  return `"${shown.join('')}"`
}

/**
 * A region border as an argument. The shell itself reads `\xHH` in it, so Ruby must leave that as it is, as it does in single quotes: of what it
 * makes of double quotes, the shell would lose bytes from 80 on, and read a backslash once more.
 */
export function quotedBorder(key: Uint8Array): string {
  const shown = Array.from(key, (byte) => {
    const char = String.fromCharCode(byte)
    return /[\w.:-]/.test(char) ? char : `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`
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
    ...(splitKeys.length === 0 ? [] : [`SPLITS => [${splitKeys.map(quotedBorder).join(', ')}]`]),
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

/** `put '…', …` of a catalog. In its JSON, what is not ASCII is escaped as JSON does it, so the data stays the same. */
export function catalogCommand(table: string, name: string, catalog: TableCatalog): string {
  const json = JSON.stringify({ ...catalogToJSON(catalog), state: 'ready' }).replace(/[^ -~]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
  return `put ${quoted(table)}, ${quoted(name)}, '${familyName}:catalog', ${quoted(json)}`
}
