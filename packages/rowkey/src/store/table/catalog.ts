// Also tested by packages/rowkey/test/mapper/tables.test.ts.
import type { Salt, TypeData } from '#codec'
import type { TableSchema } from '#model'
import { typeInStore } from '#model/internal'
import type { TableCatalog } from '../contract/adapter.js'
import { byteOptions, cutItems, defaultText, laterItems, saltOptions, showName, typeFacts, typeText } from '#codec/internal'
import { storeError } from '../errors.js'
import { apart, brief } from './apart.js'
import { saltsText } from './schema-text.js'
import { listed } from './listed.js'
import { schemaOfCatalog } from './stored-schema.js'
import { changedOption, growsKey, growsValue } from './type-growth.js'

/**
 * Compares a model with the existing table. They fit if they are equal, or if the table is that of a newer model (a newer deploy): it has more
 * value columns, which are nullable or have a constant default, or types that were widened. Rows that the older model cannot hold are refused
 * one by one when they are read. Everything else would lose or misplace rows. A table with versions or expiry needs models that declare
 * them.
 *
 * @throws RowkeyError `TABLE_NOT_FOUND`, `SCHEMA_MISMATCH` with a difference per column
 */
export function checkCatalog(schema: TableSchema, catalog: TableCatalog | undefined): asserts catalog is TableCatalog {
  const { name } = schema
  if (catalog === undefined) {
    throw storeError('TABLE_NOT_FOUND', `table '${name}' does not exist. Create it with ensureTables() or the store's own DDL.`, {
      table: name,
    })
  }
  const differences = differencesOf(schema, catalog)
  if (differences.length === 0) return
  throw storeError(
    'SCHEMA_MISMATCH',
    [
      `the model of '${name}' does not match the existing table:`,
      ...listed(differences),
      `ensureTables() adds columns that are nullable or have a constant default, and widens types where what is stored stays valid. For any other ` +
        `change, create a new table and copy the rows.`,
    ],
    { table: name, differences },
  )
}

/** Why `schema` does not match the table of `catalog`, one line for each difference. */
function differencesOf(schema: TableSchema, catalog: TableCatalog): readonly string[] {
  const stored = schemaOfCatalog(catalog, schema.name)
  return [
    ...keyDifferences(schema, stored),
    ...saltDifferences(schema, stored),
    ...valueDifferences(schema, stored),
    ...writesDifference(schema, stored),
  ]
}

/** Whether the key columns and the salt of a schema are those of a table, or can become them: then it can grow. */
export function fitsKey(schema: TableSchema, stored: TableSchema): boolean {
  if (schema.keyLength !== stored.keyLength || compared(saltsOf(schema, stored), saltsOf(stored, schema)) !== undefined) return false
  return schema.columns.slice(0, schema.keyLength).every((column, position) => {
    const other = stored.columns[position] as Column
    const isSame = compared(keyColumn(schema, position, stored), keyColumn(stored, position, schema)) === undefined
    return isSame || (column.role === other.role && column.physical === other.physical && growsKey(column, other))
  })
}

type Column = TableSchema['columns'][number]

/** A part of a model or a table: the data for the comparison, and its text for a message. */
interface Side {
  readonly data: unknown
  readonly text: string
}

const none: Side = { data: null, text: 'none' }

/** Both as texts for a message, undefined if they are the same. Their data is compared, not their texts. */
function compared(mine: Side, theirs: Side): readonly [mine: string, theirs: string] | undefined {
  const [a, b] = [JSON.stringify(mine.data), JSON.stringify(theirs.data)]
  if (a === b) return undefined
  return mine.text === theirs.text ? apart(a, b) : apart(mine.text, theirs.text)
}

const typeOf = ({ type }: Pick<Column, 'type'>): Side => ({ data: byteOptions(type), text: typeText(type) })

