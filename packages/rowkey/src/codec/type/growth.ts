import type { TypeData } from './column-type.js'
import { sameBytes } from './describe.js'
import { derived, typeImpl, type Storage } from './type-impl.js'

/**
 * Whether a type is an older one of its kind with more values, whose bytes stay what they are, or what has changed. undefined for types that
 * cannot grow, or that differ in kind, direction, place of nulls or the text that follows.
 *
 * @internal
 * @example
 * ```ts
 * growthOf(dictionary({ a: '1', b: '2' }), dictionary({ a: '1' })) //=> { changed: undefined }
 * growthOf(dictionary({ a: '3' }), dictionary({ a: '1' }))         //=> { changed: 'the code of "a" is "1" in the table, "3" in the model' }
 * ```
 */
export function growthOf(type: TypeData, older: TypeData): { readonly changed: string | undefined } | undefined {
  const impl = typeImpl(type)
  const fields = ['kind', 'desc', 'nullable', 'nulls', 'followedBy'] as const
  const isSame = fields.every((field) => type[field] === older[field])
  return impl.outgrows === undefined || !isSame ? undefined : { changed: impl.outgrows(type, older) }
}

/**
 * Whether a value column of this type can hold everything that one of an older type holds, as it is stored: it may be nullable, have a wider
 * range or more digits before the point, a dictionary may have more values, and restricted text may be free.
 *
 * @internal
 * @example
 * ```ts
 * holdsValuesOf(nullable(uint32()), uint16()) //=> true
 * holdsValuesOf(text(), nullable(text()))     //=> false
 * ```
 */
export function holdsValuesOf(type: TypeData, older: TypeData): boolean {
  if (type.desc !== older.desc || (older.nullable && !type.nullable) || (type.as === 'number') !== (older.as === 'number')) return false
  const nulls = { nullable: type.nullable, ...(type.nulls === undefined ? {} : { nulls: type.nulls }) }
  const same = derived(older, nulls)
  if (sameBytes(type, same)) return true
  const growth = growthOf(type, same)
  if (growth !== undefined) return growth.changed === undefined
  return containsAll(typeImpl(type).storage(type), typeImpl(older).storage(older), type.kind === older.kind)
}

/** Whether every value of one storage is one of the other, in the same form. */
function containsAll(wide: Storage, narrow: Storage, isSameKind: boolean): boolean {
  if ((wide.class === 'int' && narrow.class === 'int') || (wide.class === 'bigint' && narrow.class === 'bigint')) {
    return wide.counts === narrow.counts && wide.min <= narrow.min && wide.max >= narrow.max
  }
  if (wide.class === 'decimal' && narrow.class === 'decimal') return wide.scale === narrow.scale && wide.precision >= narrow.precision
  if (wide.class === 'bytes' && narrow.class === 'bytes') return wide.length === undefined
  // Of one kind, something is different that this code does not know.
  return wide.class === 'text' && narrow.class === 'text' && !isSameKind && wide.format === narrow.format && !wide.restricted
}
