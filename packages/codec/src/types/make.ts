import type { ColumnType, Trait, TypeData } from './column-type.js'
import type { KindCode } from '../kinds/kind-code.js'
import { codecError } from '../error.js'
import { derived, linked } from '../link.js'
import { checkOptions } from '../options.js'
import { show } from '../values/show.js'
import { defaultOf } from './default.js'

interface AnyOptions {
  readonly name?: string
  readonly default?: unknown
}

/** Freezes a column type and takes the common options into it; `kind` carries it out, `more` are those
 * that its constructor has read. */
export function make<V, T extends Trait>(
  data: Omit<TypeData, 'desc' | 'nullable' | 'ordered' | 'name' | 'default'> & { readonly ordered?: boolean },
  kind: KindCode,
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
  const bare = linked<TypeData>({ desc: false, nullable: false, ordered: true, ...data }, kind)
  const named = options?.name === undefined ? bare : derived(bare, { name: options.name })
  return remake(named, options?.default === undefined ? {} : { default: defaultOf(bare, options.default) })
}

/** A copy of `type` with other data; every wrapper ends here. */
export function remake<V, T extends Trait>(type: TypeData, change: Partial<TypeData>): ColumnType<V, T> {
  return derived(type, change) as ColumnType<V, T>
}

function refused(type: string, message: string): Error {
  return codecError('INVALID_COLUMN_TYPE', message, { type })
}
