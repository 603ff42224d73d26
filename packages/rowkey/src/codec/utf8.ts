// Tested by properties.test.ts, key-format.test.ts and malformed.test.ts.
/**
 * UTF-8 length of a well-formed string.
 *
 * @internal
 * @example
 * ```ts
 * utf8Length('aé') //=> 3
 * ```
 */
export function utf8Length(text: string): number {
  let length = text.length
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) continue
    // Each half of a surrogate pair counts 2: 4 bytes for the pair.
    length += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2
  }
  return length
}

/** Writes a well-formed string as UTF-8, each NUL as `00 01` if `escape`; returns the offset after it. */
export function writeUtf8(target: Uint8Array, at: number, text: string, escape: boolean): number {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) {
      target[at++] = unit
      if (unit === 0 && escape) target[at++] = 1
    } else if (unit < 0x800) {
      target[at++] = 0xc0 | (unit >> 6)
      target[at++] = 0x80 | (unit & 0x3f)
    } else if (unit >= 0xd800 && unit <= 0xdfff) {
      const point = text.codePointAt(i++) as number
      target[at++] = 0xf0 | (point >> 18)
      target[at++] = 0x80 | ((point >> 12) & 0x3f)
      target[at++] = 0x80 | ((point >> 6) & 0x3f)
      target[at++] = 0x80 | (point & 0x3f)
    } else {
      target[at++] = 0xe0 | (unit >> 12)
      target[at++] = 0x80 | ((unit >> 6) & 0x3f)
      target[at++] = 0x80 | (unit & 0x3f)
    }
  }
  return at
}

// ignoreBOM keeps a leading U+FEFF; fatal refuses overlong forms, surrogates and truncation.
const decoder = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * The text of `bytes`, or undefined if they are not UTF-8.
 *
 * @internal
 * @example
 * ```ts
 * readUtf8(fromHex('c3a9')) //=> 'é'
 * readUtf8(fromHex('c3'))   //=> undefined
 * ```
 */
export function readUtf8(bytes: Uint8Array): string | undefined {
  if (bytes.length <= 32 && isAscii(bytes)) return String.fromCharCode(...bytes)
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

function isAscii(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte >= 0x80) return false
  return true
}

/**
 * The UTF-8 of a well-formed string.
 *
 * @internal
 * @example
 * ```ts
 * toHex(utf8Of('é')) //=> 'c3a9'
 * ```
 */
export function utf8Of(text: string): Uint8Array {
  const bytes = new Uint8Array(utf8Length(text))
  writeUtf8(bytes, 0, text, false)
  return bytes
}
