// Tested by requests.test.ts and limits.test.ts.
import type { Check, CompareOperator, Delete, DeleteType, Increment, Put, PutCell, RowMutation } from '../requests.js'
import { STRUCT } from '../thrift/types.js'
import type { Writer } from '../thrift/writer.js'
import { writeAttributes, writeColumn, writeDurability } from './columns.js'
import {
  areEqual,
  checkBoolean,
  checkBytes,
  checkFamily,
  checkInt64,
  checkNames,
  checkRow,
  checkSome,
  checkTimestamp,
  each,
  numberOf,
  Refusal,
  within,
} from './limits.js'
import {
  amountNames,
  cellNames,
  checkedNames,
  deleteMutationNames,
  deleteNames,
  incrementNames,
  putMutationNames,
  putNames,
} from './known-names.js'

/** A `TPut`, with its end. */
export function writePut(writer: Writer, put: Put): void {
  checkNames(put, putNames)
  const { row, cells, timestamp, attributes, durability } = put
  checkRow('row', row, writer.maxRowLength)
  writer.binary(1, row)
  checkSome('cells', cells)
  writer.list(2, STRUCT, cells.length)
  each('cells', cells, (cell) => writeCell(writer, cell))
  if (timestamp !== undefined) {
    checkTimestamp('timestamp', timestamp)
    writer.int64(3, timestamp)
  }
  writeAttributes(writer, 5, attributes)
  writeDurability(writer, 6, durability)
  writer.stop()
}

function writeCell(writer: Writer, cell: PutCell): void {
  checkNames(cell, cellNames)
  const { family, qualifier, value, timestamp } = cell
  checkFamily('family', family)
  writer.binary(1, family)
  checkBytes('qualifier', qualifier)
  writer.binary(2, qualifier)
  checkBytes('value', value)
  writer.binary(3, value)
  if (timestamp !== undefined) {
    checkTimestamp('timestamp', timestamp)
    writer.int64(4, timestamp)
  }
  writer.stop()
}

const deleteTypes: Readonly<Record<DeleteType, number>> = { version: 0, column: 1, family: 2, familyVersion: 3 }

/** A `TDelete`, with its end. */
export function writeDelete(writer: Writer, request: Delete): void {
  checkNames(request, deleteNames)
  const { row, columns, type = 'column', timestamp, attributes, durability } = request
  checkRow('row', row, writer.maxRowLength)
  writer.binary(1, row)
  const number = numberOf('type', type, deleteTypes)
  if (timestamp !== undefined) checkTimestamp('timestamp', timestamp)
  if (columns !== undefined) {
    checkSome('columns', columns)
    writer.list(2, STRUCT, columns.length)
    const hasQualifier = type === 'column' || type === 'version'
    each('columns', columns, (column) => {
      // Without one the server would delete the column whose qualifier is empty, and with one the whole family.
      if ((column.qualifier !== undefined) !== hasQualifier) {
        throw new Refusal(
          'qualifier',
          `is ${hasQualifier ? 'missing' : 'given'}. ${hasQualifier ? "For whole families give type 'family'" : `Type '${type}' deletes whole families`}`,
        )
      }
      // For columns the gateway reads the timestamp of each, and not that of the delete.
      writeColumn(writer, column, timestamp)
    })
  }
  if (type === 'familyVersion' && timestamp === undefined)
    throw new Refusal('timestamp', "is missing. Type 'familyVersion' deletes the cells of one timestamp")
  if (type !== 'column' && columns === undefined) throw new Refusal('columns', `is missing. Type '${type}' says what to delete of columns`)
  if (timestamp !== undefined) writer.int64(3, timestamp)
  writer.int32(4, number)
  writeAttributes(writer, 6, attributes)
  writeDurability(writer, 7, durability)
  writer.stop()
}

/** A `TIncrement`, with its end. */
export function writeIncrement(writer: Writer, increment: Increment): void {
  checkNames(increment, incrementNames)
  const { row, columns, attributes, durability, returnResults } = increment
  checkRow('row', row, writer.maxRowLength)
  writer.binary(1, row)
  checkSome('columns', columns)
  writer.list(2, STRUCT, columns.length)
  each('columns', columns, (column) => {
    checkNames(column, amountNames)
    const { family, qualifier, amount } = column
    checkFamily('family', family)
    writer.binary(1, family)
    checkBytes('qualifier', qualifier)
    writer.binary(2, qualifier)
    checkInt64('amount', amount)
    writer.int64(3, amount)
    writer.stop()
  })
  writeAttributes(writer, 4, attributes)
  writeDurability(writer, 5, durability)
  if (returnResults !== undefined) {
    checkBoolean('returnResults', returnResults)
    writer.bool(7, returnResults)
  }
  writer.stop()
}

/** A `TRowMutations`, with its end. All of them change the same row. */
export function writeMutations(writer: Writer, row: Uint8Array, mutations: readonly RowMutation[]): void {
  checkRow('row', row, writer.maxRowLength)
  writer.binary(1, row)
  checkSome('mutations', mutations)
  writer.list(2, STRUCT, mutations.length)
  each('mutations', mutations, (mutation) => {
    const isPut = 'put' in mutation
    const name = isPut ? 'put' : 'delete'
    if (isPut) checkNames(mutation, putMutationNames)
    else checkNames(mutation, deleteMutationNames)
    try {
      const change = isPut ? mutation.put : mutation.delete
      checkRow('row', change.row, writer.maxRowLength)
      if (!areEqual(change.row, row)) throw new Refusal('row', 'is not the row of the others. They must change the same one')
      writer.struct(isPut ? 1 : 2)
      if (isPut) writePut(writer, mutation.put)
      else writeDelete(writer, mutation.delete)
      writer.stop()
    } catch (error) {
      throw within(name, error)
    }
  })
  writer.stop()
}

/** The fields 2 to 4 of the calls that check a column. Returns whether it must be absent. */
export function writeCheck(writer: Writer, check: Check): boolean {
  checkNames(check, checkedNames, 'check')
  const { row, family, qualifier, value } = check
  checkRow('check.row', row, writer.maxRowLength)
  writer.binary(2, row)
  checkFamily('check.family', family)
  writer.binary(3, family)
  checkBytes('check.qualifier', qualifier)
  writer.binary(4, qualifier)
  if (value !== undefined) checkBytes('check.value', value)
  return value === undefined || value.length === 0
}

/** The rows of a check and of what it allows must be the same. */
export function checkSameRow(writer: Writer, path: string, check: Check, row: Uint8Array): void {
  checkRow(path, row, writer.maxRowLength)
  if (!areEqual(check.row, row)) throw new Refusal(path, 'is not the row of the check. They must be the same')
}

const operators: Readonly<Record<CompareOperator, number>> = {
  less: 0,
  lessOrEqual: 1,
  equal: 2,
  notEqual: 3,
  greaterOrEqual: 4,
  greater: 5,
}
const nothing = new Uint8Array(0)

/** The fields 2 to 6 of `checkAndMutate`. */
export function writeComparison(writer: Writer, check: Check, operator: CompareOperator): void {
  const isAbsent = writeCheck(writer, check)
  const number = numberOf('operator', operator, operators)
  if (isAbsent && operator !== 'equal' && operator !== 'notEqual') {
    throw new Refusal('operator', `is '${operator}', and the check has no value. Only 'equal' (it is absent) and 'notEqual' can do without`)
  }
  writer.int32(5, number)
  // An absent value would make the gateway fail.
  writer.binary(6, isAbsent ? nothing : (check.value as Uint8Array))
}
