// `instanceof` would refuse objects of another realm: jest runs tests in one, and iframes and vm contexts are others.

/** A Uint8Array (a Buffer too) of any realm. */
export function isBytes(given: unknown): given is Uint8Array {
  return ArrayBuffer.isView(given) && given[Symbol.toStringTag as never] === 'Uint8Array'
}

/** A Date of any realm, valid or not. */
export function isDate(given: unknown): given is Date {
  return typeof given === 'object' && given !== null && Object.prototype.toString.call(given) === '[object Date]' && 'getTime' in given
}
