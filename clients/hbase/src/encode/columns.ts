// Tested by limits.test.ts.
import type { Attributes, Column, Durability, ReadSelection } from '../requests.js'
import type { Writer } from '../thrift/writer.js'
import { show } from '../show.js'
import { columnNames, timeRangeNames } from './known-names.js'
import { checkBytes, checkFamily, checkNames, checkText, checkTimestamp, numberOf, Refusal } from './limits.js'

/** A `TColumn` in a list. */
export function writeColumn(writer: Writer, column: Column, timestamp?: bigint): void {
  checkNames(column, columnNames)
  const { family, qualifier } = column
  checkFamily('family', family)
  writer.binary(1, family)
  if (qualifier !== undefined) {
    checkBytes('qualifier', qualifier)
    writer.binary(2, qualifier)
  }
  if (timestamp !== undefined) writer.int64(3, timestamp)
  writer.stop()
}

/** A `TTimeRange` as a field. */
export function writeTimeRange(writer: Writer, field: number, range: ReadSelection['timeRange']): void {
  if (range === undefined) return
  checkNames(range, timeRangeNames, 'timeRange')
  const { min, max } = range
  checkTimestamp('timeRange.min', min)
  checkTimestamp('timeRange.max', max)
  if (max < min) throw new Refusal('timeRange', `ends at ${max}, before it begins at ${min}`)
  writer.struct(field)
  writer.int64(1, min)
  writer.int64(2, max)
  writer.stop()
}

export function writeAttributes(writer: Writer, field: number, attributes: Attributes | undefined): void {
  if (attributes === undefined) return
  const entries = Object.entries(attributes)
  writer.map(field, entries.length)
  for (const [name, value] of entries) {
    checkText('attributes', name)
    checkBytes(`attributes[${show(name)}]`, value)
    // HBase fails at a shorter one, and its gateway would repeat the request for minutes.
    if (name === '_ttl' && value.length !== 8)
      throw new Refusal('attributes._ttl', `has ${value.length} bytes. It is a number of 8 bytes, big-endian`)
    writer.bytes(Buffer.from(name, 'utf8'))
    writer.bytes(value)
  }
}

const durabilities: Readonly<Record<Durability, number>> = { skip: 1, async: 2, sync: 3, fsync: 4 }

export function writeDurability(writer: Writer, field: number, durability: Durability | undefined): void {
  if (durability !== undefined) writer.int32(field, numberOf('durability', durability, durabilities))
}
