import type { ColumnCodec } from '../type/column-codec.js'
import type { Salt } from '../salts/salt.js'
import type { SaltCodec } from '../salts/salt-codec.js'
import type { Kind } from '../type/column-type.js'
import type { LayoutParts } from './layout-parts.js'
import { Reader } from '../type/reader.js'
import { isRowkeyError, type CodecErrorDetails, type RowkeyError } from '../error.js'
import { toEscapedText } from '../escaped-text.js'
import { hexOf, view } from '../built-in.js'

/** One part of a rowkey: a salt, a column, or bytes after the last column. */
export interface KeyPart {
  /** The column's name, `'salt'` for a salt, `''` for excess bytes. */
  readonly name: string
  readonly kind: Kind | Salt['kind'] | 'excess'
  /** Where it begins, in bytes. */
  readonly offset: number
  /** In bytes: null marker, escapes and terminator included. */
  readonly length: number
  /** Its bytes as lower-case hex. */
  readonly hex: string
  /** Its bytes as {@link toEscapedText} shows them. */
  readonly text: string
  /** As `decode` returns it; of a salt its number; undefined if it cannot be read. */
  readonly value: unknown
}

/** What a rowkey consists of. The parts side by side are the whole key, even if it is broken. */
export interface KeyInspection {
  readonly parts: readonly KeyPart[]
  /** What `decode` would throw; absent for a rowkey of the layout. */
  readonly problem?: RowkeyError<'MALFORMED_KEY', CodecErrorDetails['MALFORMED_KEY']>
}

/** `decode` is that of the layout, so that both agree on what a valid key is. */
export function inspectKey(
  { columns, salts }: LayoutParts,
  saltData: readonly Salt[],
  bytes: Uint8Array,
  decode: (bytes: Uint8Array) => unknown,
): KeyInspection {
  const reader = new Reader(bytes)
  const parts: KeyPart[] = []
  const add = (name: string, kind: KeyPart['kind'], offset: number, value: unknown): void => {
    const own = view(bytes, offset, reader.at)
    parts.push(Object.freeze({ name, kind, offset, length: own.length, hex: hexOf(own), text: toEscapedText(own), value }))
  }
  const addSalt = ({ bytes: length, size, read }: SaltCodec, kind: Salt['kind']): boolean => {
    const offset = reader.at
    const value = attempt(() => read(reader))
    // A wrong salt still has its length, if that is fixed, so the columns can be read.
    const end = size === undefined ? offset + length : value === undefined ? bytes.length : reader.at
    reader.at = Math.min(end, bytes.length)
    add('salt', kind, offset, value)
    return size === undefined ? reader.at === end : value !== undefined
  }
  const addColumn = ({ name, type, values, read }: ColumnCodec): boolean => {
    const offset = reader.at
    const value = attempt(() => read(reader))
    if (value === undefined) reader.at = bytes.length
    add(name, type.kind, offset, value === undefined ? undefined : attempt(() => values.fromValue(value)))
    return value !== undefined
  }
  if (saltData.every(({ kind }, level) => addSalt(salts[level] as SaltCodec, kind))) columns.every(addColumn)
  const end = reader.at // the end of the key, unless all columns could be read
  reader.at = bytes.length
  if (end < bytes.length) add('', 'excess', end, undefined)
  Object.freeze(parts)
  const problem = problemOf(() => decode(bytes))
  return Object.freeze(problem === undefined ? { parts } : { parts, problem })
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (isRowkeyError(error)) return undefined
    throw error
  }
}

function problemOf(decode: () => unknown): KeyInspection['problem'] {
  try {
    decode()
  } catch (error) {
    if (isRowkeyError(error, 'MALFORMED_KEY')) return error
    throw error
  }
}
