import { isColumnType, isRowkeyError, isSalt, rowLayout, type TypeData } from '#codec'
import { derived, isPlainObject, sentenceOf, show, showName, showNames, shownType, typeFacts } from '#codec/internal'
import { checkCounts, checkPeriods } from './check-periods.js'
import { physicalName, type Definition } from './definition.js'
import { checkPhysicalName, checkPropertyName, checkTableName } from './names.js'
import { expiryColumn } from './own-columns.js'
import { plainData } from '../json/plain-data.js'
import type { Problems } from '../problems.js'

/** The maximum number of columns of a table, without those of expiry and version. */
export const maxColumns = 250

/** Of a table that has been in use for long. */
export const maxRetired = 1000

/** Adds everything that is wrong with a definition to `problems`. */
export function checkDefinition(definition: Definition, problems: Problems): void {
  checkTableName(definition.name, problems)
  checkColumns(definition, problems)
  checkKey(definition, problems)
  checkPeriods(definition, problems)
  checkOpenEnd(definition, problems)
  checkSalts(definition, problems)
  checkCounts(definition, problems)
  checkOwnNames(definition, problems)
  checkRetired(definition, problems)
  if (definition.writes !== 'plain' && definition.writes !== 'conditional') {
    problems.add({ code: 'INVALID_OPTION', message: `writes is ${show(definition.writes)}. Give 'plain' or 'conditional'.` })
  }
  if (!isPlainObject(definition.stores) || plainData(definition.stores) === undefined) {
    problems.add({
      code: 'INVALID_OPTION',
      message:
        'stores contains something that is not plain JSON data. ' +
        'Give hints by adapter name: objects, lists, strings, finite numbers, booleans and null.',
    })
  }
}

function checkColumns({ columns }: Definition, problems: Problems): void {
  if (columns.length > maxColumns) {
    problems.add({
      code: 'TOO_MANY_COLUMNS',
      message:
        `the table has ${columns.length} columns. ` +
        `Every store can hold ${maxColumns}. Put those that you rarely filter by into one json() column.`,
    })
  }
  const owners = new Map<string, string>()
  for (const [name, type] of columns) {
    const fit = checkPropertyName(name, problems)
    if (!isColumnType(type)) {
      problems.add({
        code: 'INVALID_TYPE',
        column: name,
        message: `the type of column '${showName(name)}' is ${shownType(type)}. Give a column type such as text() or int64().`,
      })
      continue
    }
    const physical = physicalName(name, type)
    if (fit || physical !== name) checkPhysicalName(name, physical, problems)
    const owner = owners.get(physical)
    if (owner === undefined) {
      owners.set(physical, name)
    } else {
      problems.add({
        code: 'DUPLICATE_NAME',
        column: name,
        message: `columns '${showName(owner)}' and '${showName(name)}' are both called '${showName(physical)}' in the store. Give one of them another { name }.`,
      })
    }
  }
}

/** Checks the names of the columns that the table adds against the declared ones. */
function checkOwnNames({ columns, writes, expires, version }: Definition, problems: Problems): void {
  const names = new Set<unknown>(columns.map(([name]) => name))
  if (expires && names.has(expiryColumn.name)) {
    const message = `column '${expiryColumn.name}' has the name of the column that ttl adds. Rename the property.`
    problems.add({ code: 'DUPLICATE_NAME', column: expiryColumn.name, message })
  }
  if (version === undefined) return
  if (typeof version !== 'string' || version === '') {
    problems.add({ code: 'INVALID_VERSION', message: `version is ${show(version)}. Give the name of the property that holds it.` })
    return
  }
  checkPropertyName(version, problems)
  if (names.has(version) || (expires && version === expiryColumn.name)) {
    problems.add({
      code: 'DUPLICATE_NAME',
      column: version,
      message: `version '${showName(version)}' has the name of another column. The version is a column of its own, so give it another name.`,
    })
  }
  if (writes === 'plain') {
    const message = `version '${showName(version)}' needs conditional writes, but the table has writes: 'plain'. Declare writes: 'conditional', or leave out the version.`
    problems.add({ code: 'INVALID_VERSION', column: version, message })
  }
}

function checkRetired({ columns, retired }: Definition, problems: Problems): void {
  if (retired.length > maxRetired) {
    problems.add({ code: 'INVALID_OPTION', message: `retired has ${retired.length} names. Keep at most ${maxRetired}.` })
    return
  }
  const declared = new Map<unknown, string>(columns.map(([name, type]) => [isColumnType(type) ? physicalName(name, type) : name, name]))
  for (const name of retired) {
    const column = declared.get(name)
    if (column !== undefined) {
      const message = `retired names '${showName(name)}', which is column '${showName(column)}'. Take it out of retired, or the column out of the model.`
      problems.add({ code: 'INVALID_OPTION', column, message })
    } else if (typeof name !== 'string' || name === '') {
      problems.add({ code: 'INVALID_OPTION', message: `retired has ${show(name)}. Give names of columns in the store.` })
    }
  }
}

