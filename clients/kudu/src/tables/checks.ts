// Tested by definitions.test.ts.
import { checkList, checkNames, checkObject, each, kindOf, Refusal, type Names } from '../refusal.js'
import type { Column, ColumnType, HashLevel, RangePartition, TableDefinition } from '../requests.js'
import { show } from '../show.js'

/** What Kudu is set to by default, and advises. */
const maxColumns = 300
/** Bytes of a name. */
const maxName = 256
const maxLength = 65_535
const maxPrecision = 38

const types: Readonly<Record<ColumnType, true>> = {
  INT8: true,
  INT16: true,
  INT32: true,
  INT64: true,
  UNIXTIME_MICROS: true,
  DATE: true,
  DECIMAL: true,
  STRING: true,
  VARCHAR: true,
  BINARY: true,
  BOOL: true,
  FLOAT: true,
  DOUBLE: true,
}
const noKeys: readonly ColumnType[] = ['BOOL', 'FLOAT', 'DOUBLE']

const columnNames: Names<Column> = {
  name: true,
  type: true,
  isKey: true,
  isNullable: true,
  precision: true,
  scale: true,
  length: true,
  encoding: true,
  compression: true,
  blockSize: true,
  defaultValue: true,
  comment: true,
}
const definitionNames: Names<TableDefinition> = {
  name: true,
  columns: true,
  hash: true,
  range: true,
  ranges: true,
  splits: true,
  replicas: true,
  comment: true,
  owner: true,
}
const levelNames: Names<HashLevel> = { columns: true, buckets: true, seed: true }

/** @throws Refusal */
export function checkName(path: string, name: unknown): asserts name is string {
  if (typeof name !== 'string') throw new Refusal(path, `is ${kindOf(name)}. Give a name`)
  if (name === '' || name.includes('\0') || !name.isWellFormed())
    throw new Refusal(path, `is ${show(name)}, which is no name: it is empty, or has characters that Kudu does not take`)
  const length = Buffer.byteLength(name)
  if (length > maxName) throw new Refusal(path, `has ${length} bytes. Kudu takes at most ${maxName}`)
}

/** A whole number. @throws Refusal */
export function checkNumber(path: string, value: unknown, min: number, max: number): void {
  if (typeof value !== 'number') throw new Refusal(path, `is ${kindOf(value)}. Give a number`)
  if (!Number.isInteger(value) || value < min || value > max)
    throw new Refusal(path, `is ${value}. Give a whole number from ${min} to ${max}`)
}

function checkText(path: string, text: unknown): void {
  if (text !== undefined && typeof text !== 'string') throw new Refusal(path, `is ${kindOf(text)}. Give text`)
}

/** A column of a new table, or one to be added. @throws Refusal */
export function checkColumn(column: Column): void {
  checkObject('', column)
  checkNames(column, columnNames)
  const { name, type, isKey, isNullable = false, precision, scale, length, blockSize, comment } = column
  checkName('name', name)
  if (!Object.hasOwn(types, type)) throw new Refusal('type', `is ${show(String(type))}. Give one of ${Object.keys(types).join(', ')}`)
  for (const [path, flag] of [
    ['isKey', isKey],
    ['isNullable', isNullable],
  ] as const)
    if (typeof flag !== 'boolean') throw new Refusal(path, `is ${kindOf(flag)}. Give true or false`)
  if (isKey && isNullable) throw new Refusal('isNullable', 'is true, and columns of the key cannot be null')
  if (isKey && noKeys.includes(type)) throw new Refusal('type', `is ${type}, which cannot be in a key`)
  if (type === 'DECIMAL') {
    checkNumber('precision', precision, 1, maxPrecision)
    if (scale !== undefined) checkNumber('scale', scale, 0, precision as number)
  } else if (precision !== undefined || scale !== undefined) throw new Refusal('precision', `or scale is given, and the type is ${type}`)
  if (type === 'VARCHAR') checkNumber('length', length, 1, maxLength)
  else if (length !== undefined) throw new Refusal('length', `is given, and the type is ${type}`)
  if (blockSize !== undefined) checkNumber('blockSize', blockSize, 0, 2 ** 31 - 1)
  checkText('comment', comment)
}

/** @throws Refusal */
export function checkHash(path: string, levels: readonly HashLevel[], columns: readonly Column[]): void {
  checkList(path, levels)
  const used = new Set<string>()
  each(path, levels, (level) => {
    checkObject('', level)
    checkNames(level, levelNames)
    checkNumber('buckets', level.buckets, 2, 2 ** 31 - 1)
    if (level.seed !== undefined) checkNumber('seed', level.seed, 0, 2 ** 32 - 1)
    checkKeyColumns('columns', level.columns, columns)
    if (level.columns.length === 0) throw new Refusal('columns', 'is empty. Give columns of the key')
    for (const name of level.columns) {
      if (used.has(name)) throw new Refusal('columns', `has ${show(name)}, which is hashed twice. A column is hashed once`)
      used.add(name)
    }
  })
}

function checkKeyColumns(path: string, names: readonly string[], columns: readonly Column[]): void {
  checkList(path, names)
  for (const name of names) {
    if (columns.some((column) => column.name === name && column.isKey)) continue
    throw new Refusal(path, `has ${typeof name === 'string' ? show(name) : kindOf(name)}, which is no column of the key`)
  }
  if (new Set(names).size < names.length) throw new Refusal(path, 'has a column twice')
}

/** @throws Refusal */
export function checkDefinition(definition: TableDefinition): void {
  checkObject('', definition)
  checkNames(definition, definitionNames)
  const { name, columns, hash = [], range = [], ranges = [], splits = [], replicas, comment, owner } = definition
  checkName('name', name)
  checkList('columns', columns)
  each('columns', columns, checkColumn)
  checkColumns(columns)
  checkHash('hash', hash, columns)
  checkKeyColumns('range', range, columns)
  checkList('ranges', ranges)
  checkList('splits', splits)
  if (range.length === 0 && ranges.length + splits.length > 0) throw new Refusal('range', 'has no column, and ranges or splits are given')
  each('ranges', ranges, (given: RangePartition) => {
    checkObject('', given)
    if (given.hash !== undefined) checkHash('hash', given.hash, columns)
  })
  if (replicas !== undefined) {
    checkNumber('replicas', replicas, 1, 2 ** 31 - 1)
    if (replicas % 2 === 0) throw new Refusal('replicas', `is ${replicas}. Give an odd number`)
  }
  checkText('comment', comment)
  checkText('owner', owner)
}

function checkColumns(columns: readonly Column[]): void {
  if (columns.length > maxColumns) throw new Refusal('columns', `has ${columns.length}. Kudu takes at most ${maxColumns}`)
  const names = new Set<string>()
  let isAfterKey = false
  columns.forEach(({ name, isKey }, index) => {
    if (names.has(name)) throw new Refusal(`columns[${index}].name`, `is ${show(name)}, which another column has`)
    names.add(name)
    if (isKey && isAfterKey)
      throw new Refusal(`columns[${index}]`, 'is of the key and follows one that is not. Columns of the key come first')
    if (!isKey) isAfterKey = true
  })
  if (columns[0]?.isKey !== true) throw new Refusal('columns', 'has no column of the key')
}
