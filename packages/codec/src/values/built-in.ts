// `instanceof` would refuse objects of another realm: jest runs tests in one, and iframes and vm contexts are others.

/** A Uint8Array (a Buffer too) of any realm. */
export function isBytes(given: unknown): given is Uint8Array {
  return ArrayBuffer.isView(given) && given[Symbol.toStringTag as never] === 'Uint8Array'
}

/** A Date of any realm, valid or not. */
export function isDate(given: unknown): given is Date {
  return typeof given === 'object' && given !== null && Object.prototype.toString.call(given) === '[object Date]' && 'getTime' in given
}

/**
 * Whether `given` is an object without a class, of any realm; hence one without a hidden `__proto__: …` entry.
 *
 * @example
 * ```ts
 * isPlainObject({})                          //=> true
 * isPlainObject(Object.create(null))         //=> true
 * isPlainObject({ __proto__: { hidden: 1 } }) //=> false
 * ```
 */
export function isPlainObject(given: unknown): given is Record<string, unknown> {
  if (typeof given !== 'object' || given === null) return false
  const prototype = Object.getPrototypeOf(given) as object | null
  // Every realm has its own Object.prototype; that it ends the chain and has these methods tells it.
  return prototype === null || (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf'))
}
