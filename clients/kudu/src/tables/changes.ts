// Tested by alter.test.ts and definitions.test.ts.
import type { AlterTableStepPB } from '../proto/messages.js'
import { checkNames, checkObject, kindOf, Refusal, type Names } from '../refusal.js'
import type { Column, RangePartition, TableChange } from '../requests.js'
import { encodeCell, encodeRanges } from '../rows/bounds.js'
import { show } from '../show.js'
import type { KuduTable } from '../table.js'
import { checkColumn, checkHash, checkName, checkNumber } from './checks.js'
import { columnSchemaOf, compressionOf, encodingOf } from './columns.js'
import { hashSchemaOf } from './partitions.js'

type Kinds = 'addColumn' | 'dropColumn' | 'renameColumn' | 'alterColumn' | 'addRange' | 'dropRange' | 'renameTable'
type ChangeOf<Kind extends Kinds> = Extract<TableChange, Readonly<Record<Kind, unknown>>>

/** What the properties of each change are; the first one tells its kind. */
const names: { readonly [Kind in Kinds]: Names<ChangeOf<Kind>> } = {
  addColumn: { addColumn: true },
  dropColumn: { dropColumn: true },
  renameColumn: { renameColumn: true, to: true },
  alterColumn: { alterColumn: true, encoding: true, compression: true, blockSize: true, defaultValue: true, comment: true },
  addRange: { addRange: true },
  dropRange: { dropRange: true },
  renameTable: { renameTable: true },
}

/** A change as a step of `AlterTable`; undefined if it only renames the table. @throws Refusal */
export function stepOf(table: KuduTable, change: TableChange): AlterTableStepPB | undefined {
  checkChange(change)
  if ('addColumn' in change) return { type: 'ADD_COLUMN', addColumn: { schema: added(change.addColumn) } }
  if ('dropColumn' in change) {
    checkName('dropColumn', change.dropColumn)
    return { type: 'DROP_COLUMN', dropColumn: { name: change.dropColumn } }
  }
  if ('renameColumn' in change) {
    checkName('renameColumn', change.renameColumn)
    checkName('to', change.to)
    return { type: 'RENAME_COLUMN', renameColumn: { oldName: change.renameColumn, newName: change.to } }
  }
  if ('alterColumn' in change) return altered(table, change)
  if ('addRange' in change) return addedRange(table, change.addRange)
  if ('dropRange' in change) {
    checkObject('dropRange', change.dropRange)
    if (change.dropRange.hash !== undefined) throw new Refusal('dropRange.hash', 'is given. A range is told by its bounds alone')
    return { type: 'DROP_RANGE_PARTITION', dropRangePartition: { rangeBounds: boundsOf(table, change.dropRange) } }
  }
  checkName('renameTable', change.renameTable)
  return undefined
}

/**
 * Refuses what destroys a table: Kudu 1.18 stores the bounds of a new range with hash levels as a row over the columns from before the changes,
 * and cannot read them where there are others. @throws Refusal
 */
export function checkTogether(steps: readonly AlterTableStepPB[]): void {
  const hasHash = steps.some(({ addRangePartition }) => addRangePartition?.customHashSchema !== undefined)
  if (hasHash && steps.some(({ addColumn, dropColumn }) => addColumn !== undefined || dropColumn !== undefined))
    throw new Refusal(
      'changes',
      'add or drop columns, and add a range with hash levels of its own, which Kudu cannot do together. Make two calls',
    )
}

function checkChange(change: TableChange): void {
  checkObject('', change)
  const kinds = (Object.keys(names) as Kinds[]).filter((kind) => Object.hasOwn(change, kind))
  const [kind] = kinds
  if (kind === undefined || kinds.length > 1) {
    const found = kind === undefined ? 'is none of' : `is ${kinds.join(' and ')} at once. A change is one of`
    throw new Refusal('', `${found} ${Object.keys(names).join(', ')}`)
  }
  checkNames<object>(change, names[kind])
}

function added(column: Column): ReturnType<typeof columnSchemaOf> {
  checkColumn(column)
  const { isKey, isNullable = false, defaultValue } = column
  if (isKey) throw new Refusal('addColumn.isKey', 'is true. The key of a table cannot be changed')
  if (!isNullable && defaultValue === undefined)
    throw new Refusal('addColumn', 'cannot be null and has no default value, which rows need that are there')
  return columnSchemaOf(column)
}

function altered(table: KuduTable, change: ChangeOf<'alterColumn'>): AlterTableStepPB {
  const { alterColumn: name, encoding, compression, blockSize, defaultValue, comment } = change
  checkName('alterColumn', name)
  if (blockSize !== undefined) checkNumber('blockSize', blockSize, 0, 2 ** 31 - 1)
  if (comment !== undefined && typeof comment !== 'string') throw new Refusal('comment', `is ${kindOf(comment)}. Give text`)
  const column = table.columns.find((each) => each.name === name)
  if (column === undefined) throw new Refusal('alterColumn', `is ${show(name)}, which the table does not have`)
  const delta = {
    name,
    encoding: encoding === undefined ? undefined : encodingOf(encoding),
    compression: compression === undefined ? undefined : compressionOf(compression),
    blockSize,
    defaultValue: defaultValue === undefined || defaultValue === null ? undefined : encodeCell(column, defaultValue),
    removeDefault: defaultValue === null ? true : undefined,
    newComment: comment,
  }
  return { type: 'ALTER_COLUMN', alterColumn: { delta } }
}

function addedRange(table: KuduTable, range: RangePartition): AlterTableStepPB {
  checkObject('addRange', range)
  const { hash } = range
  const rangeBounds = boundsOf(table, range)
  if (hash === undefined) return { type: 'ADD_RANGE_PARTITION', addRangePartition: { rangeBounds } }
  checkHash('addRange.hash', hash, table.columns)
  if (hash.length !== table.hash.length)
    throw new Refusal('addRange.hash', `has ${hash.length} levels. The table has ${table.hash.length}, and all ranges need as many`)
  return { type: 'ADD_RANGE_PARTITION', addRangePartition: { rangeBounds, customHashSchema: { hashSchema: hashSchemaOf(hash) } } }
}

function boundsOf({ columns, range }: KuduTable, bounds: RangePartition): ReturnType<typeof encodeRanges> {
  const names = range.map((position) => columns[position]?.name ?? '')
  if (names.length === 0) throw new Refusal('', 'is about ranges, and the table has none')
  return encodeRanges(columns, names, [bounds])
}
