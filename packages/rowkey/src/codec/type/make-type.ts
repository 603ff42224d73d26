// Tested by column-type.test.ts.
import type { ColumnType, Default, RandomDefault, Trait, TypeData } from './column-type.js'
import { isBytes } from '../built-in.js'
import { checkOptions } from '../check.js'
import { codecError } from '../error.js'
import { show } from '../show.js'
import { attachImpl, derived, typeImpl, type Storage, type TypeImpl } from './type-impl.js'
import { values } from './values.js'

/** Options that every constructor takes. */
interface CommonOptions {
  readonly name?: string
  readonly default?: unknown
}

/**
 * Freezes a column type with its implementation and takes the common options into it. `more` are the options that its constructor has read.
 *
 * @internal
 * @example
 * ```ts
 * makeType({ kind: 'text' }, registeredType('text'), { name: 't' }) //=> { desc: false, nullable: false, ordered: true, kind: 'text', name: 't' }
 * ```
 */
export function makeType<V, T extends Trait>(
  data: Omit<TypeData, 'desc' | 'nullable' | 'ordered' | 'name' | 'default'> & { readonly ordered?: boolean },
  impl: TypeImpl,
  options: CommonOptions | undefined,
  more: readonly string[] = [],
): ColumnType<V, T> {
  if (options !== undefined) {
    checkOptions(`${data.kind}()`, options, [...more, 'name', 'default'], (message) => invalidType(data.kind, message))
    const name: unknown = options.name
    if (name !== undefined && typeof name !== 'string') {
      throw invalidType(data.kind, `${data.kind}() cannot be called ${show(name)}. Give the name in the store as text.`)
    }
  }
  const bare = attachImpl<TypeData>({ desc: false, nullable: false, ordered: true, ...data }, impl)
  const named = options?.name === undefined ? bare : derived(bare, { name: options.name })
  return withData(named, options?.default === undefined ? {} : { default: defaultOf(bare, options.default) })
}

/** A copy of `type` with other data; every wrapper ends here. */
export function withData<V, T extends Trait>(type: TypeData, change: Partial<TypeData>): ColumnType<V, T> {
  return derived(type, change) as ColumnType<V, T>
}

/** The error of a constructor that cannot make a type from its options. */
export function invalidType(type: string, message: string, options?: ErrorOptions): Error {
  return codecError('INVALID_COLUMN_TYPE', message, { type }, options)
}

/** The `default` option of a column type as data. @throws RowkeyError `INVALID_COLUMN_TYPE` if the column cannot hold it. */
function defaultOf(type: TypeData, given: unknown): Default {
  const { defaults = [], storage } = typeImpl(type)
  const stored = storage(type)
  if ((given === 'ulid' || given === 'uuid') && defaults.includes(given)) return Object.freeze({ kind: given })
  if ((given === 'now' || given === 'updatedAt') && defaults.includes(given)) {
    if ('counts' in stored && stored.counts !== undefined) return Object.freeze({ kind: given })
    const message = `${type.kind} cannot have the default '${given}', because its storage has no unit of time. Set 'counts' in it.`
    throw invalidType(type.kind, message)
  }
  // Plain JSON data may have a property of that name.
  if (stored.class !== 'json' && isRandom(given)) return randomOf(type, defaults.includes('random') ? stored : undefined, given.random)
  return Object.freeze({ kind: 'constant', value: constantOf(type, given) })
}

function constantOf(type: TypeData, given: unknown): (Default & { kind: 'constant' })['value'] {
  try {
    const value = values(type, 'default').toValue(given)
    // Its own copy, so that a later change to the caller's array cannot reach it; the slice() of a Buffer would share.
    return isBytes(value) ? new Uint8Array(value) : value
  } catch (cause) {
    throw invalidType(type.kind, `${type.kind} cannot have the default ${show(given)}. Give a value that the column can hold.`, { cause })
  }
}

function isRandom(given: unknown): given is RandomDefault {
  return typeof given === 'object' && given !== null && 'random' in given
}

function randomOf(type: TypeData, storage: Storage | undefined, below: number): Default {
  const last = random(below).random - 1
  if (storage !== undefined && 'max' in storage && last <= storage.max) return Object.freeze({ kind: 'random', below })
  throw invalidType(
    type.kind,
    `${type.kind} cannot have the default random(${show(below)}). Use it on an integer column that can hold ${last}.`,
  )
}

/**
 * A generated default for an integer column: a random integer from 0 to `below` - 1 (the guides' `random(100)` suffix).
 * It makes keys unique, but does not spread a hot prefix. A GET needs the generated value.
 *
 * @throws RowkeyError `INVALID_COLUMN_TYPE` if `below` is not an integer from 1 to 2^32.
 * @example
 * ```ts
 * uint8({ default: random(100) }).default //=> { kind: 'random', below: 100 }
 * ```
 */
export function random(below: number): RandomDefault {
  if (Number.isInteger(below) && below >= 1 && below <= 2 ** 32) return Object.freeze({ random: below })
  throw invalidType('random', `random(${show(below)}) needs an integer from 1 to 2^32.`)
}
