import { uint32 } from '@rowkey/codec'
import { corrupt } from './corrupt.js'
import { Malformed, type Reader } from './reader.js'
import { wireOf } from './wire.js'

/** The version of the record format. Records of this version will always be readable. */
export const recordFormat = 1

const formatWire = wireOf({ type: uint32() })

/**
 * Starts to read a record and returns the number of its items. The reader is then before the first one.
 *
 * @throws RowkeyError `CORRUPT_ROW`
 */
export function openRecord(reader: Reader, record: Uint8Array, table: string): number {
  try {
    reader.start(record)
    const items = reader.array() - 1
    const format = reader.value(formatWire)
    if (format !== recordFormat) throw new Malformed(`has the format ${String(format)}, which this version of rowkey does not know`)
    if (items < 2) throw new Malformed('does not have the items for expiry and version')
    return items
  } catch (cause) {
    throw corrupt(table, '', cause)
  }
}
