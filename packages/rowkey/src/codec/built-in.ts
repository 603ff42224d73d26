// Tested by odd-objects.test.ts.
// `instanceof` would refuse objects of another realm: jest runs tests in one, and iframes and vm contexts are others.

const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as object
const tagOf = (Object.getOwnPropertyDescriptor(typedArray, Symbol.toStringTag) as { get(this: unknown): unknown }).get

/** Whether `given` is a Uint8Array (or a Buffer) of any realm. Proxies and objects that only look like one are not. */
export function isBytes(given: unknown): given is Uint8Array {
  return tagOf.call(given) === 'Uint8Array'
}

/** `bytes[from, to)` in the same memory, a plain Uint8Array: `subarray` would call the constructor of a subclass. */
export function view(bytes: Uint8Array, from: number, to: number): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset + from, to - from)
}

const getTime = (date: unknown): number => Date.prototype.getTime.call(date)

/**
 * The epoch milliseconds of a Date of any realm, NaN for an invalid one; undefined for anything else, also for objects that only look like
 * one.
 */
export function timeOf(given: unknown): number | undefined {
  if (typeof given !== 'object' || given === null) return undefined
  try {
    return getTime(given)
  } catch {
    return undefined
  }
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
  // Every realm has its own Object.prototype; it is known by ending the chain and having these methods.
  return prototype === null || (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf'))
}

/**
 * Whether it is an instance of a class that a program wrote: all that it has are its properties. Objects of the language (Map, RegExp,
 * Error, typed arrays, boxed values) have more than that, and a tag of their own.
 */
export function isInstance(given: object): boolean {
  return Object.prototype.toString.call(given) === '[object Object]' && typeof given !== 'function'
}

const digits: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Bytes as lower-case hex; trusts its callers. */
export function hexOf(bytes: Uint8Array): string {
  let hex = ''
  for (const byte of bytes) hex += digits[byte] as string
  return hex
}
