import { readEscaped, readQuoted } from './escaped-text.js'
import { wholeBytes } from './hex-text.js'
import { notText, readKey, type KeyForm, type ReadKey, type Reading } from './key-forms.js'
import { readMarked } from './marked-text.js'

/** What one line of a pipe is: nothing to decode, or what it is taken for. */
export type Line = 'nothing' | Reading

/** Lines that shells print around their rows: those of HBase, redis-cli, and cqlsh. */
const around =
  /^(?: *ROW +COLUMN\+CELL.*|\d+ row\(s\).*|Took \d.*|hbase[:(].*|=> .*|(?: *\d+[)#~] +)*\((?:empty (?:array|list or set|hash|set)|nil|integer\) -?\d+|double\) \S+|true|false)\)?|[\d.a-z-]+:\d+(?:\[\d+\])?> .*|[-+]{4,}|\(\d+ rows?\)|cqlsh.*> .*|@ Row \d+)$/

/**
 * Reads one line: a rowkey alone, a row as `scan` of the HBase shell prints it, a text of an answer as redis-cli prints it, or a row of cqlsh with a blob.
 *
 * @param only the one form that a rowkey alone can have
 * @example
 * ```ts
 * readLine('1) "web\\x00"').keys[0].bytes //=> Uint8Array(4) [ 119, 101, 98, 0 ]
 * ```
 */
export function readLine(line: string, only?: KeyForm): Line {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line
  if (text.trim() === '' || (!text.includes('\\x') && around.test(text))) return 'nothing'
  const row = fromHBase(text) ?? fromRedis(text) ?? fromCqlsh(text)
  if (row !== undefined) return row
  const alone = text.trim().replace(/(?<=^(?:0x)?[0-9a-f]+|["'>\]])[,;]$/i, '')
  return (only === undefined ? readMarked(alone) : undefined) ?? readKey(alone, only)
}

const key = (form: KeyForm, read: ReturnType<typeof readEscaped>): Reading =>
  read === undefined ? { fault: notText } : 'fault' in read ? read : { keys: [{ form, bytes: read }] }

/** ` row   column=f:name, timestamp=…, value=…` of the HBase shell. */
export interface ShellRow {
  readonly row: string
  /** How many spaces come after it, besides the one before the column. */
  readonly spaces: number
}

/** The row of a line of the HBase shell; undefined for another line. */
export function shellRow(text: string): ShellRow | undefined {
  for (let at = text.indexOf(' column='); at >= 0; at = text.indexOf(' column=', at + 1)) {
    const colon = text.indexOf(':', at)
    const space = text.indexOf(' ', at + 1)
    if (colon < 0 || (space >= 0 && space < colon)) continue // it is in the row
    let end = at
    while (end > 0 && text[end - 1] === ' ') end--
    return { row: text.slice(text.startsWith(' ') ? Math.min(1, end) : 0, end), spaces: at - end }
  }
  return undefined
}

/** The row is padded, and spaces at its end may also be its own. */
function fromHBase(text: string): Reading | undefined {
  const found = shellRow(text)
  if (found !== undefined) return paddedRow(found.row, found.spaces)
  const [, counted] = text.startsWith('Current count') ? (/^Current count: \d+, row: (.*)$/.exec(text) ?? []) : []
  return counted === undefined ? undefined : key('escaped', readEscaped(counted))
}

/** A row of the HBase shell before so many spaces that may be its own. */
export function paddedRow(row: string, spaces: number): Reading {
  const longest = readEscaped(row + ' '.repeat(spaces))
  if (longest === undefined || 'fault' in longest) return key('escaped', readEscaped(row))
  const shortest = longest.length - spaces
  const lengths = Array.from({ length: spaces + 1 }, (_, count) => shortest + count).filter((length) => length > 0)
  return { keys: lengths.map((length): ReadKey => ({ form: 'escaped', bytes: longest.subarray(0, length) })), isPadded: true }
}

/** `1) "…"`, also in a list of lists, and `1# "…" => …` of a hash. */
function fromRedis(text: string): Reading | undefined {
  const [, inside] = /^ *(?:\d+[)#~] +)+"((?:[^"\\]|\\.)*)"(?: => .*)?$/.exec(text) ?? []
  return inside === undefined ? undefined : key('escaped', readQuoted(inside))
}

/** ` 0x7765 | started`: the cells that are blobs. */
function fromCqlsh(text: string): Reading | undefined {
  if (!text.includes(' | ')) return undefined
  const blobs = text.split(' | ').flatMap((cell) => /^ *0x([0-9a-f]*) *\|?$/i.exec(cell)?.[1] ?? [])
  if (blobs.length === 0) return undefined
  const read = blobs.map(wholeBytes)
  const fault = read.find((each) => 'fault' in each)
  if (fault !== undefined && 'fault' in fault) return fault
  return { keys: read.flatMap((bytes): readonly ReadKey[] => ('fault' in bytes ? [] : [{ form: 'hex', bytes }])) }
}
