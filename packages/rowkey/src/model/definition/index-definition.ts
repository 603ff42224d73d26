// Tested by packages/rowkey/test/model/indexes.test.ts.
import type { Salt } from '#codec'
import { isPlainObject, show, showName } from '#codec/internal'
import { refuseOptions, type Problems } from '../problems.js'
import { namesOf, type GivenIndex } from './definition.js'

/** An index of a table: its entries are a table of their own, with the rows' columns in another key. */
export interface IndexDefinition<N extends string = string> {
  /** Names of the columns that scans of the index bind. Default none. */
  partition?: readonly N[]
  /** Names of the columns after them. The missing columns of the rows' own key follow by themselves. */
  key: readonly N[]
  /** Salts over columns of the index. Default none. */
  salt?: Salt | readonly Salt[]
  /**
   * Whether two rows may not have the same values in it. Rows with a null in it are not compared. Default false. With true, row and entries are written all
   * or none: each write reads the row first, and only stores that write rows of two tables together can have it.
   */
  unique?: boolean
  /** Names of columns that entries have too, so that scans which select no others do not read the rows. Default none. Written as with `unique`. */
  include?: readonly N[]
  /** Hints for individual stores, by adapter name, for the table of the entries. */
  stores?: Readonly<Record<string, unknown>>
}

/** More would make each write of a row as many writes. */
export const maxIndexes = 20

/** The indexes of a definition, in their order. Something else is added to `problems`. */
export function indexesOf(given: unknown, problems: Problems): readonly GivenIndex[] {
  if (given === undefined) return []
  if (!isPlainObject(given)) {
    problems.add({ code: 'INVALID_INDEX', message: `indexes is ${show(given)}. Give an object of indexes by their names.` })
    return []
  }
  return Object.entries(given).flatMap(([name, index]) => givenIndex(name, index, problems))
}

/** One index, as a list with it, or an empty one. */
export function givenIndex(name: string, index: unknown, problems: Problems): readonly GivenIndex[] {
  if (!isPlainObject(index)) {
    const message = `index '${showName(name)}' is ${show(index)}. Give an object with key, and perhaps partition, salt, unique, include and stores.`
    problems.add({ code: 'INVALID_INDEX', message })
    return []
  }
  refuseOptions(index, ['partition', 'key', 'salt', 'unique', 'include', 'stores'], problems)
  const {
    partition,
    key,
    salt = [],
    unique = false,
    include,
    stores = {},
  } = index as { [Name in keyof GivenIndex]?: never } & { salt?: unknown; unique?: unknown }
  const levels = (Array.isArray(salt) ? salt : [salt]) as readonly Salt[]
  const list = (of: string): string => `${of} of index '${showName(name)}'`
  if (typeof unique !== 'boolean') {
    problems.add({ code: 'INVALID_INDEX', message: `${list('unique')} is ${show(unique)}. Give true or false.` })
  }
  return [
    {
      name,
      partition: namesOf(list('partition'), partition, problems),
      key: namesOf(list('key'), key, problems),
      salt: [...levels],
      include: namesOf(list('include'), include, problems),
      unique: (unique as unknown) === true,
      stores,
    },
  ]
}
