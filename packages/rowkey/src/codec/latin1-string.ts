import { view } from './built-in.js'

interface NodeGlobals {
  readonly Buffer?: { readonly prototype: { latin1Slice(this: Uint8Array, start: number, end: number): string } }
}

const latin1Slice = (globalThis as NodeGlobals).Buffer?.prototype.latin1Slice // a fast path with the same result

/**
 * The bytes as a string of characters 0 to 255, one per byte. Its `<` is byte order, and it can be the key of a Map. Comparing
 * such strings is several times faster than comparing arrays of bytes.
 *
 * @example
 * ```ts
 * latin1String(new Uint8Array([97, 255])) //=> 'aÿ'
 * ```
 */
export const latin1String: (bytes: Uint8Array) => string =
  latin1Slice === undefined ? (bytes) => inBlocks(bytes) : (bytes) => latin1Slice.call(bytes, 0, bytes.length)

/** The same for `bytes[from, to)`. @internal */
export const latin1: (bytes: Uint8Array, from: number, to: number) => string =
  latin1Slice === undefined ? (bytes, from, to) => inBlocks(view(bytes, from, to)) : (bytes, from, to) => latin1Slice.call(bytes, from, to)

/**
 * The way of browsers, without Buffer. TextDecoder cannot do it: what it calls latin1 is windows-1252.
 *
 * @internal
 */
export function inBlocks(bytes: Uint8Array): string {
  let text = ''
  // Blocks keep the argument list short; `apply` takes the bytes as they are, and a spread is ten times slower.
  for (let at = 0; at < bytes.length; at += 1024) {
    text += String.fromCharCode.apply(undefined, view(bytes, at, Math.min(at + 1024, bytes.length)) as unknown as number[])
  }
  return text
}
