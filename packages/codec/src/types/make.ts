import type { ColumnType, Trait, TypeData } from './column-type.js'
import { codecError } from '../error.js'
import { checkOptions } from '../options.js'
import { show } from '../values/show.js'
import { defaultOf } from './default.js'

interface AnyOptions {
  readonly name?: string
  readonly default?: unknown
}

/** Freezes a column type and takes the common options into it; `more` are those that its constructor has read. */
export function make<V, T extends Trait>(
  data: Omit<TypeData, 'desc' | 'nullable' | 'ordered' | 'name' | 'default'> & { readonly ordered?: boolean },
  options: AnyOptions | undefined,
  more: readonly string[] = [],
): ColumnType<V, T> {
  if (options !== undefined) {
    checkOptions(`${data.kind}()`, options, [...more, 'name', 'default'], (message) => refused(data.kind, message))
    const name: unknown = options.name
    if (name !== undefined && typeof name !== 'string') {
      throw refused(data.kind, `${data.kind}() cannot be called ${show(name)}. Give the name in the store as text.`)
    }
  }
  const bare: TypeData = { desc: false, nullable: false, ordered: true, ...data }
  const named = options?.name === undefined ? bare : { ...bare, name: options.name }
  return freeze(options?.default === undefined ? named : { ...named, default: defaultOf(bare, options.default) })
}

/** A copy of `type` with other data; every wrapper ends here. */
export function remake<V, T extends Trait>(type: TypeData, change: Partial<TypeData>): ColumnType<V, T> {
  return freeze({ ...type, ...change })
}

function freeze<V, T extends Trait>(data: TypeData): ColumnType<V, T> {
  return Object.freeze(data) as ColumnType<V, T>
}

function refused(type: string, message: string): Error {
  return codecError('INVALID_COLUMN_TYPE', message, { type })
}
