import type { ColumnType, Trait, TypeData } from './column-type.js'
import { defaultOf } from './default.js'

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
  return freeze(options?.default === undefined ? named : { ...named, default: defaultOf(bare, options.default) })
}

/** A copy of `type` with other data; every wrapper ends here. */
export function remake<V, T extends Trait>(type: TypeData, change: Partial<TypeData>): ColumnType<V, T> {
  return freeze({ ...type, ...change })
}

function freeze<V, T extends Trait>(data: TypeData): ColumnType<V, T> {
  return Object.freeze(data) as ColumnType<V, T>
}
