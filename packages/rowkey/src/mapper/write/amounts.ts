// Tested by writes-changes.test.ts.
import { RowkeyError, type TypeData, type Value } from '#codec'
import type { SchemaColumn, TableSchema } from '#model'
import type { Addition } from '#store/adapter'
import { decimalText, show, showName, showNames } from '#codec/internal'
import { addable, scaled } from '#store/engine'
import { mapperError } from '../call/errors.js'

/**
 * The additions of an increment, which gives amounts by column. An amount of undefined is left out.
 *
 * @throws RowkeyError `INVALID_VALUE` for an amount that cannot be added exactly, or for a column that nothing can be added to;
 * `UNKNOWN_COLUMN`, `KEY_IMMUTABLE`
 */
export function additionsOf(schema: TableSchema, amounts: Readonly<Record<string, unknown>>): readonly Addition[] {
  const { name: table, columns, keyLength } = schema
  if (typeof amounts !== 'object' || (amounts as object | null) === null || amounts instanceof Promise) {
    throw invalid('', amounts, `increment() takes amounts by column, such as { hits: 1 }, not ${show(amounts)}.`)
  }
  const additions = Object.entries(amounts).flatMap(([name, given]): Addition[] => {
    const at = columns.findIndex((column) => column.name === name && column.role !== 'expiry')
    const column = columns[at]
    if (column === undefined) {
      const known = showNames(columns.flatMap((each) => (each.role === 'expiry' ? [] : [each.name])))
      throw mapperError('UNKNOWN_COLUMN', `'${table}' has no column '${showName(name)}'. Its columns are ${known}.`, {
        table,
        column: showName(name),
      })
    }
    if (given === undefined) return []
    if (at < keyLength) {
      throw mapperError(
        'KEY_IMMUTABLE',
        `'${name}' is a key column of '${table}' and cannot be incremented. Insert the row with the new key, and then delete this one.`,
        { table, column: name },
      )
    }
    return [{ column: at, by: amountOf(schema, column, given) }]
  })
  if (additions.length > 0) return additions
  throw invalid('', amounts, `increment() of '${table}' was given no amount. Give at least one, such as { hits: 1 }.`)
}

function amountOf({ name: table, versionIndex }: TableSchema, column: SchemaColumn, given: unknown): Value {
  const { name, type, role } = column
  const storage = role === 'value' ? addable(column) : undefined
  const where = `column '${name}' of '${table}'`
  if (storage === undefined) {
    if (role === 'version') throw invalid(name, given, `${where} is the version, which every write sets by itself. Leave it out.`)
    const remedy = versionIndex < 0 ? 'Read the row, and update() it on a condition (if).' : 'Use modify().'
    throw invalid(name, given, `${where} is ${type.kind}. Only integers and decimals can be incremented. ${remedy}`)
  }
  if (storage.class === 'decimal') {
    const amount = typeof given === 'string' && given.length <= maxDigits ? unitsOf(given, storage.scale) : undefined
    const range = 2n * (10n ** BigInt(storage.precision) - 1n)
    if (amount !== undefined && amount <= range && -amount <= range) return scaled(amount, storage.scale)
    const example = `'-1${storage.scale > 0 ? '.5' : ''}'`
    throw invalid(
      name,
      given,
      `${show(given)} cannot be added to ${where}. Give text of a number with at most ${storage.scale} places, such as ${example}, at most as large as the range of the column.`,
    )
  }
  if (storage.class === 'bigint') {
    const amount = wholeNumber(type.as, given)
    const isNear = amount !== undefined && amount <= storage.max - storage.min && -amount <= storage.max - storage.min
    if (isNear) return amount
    throw invalid(
      name,
      given,
      `${show(given)} cannot be added to ${where}. Give ${type.as === 'number' ? 'a whole number' : type.as === 'text' ? "a whole number as text, such as '-1'" : 'a bigint, such as 1n'}, at most as large as the range of the column.`,
    )
  }
  if (Number.isSafeInteger(given)) return (given as number) + 0 // no −0
  throw invalid(name, given, `${show(given)} cannot be added to ${where}. Give a whole number.`)
}

/** As text that is a value, without leading zeros; it may be far larger than one. */
const wholeText = /^(?:0|-?[1-9]\d*)$/

/** An amount for a column of 64 bits, given as its values are; undefined if it is not one. A bigint fits whatever they are. */
function wholeNumber(as: TypeData['as'], given: unknown): bigint | undefined {
  if (typeof given === 'bigint') return given
  if (as === 'text') return typeof given === 'string' && given.length <= maxDigits && wholeText.test(given) ? BigInt(given) : undefined
  return as === 'number' && Number.isSafeInteger(given) ? BigInt(given as number) : undefined
}

/** Longer text is not an amount of any column. */
const maxDigits = 100

/** An amount in the smallest units of a decimal with this many places; undefined if the text is not such a number. */
function unitsOf(text: string, scale: number): bigint | undefined {
  const canonical = decimalText(text, scale)
  return canonical === undefined ? undefined : BigInt(canonical.replace('.', ''))
}

function invalid(column: string, given: unknown, message: string): Error {
  return new RowkeyError('INVALID_VALUE', message, { column, value: show(given) })
}
