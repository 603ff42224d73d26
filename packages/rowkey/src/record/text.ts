import { latin1String } from '#codec/internal'

const encoder = new TextEncoder()
// ignoreBOM keeps a leading U+FEFF; fatal refuses overlong forms, surrogates and truncation.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Up to here a loop is faster than the call into the engine. */
const short = 48

/** Writes well-formed text at `at`, where there must be room for 3 bytes per unit; returns the offset after it. */
export function writeText(target: Uint8Array, at: number, text: string): number {
  if (text.length <= short) {
    let i = 0
    for (; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      if (unit >= 0x80) break
      target[at + i] = unit
    }
    if (i === text.length) return at + i
  }
  return at + encoder.encodeInto(text, target.subarray(at)).written
}

/** The text of UTF-8 bytes, undefined if they are not UTF-8. */
export function readText(bytes: Uint8Array, from: number, to: number): string | undefined {
  const part = bytes.subarray(from, to)
  if (part.length <= short && isAscii(part)) return latin1String(part)
  try {
    return decoder.decode(part)
  } catch {
    return undefined
  }
}

function isAscii(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte >= 0x80) return false
  return true
}