function keyDifferences(schema: TableSchema, stored: TableSchema): readonly string[] {
  const positions = Array.from({ length: Math.max(schema.keyLength, stored.keyLength) }, (_, position) => position)
  return positions.flatMap((position) => {
    const differ = compared(keyColumn(schema, position, stored), keyColumn(stored, position, schema))
    if (differ === undefined) return appended(schema.columns[position], stored.columns[position])
    const [mine, theirs] = [schema.columns[position], stored.columns[position]]
    const isSamePlace = mine !== undefined && theirs !== undefined && position < schema.keyLength && position < stored.keyLength
    if (isSamePlace && isSameBut(mine, theirs) && growsKey(theirs, mine)) return []
    const why = isSamePlace ? `${changedText(mine, theirs)}${growsKey(mine, theirs) ? widens : ''}${renamedText(mine, theirs)}` : ''
    return [`key column ${position + 1}: the model has ${differ[0]}, the table ${differ[1]}${why}`]
  })
}

/** What to write if a key column has only another name. */
function renamedText(mine: Column, theirs: Column): string {
  const isRenamed = mine.role === theirs.role && mine.physical !== theirs.physical && compared(typeOf(mine), typeOf(theirs)) === undefined
  return isRenamed ? `; if it is the same column, give its type { name: '${showName(theirs.physical)}' }` : ''
}

/** Whether two key columns differ in their types at most. */
const isSameBut = (mine: Column, theirs: Column): boolean => mine.role === theirs.role && mine.physical === theirs.physical

/** @param other the table or model that it is compared with: a list that grows is compared as far as both have it */
function keyColumn({ columns, keyLength, partitionLength }: TableSchema, position: number, other: TableSchema): Side {
  const column = columns[position]
  if (column === undefined || position >= keyLength) return none
  const isPartition = position < partitionLength
  const { data, text } = typeOf({
    type: typeInStore(columns, cutItems(column.type, sharedItems(column.type, other.columns[position]?.type))),
  })
  return { data: [isPartition, column.physical, data], text: `${isPartition ? 'partition ' : ''}'${column.physical}' ${text}` }
}

/** How many later items of a list both have. */
const sharedItems = <T extends TypeData | Salt>(mine: T, theirs: T | undefined): number =>
  theirs === undefined ? laterItems(mine).length : Math.min(laterItems(mine).length, laterItems(theirs).length)

/** What of a model's list a table does not have yet. */
function appended(mine: Column | undefined, theirs: Column | undefined): readonly string[] {
  if (mine === undefined || theirs === undefined || laterItems(mine.type).length <= laterItems(theirs.type).length) return []
  const next = laterItems(mine.type)[laterItems(theirs.type).length]
  return [
    `key column '${mine.physical}': the model changes its length from ${next?.from ?? ''} on, the table does not yet; ensureTables() appends it`,
  ]
}

function saltDifferences(schema: TableSchema, stored: TableSchema): readonly string[] {
  const differ = compared(saltsOf(schema, stored), saltsOf(stored, schema))
  if (differ === undefined) {
    const more = schema.salt.flatMap((level, at) =>
      laterItems(level)
        .slice(laterItems(stored.salt[at] as Salt).length)
        .slice(0, 1),
    )
    return more.map(({ from }) => `salt: the model changes its count from ${from} on, the table does not yet; ensureTables() appends it`)
  }
  return [`salt: the model has ${differ[0]}, the table ${differ[1]}; rows would be looked up in the wrong buckets`]
}

function saltsOf(schema: TableSchema, other: TableSchema): Side {
  const physicalOf = new Map(schema.columns.map(({ name, physical }) => [name, physical]))
  const levels = schema.salt.map((level, at) => cutItems(level, sharedItems(level, other.salt[at])))
  return { data: levels.map((level) => saltOptions(level, (name) => physicalOf.get(name))), text: saltsText({ ...schema, salt: levels }) }
}

function valueDifferences(schema: TableSchema, stored: TableSchema): readonly string[] {
  const [mine, theirs] = [valuesOf(schema), valuesOf(stored)]
  const known = [...mine].flatMap(([physical, column]) => {
    const difference = valueDifference(column, theirs.get(physical))
    return difference === undefined ? [] : [`column '${physical}': ${difference}`]
  })
  const unknown = [...theirs].filter(([physical]) => !mine.has(physical)).flatMap(([, column]) => unknownDifferences(column))
  return [...known, ...unknown]
}

