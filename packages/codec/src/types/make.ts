import type { Default, RandomDefault, TypeData, ColumnType, Trait } from './column-type.js'
import { codecError } from '../error.js'
import { values } from '../values/values.js'
import { show } from '../values/show.js'

interface AnyOptions {
  readonly name?: string
  readonly default?: unknown
}

/** Freezes a column type and takes the common options into it. */
export function make<V, T extends Trait>(
  data: Omit<TypeData, 'desc' | 'nullable' | 'ordered' | 'name' | 'default'> & { readonly ordered?: boolean },
  options: AnyOptions | undefined,
): ColumnType<V, T> {
  const bare: TypeData = { desc: false, nullable: false, ordered: true, ...data }
  const named = options?.name === undefined ? bare : { ...bare, name: options.name }
  const whole = options?.default === undefined ? named : { ...named, default: defaultOf(bare, options.default) }
  return freeze(whole)
}

/** A copy of `type` with other data; every wrapper ends here. */
export function remake<V, T extends Trait>(type: TypeData, change: Partial<TypeData>): ColumnType<V, T> {
  return freeze({ ...type, ...change })
}

function freeze<V, T extends Trait>(data: TypeData): ColumnType<V, T> {
  return Object.freeze(data) as ColumnType<V, T>
}

const integers = new Set(['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64'])

function defaultOf(type: TypeData, given: unknown): Default {
  if (given === 'now' && (type.kind === 'timestamp' || type.kind === 'date')) return Object.freeze({ kind: 'now' })
  if (isRandom(given)) {
    if (!integers.has(type.kind)) throw refused(type, given)
    const last = values(type, 'default').range?.max ?? 0
    if (BigInt(given.random) - 1n > BigInt(last)) throw refused(type, given)
    return Object.freeze({ kind: 'random', below: given.random })
  }
  // A constant is held in its canonical form, so a later change to the caller's object cannot reach it.
  const value = values(type, 'default').toValue(given)
  return Object.freeze({ kind: 'constant', value: value instanceof Uint8Array ? value.slice() : value })
}

function refused(type: TypeData, given: RandomDefault): Error {
  return codecError(
    'INVALID_COLUMN_TYPE',
    `random(${given.random}) is no default for ${type.kind}. Use it on an integer column that can hold ${given.random - 1}.`,
    { type: type.kind },
  )
}

function isRandom(given: unknown): given is RandomDefault {
  return typeof given === 'object' && given !== null && 'random' in given
}

/**
 * A generated default for an integer column: a random integer from 0 to `below` - 1 (the guides' `random(100)` suffix).
 * It makes keys unique, it does not disperse a hot prefix; a GET needs the generated value.
 *
 * @throws RowkeyError `INVALID_COLUMN_TYPE` if `below` is not an integer from 1 to 2^32.
 * @example
 * ```ts
 * uint8({ default: random(100) }) // left out on insert: 0 … 99
 * ```
 */
export function random(below: number): RandomDefault {
  if (!Number.isInteger(below) || below < 1 || below > 2 ** 32) {
    throw codecError('INVALID_COLUMN_TYPE', `random(${show(below)}) needs an integer from 1 to 2^32.`, { type: 'random' })
  }
  return Object.freeze({ random: below })
}
