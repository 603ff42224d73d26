import type { KindCode } from './kind-code.js'
import { compareBytes, compareText } from '../compare.js'
import { fixedBytesEncoding } from '../encodings/bare.js'
import { bytesEncoding } from '../encodings/escaped.js'
import { fixedBytesCode } from '../generated/fixed-code.js'
import { bytesCode } from '../generated/text-code.js'
import { isBytes } from '../values/built-in.js'
import { deepest, jsonText, leastText, longestText } from '../values/json.js'

export const bytesKind: KindCode = {
  form: () => ({
    take: (given) => (isBytes(given) ? given : undefined),
    least: (given) => (isBytes(given) ? given.length : 0),
    compare: compareBytes,
    wants: 'a Uint8Array',
  }),
  encoding: () => bytesEncoding,
  code: (_, flip) => bytesCode(flip),
}

export const fixedBytesKind: KindCode = {
  form: ({ width }) => ({
    take: (given) => (isBytes(given) && given.length === width ? given : undefined),
    compare: compareBytes,
    wants: `a Uint8Array of ${width} bytes`,
  }),
  encoding: ({ width = 0 }) => fixedBytesEncoding(width),
  code: ({ width = 0 }, flip) => fixedBytesCode(width, flip),
  words: ({ width }) => [String(width)],
}

export const jsonKind: KindCode = {
  form: () => ({
    take: jsonText,
    least: leastText,
    give: (text) => JSON.parse(text as string) as unknown,
    compare: compareText,
    wants: `plain JSON data: booleans, finite numbers, well-formed strings, and lists and plain objects of these and null, at most ${longestText} characters and at most ${deepest} levels deep`,
  }),
}