const valuesOf = ({ columns, keyLength }: TableSchema): ReadonlyMap<string, Column> =>
  new Map(columns.slice(keyLength).map((column) => [column.physical, column]))

function valueDifference(column: Column, other: Column | undefined): string | undefined {
  if (other === undefined) return `the model has ${brief(typeText(column.type))}, the table has none${addedText(column)}`
  const types = compared(typeOf(column), typeOf(other))
  if (types !== undefined && !growsValue(other, column))
    return `the model has ${types[0]}, the table ${types[1]}${changedText(column, other)}${widenText(column, other)}`
  const [mine, theirs] = [readDefault(column), readDefault(other)]
  if (theirs === undefined || mine === theirs) return undefined
  const shown = apart(mine ?? 'none', theirs)
  return `the model has the default ${shown[0]}, rows of the table without it mean ${shown[1]}`
}

const widens = '; ensureTables() widens it'

/** What becomes of a type that the model changes: it can be widened, or why not, where one might expect it. */
function widenText(mine: Column, theirs: Column): string {
  if (growsValue(mine, theirs)) return sameReadDefault(mine, theirs) ? widens : otherMeaning(theirs)
  return isNumber(mine) && isNumber(theirs) ? '; stored numbers of the one are not read as the other, so copy them into a new column' : ''
}

/** Why a type that could be widened is not. */
const otherMeaning = (theirs: Column): string =>
  `; rows of the table without it mean its default, ${readDefault(theirs)}, and would change. Keep the default and the column required, or leave the column out of the model`

const isNumber = ({ type }: Column): boolean => ['int', 'bigint', 'float'].includes(typeFacts(type).storage.class)

/** Why a column cannot be added. */
const addedText = (column: Column): string =>
  mayBeAdded(column) ? '' : '; rows from before have no value, so declare it nullable or with a constant default'

/** The first code of a dictionary that the model has changed or lost, because long lists hide it. */
function changedText(mine: Column, theirs: Column): string {
  const changed = changedOption(mine.type, theirs.type)
  return changed === undefined ? '' : ` (${changed})`
}

/** For a column of the table that the model does not have. */
function unknownDifferences({ physical, role, type }: Column): readonly string[] {
  const unseen = unseenRoles[role]
  return [
    ...(unseen === undefined ? [] : [`column '${physical}': ${unseen}`]),
    ...(mayBeAdded({ type })
      ? []
      : [
          `column '${physical}': the table has ${brief(typeText(type))}, which is required, the model has none; declare it nullable in one deploy, and remove it in the next`,
        ]),
  ]
}

/** What happens to rows if a model does not declare these columns. */
const unseenRoles: Readonly<Partial<Record<Column['role'], string>>> = {
  expiry: 'rows of the table expire, but the model declares no ttl; declare one with @Ttl() or { ttl }',
  version: 'rows of the table have versions, but the model declares none and would ignore them; declare one with @Version() or { version }',
}

/**
 * The full meaning of a row without this column: the constant default of a required column belongs to the rows, not only to writes.
 */
function readDefault({ type }: Column): string | undefined {
  return type.nullable || type.default?.kind !== 'constant' ? undefined : defaultText(type.default)
}

/** Whether a row without this column means the same in both. */
export function sameReadDefault(mine: Pick<Column, 'type'>, stored: Pick<Column, 'type'>): boolean {
  const theirs = readDefault(stored as Column)
  return theirs === undefined || readDefault(mine as Column) === theirs
}

/** Whether rows without this column can be read: it is nullable or has a constant default. */
export function mayBeAdded({ type }: Pick<Column, 'type'>): boolean {
  return type.nullable || type.default?.kind === 'constant'
}

function writesDifference(schema: TableSchema, stored: TableSchema): readonly string[] {
  return schema.writes === stored.writes
    ? []
    : [`writes: the model is ${schema.writes}, the table ${stored.writes}; mixing both loses acknowledged writes on some stores`]
}
