import { fromHex } from 'rowkey/codec'
import { readKey, type KeyForm, type ReadKey } from './key-forms.js'

/** What one line of a pipe is: nothing to decode, or the rowkeys that it can mean, the most likely first. */
export type Line = 'nothing' | readonly ReadKey[]

/** Lines that the HBase shell and redis-cli print around their rows. */
const around = /^(?: *ROW +COLUMN\+CELL.*|\d+ row\(s\).*|Took \d.*|hbase[:(].*|=> .*|\(empty (?:array|list or set)\)|\(integer\) \d+)$/

/**
 * Reads one line: a rowkey alone, a row as `scan` of the HBase shell prints it, or a text of an answer as redis-cli prints it.
 *
 * @param only the one form that a rowkey alone can have
 * @example
 * ```ts
 * readLine('1) "web\\x00"')[0].bytes //=> Uint8Array(4) [ 119, 101, 98, 0 ]
 * ```
 */
export function readLine(line: string, only?: KeyForm): Line {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line
  if (text.trim() === '' || around.test(text)) return 'nothing'
  return fromHBase(text) ?? fromRedis(text) ?? readKey(text.trim(), only)
}

/** ` row   column=f:name, timestamp=…, value=…`: the row is padded, and spaces at its end may also be its own. */
function fromHBase(text: string): readonly ReadKey[] | undefined {
  const [, row = '', padding = ''] = /^ ?(.*?)( +)column=[^ ]*:/.exec(text) ?? []
  if (row === '' && padding === '') return undefined
  return Array.from(padding, (_, spaces) => readKey(row + ' '.repeat(spaces), 'escaped')).flat()
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', a: '\x07', b: '\b', '\\': '\\', '"': '"' }

/** `1) "…"`, also in a list of lists; it escapes as C does, and writes other bytes as `\xHH`. */
function fromRedis(text: string): readonly ReadKey[] | undefined {
  const [, quoted] = /^ *(?:\d+\) +)*"((?:[^"\\]|\\.)*)"$/.exec(text) ?? []
  if (quoted === undefined) return undefined
  const hex = [...quoted.matchAll(/\\x([0-9a-f]{2})|\\([nrtab\\"])|([\x20-\x5b\x5d-\x7e])|([^])/gi)].map(([, byte, escape, plain]) => {
    if (byte !== undefined) return byte
    const character = escape === undefined ? plain : escapes[escape]
    return character === undefined ? undefined : character.charCodeAt(0).toString(16).padStart(2, '0')
  })
  return hex.includes(undefined) ? [] : [{ form: 'escaped', bytes: fromHex(hex.join('')) }]
}
