// Tested by pasted-forms.test.ts.
import { fromHex } from 'rowkey/codec'
import { show } from 'rowkey/internal'
import { readEscaped, readQuoted } from './escaped-text.js'
import { readHex, wholeBytes } from './hex-text.js'
import { readKey, type KeyForm, type Reading } from './key-forms.js'
import type { Unread } from './unread.js'

/**
 * What a text is that says by its marks how it is written: `<Buffer 77 65>`, `X'7765'`, `"we\x00"`, `b'we'`, `[119, 101]`. Undefined for a text without marks.
 */
export function readMarked(text: string): Reading | undefined {
  switch (text[0]) {
    case '<':
      return buffer(text)
    case '"':
    case "'":
      return quoted(text)
    case '\\':
      return backslash(text)
    case '[':
    case '{':
    case 'U':
    case 'b':
    case 'B':
    case 'X':
    case 'x':
    case 'h':
    case 'H':
      return literal(text) ?? list(text)
    default:
      return undefined
  }
}

const keyOf = (form: KeyForm, read: Uint8Array | Unread | undefined): Reading | undefined =>
  read === undefined ? undefined : 'fault' in read ? read : { keys: [{ form, bytes: read }] }

/** As Node.js prints it, which leaves out what comes after 50 bytes. */
function buffer(text: string): Reading | undefined {
  if (!/^<(?:Slow)?Buffer/.test(text)) return undefined
  const [, inside, more] = /^<(?:Slow)?Buffer((?: [^ .>]+)*)(?: \.\.\. (\d+) more bytes?)?>$/.exec(text) ?? []
  if (inside === undefined) return { fault: 'it is cut off: the > of <Buffer …> is missing' }
  if (more !== undefined) return { fault: `it is cut off: <Buffer …> leaves out ${more} bytes. Print it with toString('hex')` }
  return byBytes(inside.split(' ').slice(1), 16)
}

/** Entries of a list as bytes. Java has them with a sign. */
function byBytes(entries: readonly string[], base: 10 | 16): Reading {
  const isByte = (entry: string): boolean =>
    base === 16 ? /^[0-9a-f]{2}$/i.test(entry) : /^-?\d{1,3}$/.test(entry) && Number(entry) >= -128 && Number(entry) <= 255
  const wrong = entries.findIndex((entry) => !isByte(entry))
  if (wrong >= 0) return { fault: `byte ${wrong} is ${show(entries[wrong])}, which is no byte` }
  const bytes = base === 16 ? fromHex(entries.join('')) : Uint8Array.from(entries, Number)
  return { keys: [{ form: 'hex', bytes }] }
}

/** `X'…'` of SQL, `h'…'` of CBOR, `b'…'` of Python. */
function literal(text: string): Reading | undefined {
  const [, kind = '', quote, rest = ''] = /^(x|h|b)(['"])(.*)$/is.exec(text) ?? []
  if (quote === undefined) return undefined
  if (!rest.endsWith(quote)) return { fault: `it is cut off: the last ${quote} is missing` }
  const inside = rest.slice(0, -1)
  if (/b/i.test(kind)) return keyOf('escaped', readQuoted(inside))
  const digits = inside.replaceAll(' ', '')
  return /^[0-9a-f]*$/i.test(digits) ? keyOf('hex', wholeBytes(digits)) : (keyOf('hex', readHex(`0x${digits}`)?.read) ?? undefined)
}

const insides: Readonly<Record<string, RegExp>> = { '"': /^"((?:[^"\\]|\\.)*)"$/s, "'": /^'((?:[^'\\]|\\.)*)'$/s }

function quoted(text: string): Reading | undefined {
  const quote = text[0] as string
  const inside = insides[quote]?.exec(text)?.[1]
  if (inside === undefined)
    return text.includes('\\x') && !text.includes(quote, 1)
      ? { fault: `it is cut off: the last ${quote} is missing. If the first one is its own, say so: --from escaped` }
      : undefined
  if (inside.includes('\\')) return keyOf('escaped', quote === "'" ? readEscaped(inside) : readQuoted(inside))
  return readMarked(inside) ?? quotedKey(inside)
}

/** redis-cli has text in quotes, and JSON also digits. Numbers in text are no digits of a key. */
function quotedKey(inside: string): Reading {
  const reading = readKey(inside)
  const escaped = readEscaped(inside)
  if (escaped === undefined || 'fault' in escaped) return reading
  if ('fault' in reading) return /^\d+$/.test(inside) ? { keys: [{ form: 'escaped', bytes: escaped }] } : reading
  return { keys: [...reading.keys.filter(({ form }) => form !== 'escaped'), { form: 'escaped', bytes: escaped }] }
}

/** PostgreSQL prints all digits after one `\x`; the HBase shell prints such text for one byte and digits. */
function backslash(text: string): Reading | undefined {
  const [, digits] = /^\\x([0-9a-f]{4,})$/i.exec(text) ?? []
  const escaped = readEscaped(text)
  if (digits === undefined || escaped === undefined || 'fault' in escaped) return undefined
  const whole = wholeBytes(digits)
  return { keys: [{ form: 'escaped', bytes: escaped }, ...('fault' in whole ? [] : [{ form: 'hex' as const, bytes: whole }])] }
}

/** A list of bytes, as programs print it: `[12, 119]`, `[12 119]`, `Uint8Array(2) [ 12, 119 ]`, `[]byte{0xc, 0x77}`. */
function list(text: string): Reading | undefined {
  const [, inside] =
    /^(?:Uint8Array\(\d+\) *|Buffer\(\d+\) *(?:\[Uint8Array\] *)?|bytearray\(|bytes\(|byte\[\] *|\[\]byte)?[[{]([^[\]{}"':]*)[\]}]\)?;?$/s.exec(
      text,
    ) ?? []
  if (inside === undefined) return undefined
  const [, more] = /\.\.\. (\d+) more items?\s*$/.exec(inside) ?? []
  if (more !== undefined) return { fault: `it is cut off: the list leaves out ${more} items` }
  const entries = inside.split(/[\s,]+/).filter((entry) => entry !== '')
  if (entries.length === 0) return undefined
  if (entries.every((entry) => /^0x[0-9a-f]+$/i.test(entry))) return keyOf('hex', readHex(entries.join(' '))?.read)
  if (entries.every((entry) => /^-?\d+$/.test(entry))) return byBytes(entries, 10)
  return entries.every((entry) => /^[0-9a-f]{2}$/i.test(entry)) ? byBytes(entries, 16) : undefined
}
