// Also tested by hidden-fields.test.ts.
import { said, showName } from '#codec/internal'
import { described, type Problems } from '../problems.js'
import type { Constructor } from './record.js'

/**
 * Names of an instance that are not in `columns`: its own properties and the accessors of its classes. The class is constructed here once,
 * as reads do it. If that fails, it is added to `problems`.
 */
export function fieldsBeside(columns: ReadonlySet<string>, model: Constructor, problems: Problems): ReadonlySet<string> {
  try {
    const instance = new (model as new () => object)()
    const fixed = [...columns].find((name) => isFixed(instance, name))
    if (fixed !== undefined) {
      problems.add({
        code: 'NOT_CONSTRUCTIBLE',
        column: fixed,
        message:
          `'${showName(fixed)}' of ${described(model)} cannot be assigned after the constructor has run. ` +
          'Reads construct a model and then assign its columns, so its constructor must not freeze or seal the instance.',
      })
    }
    return new Set([...Object.getOwnPropertyNames(instance), ...accessorsOf(instance)].filter((name) => !columns.has(name)))
  } catch (cause) {
    problems.add({
      code: 'NOT_CONSTRUCTIBLE',
      message:
        `${described(model)} cannot be constructed (${said(cause)}). ` +
        'Reads construct a model without arguments and then assign its columns, so its constructor must work without arguments.',
    })
    return new Set()
  }
}

function isFixed(instance: object, name: string): boolean {
  const own = Object.getOwnPropertyDescriptor(instance, name)
  return own === undefined ? !Object.isExtensible(instance) : own.writable === false
}

function accessorsOf(instance: object): string[] {
  const names: string[] = []
  let prototype = Object.getPrototypeOf(instance) as object | null
  // Object.prototype, of whatever realm, ends the chain.
  for (let above; prototype !== null && (above = Object.getPrototypeOf(prototype) as object | null) !== null; prototype = above) {
    const properties = Object.entries(Object.getOwnPropertyDescriptors(prototype))
    names.push(...properties.flatMap(([name, { get, set }]) => (get === undefined && set === undefined ? [] : [name])))
  }
  return names
}

/**
 * Whether fields of the class that are not set exist at run time: not so if its compiler has `useDefineForClassFields: false`, which is the
 * default for targets before ES2022. Fields without a value are then nowhere to be seen, and nobody can tell them from typing errors.
 *
 * @param columns fields that the class has in any case
 */
export function definesFields(model: Constructor, columns: readonly string[]): boolean {
  let isAssigned = false
  const watched = { configurable: true, set: () => (isAssigned = true) }
  const prototype = Object.create(model.prototype as object, Object.fromEntries(columns.map((name) => [name, watched]))) as object
  const target = Object.assign(
    function () {
      // Only its prototype is used.
    },
    { prototype },
  )
  try {
    const instance = Reflect.construct(model as new () => object, [], target) as object
    return !isAssigned && columns.every((name) => Object.hasOwn(instance, name))
  } catch {
    return true // nothing is known
  }
}
