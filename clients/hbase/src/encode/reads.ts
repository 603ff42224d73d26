// Tested by requests.test.ts and limits.test.ts.
import type { Get, ReadSelection, Scan } from '../requests.js'
import { STRUCT } from '../thrift/types.js'
import type { Writer } from '../thrift/writer.js'
import { checkBoolean, checkBound, checkBytes, checkCount, checkList, checkNames, checkRow, each } from './limits.js'
import { getNames, scanNames } from './known-names.js'
import { writeColumn, writeTimeRange } from './columns.js'

const timeline = 2

/** A `TGet`, without its end. */
export function writeGet(writer: Writer, get: Get): void {
  checkNames(get, getNames)
  checkRow('row', get.row, writer.maxRowLength)
  writer.binary(1, get.row)
  writeColumns(writer, 2, get)
  writeTimeRange(writer, 4, get.timeRange)
  writeMaxVersions(writer, 5, get)
  writeConsistency(writer, 9, get)
  writeCacheBlocks(writer, 11, get)
  writeFilter(writer, 15, get)
  writer.stop()
}

/** A `TScan`, without its end. */
export function writeScan(writer: Writer, scan: Scan): void {
  checkNames(scan, scanNames)
  const { start, stop, caching, reversed, limit } = scan
  if (start !== undefined) {
    checkBound('start', start, writer.maxRowLength)
    writer.binary(1, start)
  }
  if (stop !== undefined) {
    checkBound('stop', stop, writer.maxRowLength)
    writer.binary(2, stop)
  }
  writeColumns(writer, 3, scan)
  if (caching !== undefined) {
    checkCount('caching', caching, 1)
    writer.int32(4, caching)
  }
  writeMaxVersions(writer, 5, scan)
  writeTimeRange(writer, 6, scan.timeRange)
  if (reversed !== undefined) {
    checkBoolean('reversed', reversed)
    writer.bool(11, reversed)
  }
  writeCacheBlocks(writer, 12, scan)
  if (limit !== undefined) {
    // 0 would end the scan at the first border of a region, instead of nowhere.
    checkCount('limit', limit, 1)
    writer.int32(15, limit)
  }
  writeConsistency(writer, 16, scan)
  writeFilter(writer, 18, scan)
  writer.stop()
}

function writeColumns(writer: Writer, field: number, { columns }: ReadSelection): void {
  if (columns === undefined) return
  checkList('columns', columns)
  writer.list(field, STRUCT, columns.length)
  each('columns', columns, (column) => writeColumn(writer, column))
}

function writeMaxVersions(writer: Writer, field: number, { maxVersions }: ReadSelection): void {
  if (maxVersions === undefined) return
  checkCount('maxVersions', maxVersions, 1)
  writer.int32(field, maxVersions)
}

function writeConsistency(writer: Writer, field: number, { isTimeline }: ReadSelection): void {
  if (isTimeline === undefined) return
  checkBoolean('isTimeline', isTimeline)
  if (isTimeline) writer.int32(field, timeline)
}

function writeCacheBlocks(writer: Writer, field: number, { cacheBlocks }: ReadSelection): void {
  if (cacheBlocks === undefined) return
  checkBoolean('cacheBlocks', cacheBlocks)
  writer.bool(field, cacheBlocks)
}

function writeFilter(writer: Writer, field: number, { filter }: ReadSelection): void {
  if (filter === undefined) return
  checkBytes('filter', filter)
  writer.binary(field, filter)
}
