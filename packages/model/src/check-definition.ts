import { derived, isColumnType, isPlainObject, isRowkeyError, isSalt, rowLayout, show } from '@rowkey/codec'
import { physicalName, type Definition } from './definition.js'
import { checkPhysicalName, checkPropertyName, checkTableName } from './names.js'
import { expiryColumn } from './own-columns.js'
import { plainData } from './plain-data.js'
import type { Problems } from './problems.js'

/** Columns of a table, without those of its expiry and version. */
export const mostColumns = 250

/** Adds everything that is wrong with a definition to `problems`. */
export function checkDefinition(definition: Definition, problems: Problems): void {
  checkTableName(definition.name, problems)
  checkColumns(definition, problems)
  checkKey(definition, problems)
  checkSalts(definition, problems)
  checkOwnNames(definition, problems)
  if (definition.writes !== 'plain' && definition.writes !== 'conditional') {
    problems.add('INVALID_OPTION', undefined, `writes is ${show(definition.writes)}. Give 'plain' or 'conditional'.`)
  }
  if (!isPlainObject(definition.stores) || plainData(definition.stores) === undefined) {
    problems.add(
      'INVALID_OPTION',
      undefined,
      'stores holds something else than plain JSON data by adapter name. ' +
        'Give objects, lists, strings, finite numbers, booleans and null.',
    )
  }
}

function checkColumns({ columns }: Definition, problems: Problems): void {
  if (columns.length > mostColumns) {
    problems.add(
      'TOO_MANY_COLUMNS',
      undefined,
      `the table has ${columns.length} columns. ` +
        `At most ${mostColumns} fit every store; put rarely filtered ones into one json() column.`,
    )
  }
  const owners = new Map<string, string>()
  for (const [name, type] of columns) {
    const fit = checkPropertyName(name, problems)
    if (!isColumnType(type)) {
      problems.add('INVALID_TYPE', name, `column '${name}' has ${show(type)} for its type. Give a column type such as text() or int64().`)
      continue
    }
    const physical = physicalName(name, type)
    if (fit || physical !== name) checkPhysicalName(name, physical, problems)
    const owner = owners.get(physical)
    if (owner === undefined) {
      owners.set(physical, name)
    } else {
      problems.add(
        'DUPLICATE_NAME',
        name,
        `columns '${owner}' and '${name}' are both called '${physical}' in the store. Give one of them another { name }.`,
      )
    }
  }
}

/** The names of the columns that the table adds, against those of its own. */
function checkOwnNames({ columns, writes, expires, version }: Definition, problems: Problems): void {
  const names = new Set<unknown>(columns.map(([name]) => name))
  if (expires && names.has(expiryColumn.name)) {
    const message = `column '${expiryColumn.name}' has the name of the column that ttl adds. Name the property otherwise.`
    problems.add('DUPLICATE_NAME', expiryColumn.name, message)
  }
  if (version === undefined) return
  if (typeof version !== 'string' || version === '') {
    problems.add('INVALID_VERSION', undefined, `version is ${show(version)}. Give the name of the property that shall hold it.`)
    return
  }
  checkPropertyName(version, problems)
  if (names.has(version) || (expires && version === expiryColumn.name)) {
    problems.add(
      'DUPLICATE_NAME',
      version,
      `version '${version}' has the name of another column. It is a column of its own: name it otherwise.`,
    )
  }
  if (writes === 'plain') {
    const message = `version '${version}' needs writes that look before they write, and the table has writes: 'plain'. Make it 'conditional', or leave out the version.`
    problems.add('INVALID_VERSION', version, message)
  }
}

function checkKey({ columns, partition, key }: Definition, problems: Problems): void {
  const types = new Map(columns)
  if (key.length === 0) {
    problems.add(
      'EMPTY_KEY',
      undefined,
      'the table has no key column beside its partition. ' +
        'List at least one in key; rows of one partition are told apart and ordered by it.',
    )
  }
  const seen = new Set<string>()
  for (const [list, names] of [
    ['partition', partition],
    ['key', key],
  ] as const) {
    for (const name of names) {
      const type = types.get(name)
      if (!types.has(name)) {
        const shown = typeof name === 'string' ? `'${name}'` : show(name)
        problems.add(
          'UNKNOWN_COLUMN',
          String(name),
          `${list} names ${shown}, which is no column. Columns are ${quoted([...types.keys()])}.`,
        )
      } else if (seen.has(name)) {
        problems.add(
          'REPEATED_COLUMN',
          name,
          `column '${name}' is in the key twice. The full key is partition, then key: name each column once.`,
        )
      } else if (isColumnType(type) && type.kind === 'json') {
        problems.add(
          'NO_KEY_TYPE',
          name,
          `key column '${name}' is json, which has no order of bytes. Make it a value column, or give it another type.`,
        )
      }
      seen.add(name)
    }
  }
}

function checkSalts({ columns, partition, key, salt }: Definition, problems: Problems): void {
  const types = new Map(columns)
  const usable = [...new Set([...partition, ...key])].flatMap((name) => {
    const type = types.get(name)
    return isColumnType(type) && type.kind !== 'json' ? [{ name, type }] : []
  })
  const levelOf = new Map<string, number>()
  salt.forEach((level, at) => {
    if (!isSalt(level)) {
      problems.add(
        'INVALID_SALT',
        undefined,
        `salt level ${at + 1} is ${show(level)}. Make it with bucket(), hashPrefix() or hashPartition().`,
      )
      return
    }
    for (const name of level.of) {
      // The codec knows what a salt can be of; one column at a time, so that all that are wrong are named.
      const refused = refusal(() => rowLayout(usable, 0, [derived(level, { of: [name] })]))
      if (refused !== undefined) problems.add('INVALID_SALT', name, refused)
      const other = levelOf.get(name)
      if (other !== undefined && other !== at) {
        problems.add(
          'SHARED_SALT_COLUMN',
          name,
          `salt levels ${other + 1} and ${at + 1} are both of '${name}', so their values go together and spread nothing. ` +
            'Give each level columns of its own.',
        )
      }
      levelOf.set(name, at)
    }
  })
}

/** The message of the codec's error, if `make` throws one. */
export function refusal(make: () => unknown): string | undefined {
  try {
    make()
    return undefined
  } catch (error) {
    if (isRowkeyError(error, 'INVALID_LAYOUT')) return error.message.replace('INVALID_LAYOUT: ', '')
    throw error
  }
}

const quoted = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ')
