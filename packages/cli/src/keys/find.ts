// Tested by pasted.test.ts.
import { isPlainObject } from 'rowkey/internal'
import { readBase64 } from './base64-text.js'
import { readEscaped } from './escaped-text.js'
import { readHex } from './hex-text.js'
import type { ReadKey, Reading } from './key-forms.js'
import { readMarked } from './marked-text.js'

/** What may be a key in a line. */
export interface Candidate {
  readonly text: string
  readonly reading: Reading
  /** Dates, ids and words look like it too. */
  readonly isWeak: boolean
}

/** What may be a key, the most certain first. What one has matched is left out for the next ones. */
const forms: readonly RegExp[] = [
  /<(?:Slow)?Buffer[^>]*>?/g,
  /(?<![0-9a-z])[xhb]'(?:[^'\\]|\\.)*'/gi,
  /(?:Uint8Array\(\d+\) ?)?\[ ?-?\d{1,3}(?:, ?-?\d{1,3})+ ?\]/g,
  /"(?:[^"\\]|\\.)*\\x[0-9a-f]{2}(?:[^"\\]|\\.)*"/gi,
  /(?<![0-9A-Za-z])0x[0-9a-f]+/gi,
  /(?<![0-9A-Za-z:-])[0-9a-f]{2}(?:[: -][0-9a-f]{2}){3,}(?![0-9A-Za-z:-])/gi,
  /(?<![0-9A-Za-z+/\\-])[0-9a-f]{8,}(?:\.\.\.|…)?(?![0-9A-Za-z+/=-])/gi,
  /(?<![0-9A-Za-z+/_-])[0-9A-Za-z+/_-]{4,}={0,2}(?![0-9A-Za-z+/=_-])/g,
]

/** Shorter ones, and numbers, are more often something else. */
const strongDigits = 16

/** All that may be a key in a line, in no order. */
export function candidatesIn(line: string): readonly Candidate[] {
  const found: Candidate[] = []
  let rest = line
  const take = (form: RegExp): void => {
    rest = rest.replace(form, (text) => {
      const candidate = candidateOf(text)
      if (candidate === undefined) return text
      found.push(candidate)
      return ' '.repeat(text.length)
    })
  }
  for (const form of forms.slice(0, 4)) take(form)
  for (let escaped = escapedIn(rest); escaped !== undefined; escaped = escapedIn(rest)) {
    found.push(escaped.candidate)
    rest = rest.slice(0, escaped.from) + ' '.repeat(escaped.to - escaped.from) + rest.slice(escaped.to)
  }
  for (const form of forms.slice(4)) take(form)
  return found
}

function candidateOf(text: string): Candidate | undefined {
  const marked = readMarked(text)
  if (marked !== undefined) return { text, reading: marked, isWeak: false }
  const hex = readHex(text)
  if (hex !== undefined) {
    const isWeak = !/^0x/i.test(text) && (/^[0-9]+$/.test(text) || text.replace(/[^0-9a-f]/gi, '').length < strongDigits)
    return { text, reading: 'fault' in hex.read ? hex.read : { keys: [{ form: 'hex', bytes: hex.read }] }, isWeak }
  }
  const base64 = readBase64(text)
  if (!base64?.isSure) return undefined
  return { text, reading: 'fault' in base64.read ? base64.read : { keys: [{ form: 'base64', bytes: base64.read }] }, isWeak: true }
}

/** So many places where text with escapes may begin and end are tried. */
const maxPlaces = 12

/** The first text with `\xHH`. It may have spaces inside, so each place where it may begin and end is tried by the tables, the nearest first. */
function escapedIn(line: string): { readonly candidate: Candidate; readonly from: number; readonly to: number } | undefined {
  const at = line.search(/\\x[0-9a-f]{2}/i)
  if (at < 0) return undefined
  const starts = Array.from({ length: at + 1 }, (_, i) => at - i).filter((i) => i === 0 || /[\s"'`=,;([{<>|]/.test(line[i - 1] as string))
  const ends = Array.from({ length: line.length - at }, (_, i) => at + 1 + i).filter(
    (i) => i === line.length || /[\s"'`,;)\]}|]/.test(line[i] as string),
  )
  const keys = starts.slice(0, 4).flatMap((from) =>
    ends.slice(0, maxPlaces).flatMap((to): readonly ReadKey[] => {
      const read = readEscaped(line.slice(from, to))
      return read === undefined || 'fault' in read ? [] : [{ form: 'escaped', bytes: read }]
    }),
  )
  const [from = at, to = line.length] = [starts[0], ends[0]]
  const text = line.slice(from, to)
  const fault = readEscaped(text)
  const reading: Reading =
    keys.length > 0 ? { keys, isPadded: true } : fault !== undefined && 'fault' in fault ? fault : { fault: 'it is no text with \\xHH' }
  return { candidate: { text, reading, isWeak: false }, from, to }
}

/** The same in all texts of JSON. */
export function inTexts(json: unknown): readonly Candidate[] {
  if (typeof json === 'string') {
    const marked = candidateOf(json)
    return marked === undefined ? candidatesIn(json) : [marked]
  }
  if (Array.isArray(json)) return json.flatMap(inTexts)
  return isPlainObject(json) ? Object.values(json).flatMap(inTexts) : []
}