function checkKey({ columns, partition, key }: Definition, problems: Problems): void {
  const types = new Map(columns)
  if (key.length === 0 && partition.length === 0) {
    problems.add({
      code: 'EMPTY_KEY',
      message: 'the table has no key column. List at least one in key, or in partition for a table by id.',
    })
  }
  const seen = new Set<string>()
  const known = showNames([...types.keys()], "'")
  for (const [list, names] of [
    ['partition', partition],
    ['key', key],
  ] as const) {
    for (const name of names) {
      const type = types.get(name)
      if (!types.has(name)) {
        const shown = typeof name === 'string' ? `'${showName(name)}'` : show(name)
        problems.add({
          code: 'UNKNOWN_COLUMN',
          column: showName(name),
          message: `${list} names ${shown}, which is not a column. The columns are ${known}.`,
        })
      } else if (seen.has(name)) {
        problems.add({
          code: 'REPEATED_COLUMN',
          column: name,
          message: `column '${showName(name)}' is in the key twice. The full key is partition followed by key. Name each column once.`,
        })
      } else if (isColumnType(type) && !canBeKey(type)) {
        problems.add({
          code: 'NOT_A_KEY_TYPE',
          column: name,
          message: `key column '${showName(name)}' is ${type.kind}, which cannot be part of a key. Make it a value column, or give it another type.`,
        })
      }
      if (isColumnType(type) && type.default?.kind === 'updatedAt') {
        const message = `key column '${showName(name)}' cannot have the default 'updatedAt', because the key of a row never changes. Use 'now'.`
        problems.add({ code: 'INVALID_TYPE', column: name, message })
      }
      seen.add(name)
    }
  }
}

/** A column without an end of its own only fits at the end of a key. */
function checkOpenEnd({ columns, partition, key }: Definition, problems: Problems): void {
  const types = new Map(columns)
  const names = [...partition, ...key]
  const known = names.flatMap((name) => {
    const type = types.get(name)
    return isColumnType(type) && canBeKey(type) ? [{ name, type }] : []
  })
  if (known.length < names.length || new Set(names).size < names.length) return // there are other problems
  const misplaced = refusal(() => rowLayout(known, partition.length, []))
  if (misplaced !== undefined)
    problems.add({ code: 'NOT_A_KEY_TYPE', column: known.find(({ type }) => typeFacts(type).openEnded)?.name, message: misplaced })
}

function checkSalts({ columns, partition, key, salt }: Definition, problems: Problems): void {
  const types = new Map(columns)
  const usable = [...new Set([...partition, ...key])].flatMap((name) => {
    const type = types.get(name)
    return isColumnType(type) && canBeKey(type) ? [{ name, type }] : []
  })
  const levelOf = new Map<string, number>()
  // Each level has columns of its own, so more levels than key columns are refused for the first that is too much.
  salt.slice(0, usable.length + 1).forEach((level, at) => {
    if (!isSalt(level)) {
      problems.add({
        code: 'INVALID_SALT',
        message: `salt level ${at + 1} is ${show(level)}. Make it with bucket(), hashPrefix() or kuduHash().`,
      })
      return
    }
    for (const name of level.of.slice(0, usable.length + 1)) {
      // The codec knows which columns a salt can use. They are checked one at a time, so that all invalid ones are named.
      const refused = refusal(() => rowLayout(inAnyOrder(usable, name), 0, [derived(level, { of: [name] })]))
      if (refused !== undefined) problems.add({ code: 'INVALID_SALT', column: name, message: refused })
      const other = levelOf.get(name)
      if (other !== undefined && other !== at) {
        problems.add({
          code: 'SHARED_SALT_COLUMN',
          column: name,
          message:
            `salt levels ${other + 1} and ${at + 1} both use '${showName(name)}', so their values depend on each other and do not spread rows further. ` +
            'Give each level its own columns.',
        })
      }
      levelOf.set(name, at)
    }
  })
}

/** The same columns, without those that only fit at the end of a key, except the one that is checked. */
function inAnyOrder(columns: readonly { readonly name: string; readonly type: TypeData }[], checked: string): typeof columns {
  const isOpen = ({ type }: { readonly type: TypeData }): boolean => typeFacts(type).openEnded
  return [...columns.filter((column) => !isOpen(column)), ...columns.filter((column) => column.name === checked && isOpen(column))]
}

/** The message of the codec's error, if `make` throws one. */
export function refusal(make: () => unknown): string | undefined {
  try {
    make()
    return undefined
  } catch (error) {
    if (isRowkeyError(error, 'INVALID_LAYOUT')) return sentenceOf(error)
    throw error
  }
}

const canBeKey = (type: TypeData): boolean => typeFacts(type).keyBytes !== 'none'
