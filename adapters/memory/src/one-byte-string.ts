interface Latin1Slice {
  latin1Slice(this: Uint8Array, start: number, end: number): string
}

declare const Buffer: { readonly prototype: Latin1Slice } | undefined

/**
 * The bytes as a string of characters 0 to 255. TextDecoder cannot do it: what it calls latin1 is windows-1252.
 *
 * @internal
 */
export const oneByteString: (bytes: Uint8Array) => string = typeof Buffer === 'undefined' ? inBlocks : byBuffer

const latin1Slice = typeof Buffer === 'undefined' ? undefined : Buffer.prototype.latin1Slice

function byBuffer(bytes: Uint8Array): string {
  return (latin1Slice as Latin1Slice['latin1Slice']).call(bytes, 0, bytes.length)
}

/** Without Buffer, in browsers. Blocks keep the argument list short. @internal */
export function inBlocks(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 1024) {
    text += String.fromCharCode(...bytes.subarray(at, at + 1024))
  }
  return text
}
