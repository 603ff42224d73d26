import type { Default, RandomDefault, TypeData } from './column-type.js'
import { codecError } from '../error.js'
import { integerKinds } from '../values/integer-range.js'
import { isBytes } from '../values/built-in.js'
import { show } from '../values/show.js'
import { values } from '../values/values.js'

/** The `default` option of a column type as data. @throws RowkeyError `INVALID_COLUMN_TYPE` if the column cannot hold it. */
export function defaultOf(type: TypeData, given: unknown): Default {
  if (given === 'now' && (type.kind === 'timestamp' || type.kind === 'date')) return Object.freeze({ kind: 'now' })
  if (given === 'ulid' && type.kind === 'ulid') return Object.freeze({ kind: 'ulid' })
  // Plain JSON data may well have a property of that name.
  if (type.kind !== 'json' && isRandom(given)) return randomOf(type, given.random)
  return Object.freeze({ kind: 'constant', value: constantOf(type, given) })
}

function constantOf(type: TypeData, given: unknown): (Default & { kind: 'constant' })['value'] {
  try {
    const value = values(type, 'default').toValue(given)
    // Its own copy, so that a later change to the caller's array cannot reach it; the slice() of a Buffer would share.
    return isBytes(value) ? new Uint8Array(value) : value
  } catch (cause) {
    const message = `${show(given)} is no default for ${type.kind}. Give a value that the column can hold.`
    throw codecError('INVALID_COLUMN_TYPE', message, { type: type.kind }, { cause })
  }
}

function isRandom(given: unknown): given is RandomDefault {
  return typeof given === 'object' && given !== null && 'random' in given
}

function randomOf(type: TypeData, below: number): Default {
  const last = BigInt(random(below).random - 1)
  const integer = integerKinds[type.kind]
  if (integer !== undefined && last <= (values(type, 'default').range?.max ?? 0n)) return Object.freeze({ kind: 'random', below })
  throw codecError(
    'INVALID_COLUMN_TYPE',
    `random(${below}) is no default for ${type.kind}. Use it on an integer column that can hold ${last}.`,
    { type: type.kind },
  )
}

/**
 * A generated default for an integer column: a random integer from 0 to `below` - 1 (the guides' `random(100)` suffix).
 * It makes keys unique, it does not disperse a hot prefix; a GET needs the generated value.
 *
 * @throws RowkeyError `INVALID_COLUMN_TYPE` if `below` is not an integer from 1 to 2^32.
 * @example
 * ```ts
 * uint8({ default: random(100) }).default //=> { kind: 'random', below: 100 }
 * ```
 */
export function random(below: number): RandomDefault {
  if (!Number.isInteger(below) || below < 1 || below > 2 ** 32) {
    throw codecError('INVALID_COLUMN_TYPE', `random(${show(below)}) needs an integer from 1 to 2^32.`, { type: 'random' })
  }
  return Object.freeze({ random: below })
}
