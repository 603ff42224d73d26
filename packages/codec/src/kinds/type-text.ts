import type { Default, TypeData } from '../types/column-type.js'
import { showWhole } from '../values/show.js'
import { kindCode } from './kind-code.js'

/**
 * A column type as text, nearly as it is written in code, with everything that its bytes depend on.
 *
 * @internal
 * @example
 * ```ts
 * typeText(nullable(desc(decimal(9, 2)))) //=> 'nullable(desc(decimal(9, 2)))'
 * typeText(dictionary({ a: 'x' }))        //=> "dictionary(a: 'x')"
 * ```
 */
export function typeText(type: TypeData): string {
  const words = kindCode(type).words?.(type) ?? []
  const bare = words.length === 0 ? type.kind : `${type.kind}(${words.join(', ')})`
  const turned = type.desc ? `desc(${bare})` : bare
  return type.nullable ? `nullable(${turned}${type.nulls === 'last' ? ", { nulls: 'last' }" : ''})` : turned
}

/**
 * A default as text, whole.
 *
 * @internal
 * @example
 * ```ts
 * defaultText({ kind: 'constant', value: 5n })  //=> '5n'
 * defaultText({ kind: 'random', below: 100 })   //=> 'random(100)'
 * ```
 */
export function defaultText(initial: Default): string {
  if (initial.kind === 'constant') return showWhole(initial.value)
  return initial.kind === 'random' ? `random(${initial.below})` : `'${initial.kind}'`
}
