import type { ColumnType, Flat, TypeData, ValueOf } from '../types/column-type.js'
import type { Salt } from '../salts/salt-data.js'
import { saltList } from '../salts/salt.js'
import type { Row, Value } from '../values/value.js'
import type { Bound, Bucket, RowkeyRange } from './bound.js'
import type { ColumnCodec } from '../encodings/column-codec.js'
import { malformed } from '../encodings/reader.js'
import { checkBytes } from '../check-bytes.js'
import { codecError } from '../error.js'
import { checkOptions } from '../options.js'
import { isBytes } from '../values/built-in.js'
import { isColumnType } from '../types/is-column-type.js'
import { show } from '../values/show.js'
import { storedValues } from '../values/stored.js'
import { checkKey, checkRow } from './check-key.js'
import { inspectKey, type KeyInspection } from './inspect.js'
import { keyBound } from './key-bound.js'
import type { Codegen } from './hot-paths.js'
import { owned, scratch } from './scratch.js'
import { layoutParts, type LayoutParts } from './layout-parts.js'
import { rowsOf, type RowLayout } from './row-layout.js'

/** Name and type of each key column; the order of the list is the order of the key. */
export type KeyColumns = readonly (readonly [name: string, type: ColumnType])[]
/** The key object of a list of columns. */
export type KeyOf<E extends KeyColumns> = Flat<{ -readonly [C in E[number] as C[0]]: ValueOf<C[1]> }>
/** One salt or a list of levels over these columns. */
export type Salts<Name extends string> = Salt<Name> | readonly Salt<Name>[]

/** Options of {@link keyLayout}. */
export interface KeyLayoutOptions<Name extends string> {
  /** What stands in front of the columns and spreads rows; a list is levels. */
  readonly salt?: Salts<Name>
  /** Default `'auto'`. */
  readonly codegen?: Codegen
}

/**
 * Encodes and decodes the rowkeys of one layout. All methods are strict: a property that is no column is refused, as repositories
 * do. None keeps or changes what it is given. What a method returns is the caller's: an array of bytes has memory of its own, not a
 * part of a larger page.
 *
 * A layout that is used often, some hundred calls, gets code made for it; see {@link Codegen}.
 */
export interface KeyLayout<Key extends object = Record<string, unknown>> {
  /** The rowkey. @throws RowkeyError `INVALID_VALUE` */
  encode(key: Key): Uint8Array
  /**
   * Writes the rowkey at `offset` and returns the offset behind it. Once the layout is hot it allocates nothing for text of up to 24
   * UTF-16 units, bytes, integers, floats and instants, if there is room for three bytes per unit of text; a tight target is filled
   * from an array between. Nothing before `offset` or behind the key is touched; where it throws, bytes between may have been written.
   * @throws RowkeyError `INVALID_VALUE`; RangeError without room
   */
  encodeInto(target: Uint8Array, offset: number, key: Key): number
  /** The exact inverse of `encode`. @throws RowkeyError `MALFORMED_KEY` for anything `encode` cannot have written */
  decode(bytes: Uint8Array): Key
  /** `encode` for a row of canonical values by position; what stands behind the key columns is passed over. @throws RowkeyError `INVALID_VALUE` */
  encodeRow(row: Row): Uint8Array
  /** `encodeInto` for a row of canonical values. */
  encodeRowInto(target: Uint8Array, offset: number, row: Row): number
  /** `decode` into a row. */
  decodeRow(bytes: Uint8Array): Row
  /**
   * The first rowkey before or after all that start with these leading columns; null = above every rowkey. Where the prefix lacks
   * an input of the salt, `bucket` says which bucket. It may also say another one than that of the columns: the bound is where they
   * would stand there, as someone needs who reads all buckets and goes on after one key. Several salts make one bucket number, see
   * {@link Bucket}. @throws RowkeyError `SALT_UNBOUND`
   */
  bound(prefix: Flat<Partial<Key>>, edge: 'before', bucket?: Bucket): Uint8Array
  bound(prefix: Flat<Partial<Key>>, edge: Bound['edge'], bucket?: Bucket): Uint8Array | null
  /**
   * The range of all rowkeys that start with these leading columns: the two bounds around them. `bucket` and errors as for `bound`.
   *
   * @example
   * ```ts
   * const { from, to } = keyLayout([['host', text()], ['n', uint8()]]).prefix({ host: 'web' })
   * [toHex(from), toHex(to)] //=> [ '7765620000', '7765620001' ]
   * ```
   */
  prefix(values: Flat<Partial<Key>>, bucket?: Bucket): RowkeyRange
  /**
   * What a rowkey consists of, for logs and debuggers: salts and columns with their bytes. As strict as `decode`, but it does not
   * throw what it finds: a broken key gives the parts up to the break and the `problem` that `decode` would throw. A salt that is
   * wrong hides no columns. A column that cannot be read takes the rest of the bytes, and its value is undefined.
   *
   * @throws RowkeyError `MALFORMED_KEY` for what is no Uint8Array, nothing else.
   * @example
   * ```ts
   * const layout = keyLayout([['host', text()], ['n', uint8()]])
   * const { parts, problem } = layout.inspect(fromHex('776562000007'))
   * parts[1]                                      //=> { name: 'n', kind: 'uint8', offset: 5, length: 1, hex: '07', text: '\\x07', value: 7 }
   * problem                                       //=> undefined
   * layout.inspect(fromHex('7765')).parts         //=> [ { name: 'host', kind: 'text', offset: 0, length: 2, hex: '7765', text: 'we', value: undefined } ]
   * layout.inspect(fromHex('7765')).problem.details //=> { column: 'host', offset: 2 }
   * ```
   */
  inspect(bytes: Uint8Array): KeyInspection
  /** No rowkey has fewer bytes, salts included. */
  readonly minBytes: number
  /** No rowkey has more bytes, salts included; Infinity where a column has no limit. */
  readonly maxBytes: number
  /** The positional layout below; trusts its callers. */
  readonly rows: RowLayout
}

/**
 * A key layout: columns in order, and how rows are spread. The bytes sort like the columns, left to right, each in its direction.
 *
 * @throws RowkeyError `INVALID_LAYOUT` for no or duplicate columns, a type without byte order, a salt that does not fit, or an
 * unknown option.
 * @example
 * ```ts
 * const events = keyLayout([['host', text()], ['at', desc(timestamp('ms'))]])
 * const key = events.encode({ host: 'web', at: new Date(1700000000000) })
 * toHex(key)           //=> '77656200007ffffe74301a97ff'
 * events.decode(key)   //=> { host: 'web', at: 2023-11-14T22:13:20.000Z }
 * ```
 */
export function keyLayout<const E extends KeyColumns>(columns: E, options?: KeyLayoutOptions<E[number][0]>): KeyLayout<KeyOf<E>> {
  if (options !== undefined) checkOptions('keyLayout()', options, ['salt', 'codegen'], refused)
  const { salt = [], codegen = 'auto' }: { salt?: unknown; codegen?: unknown } = options ?? {}
  if (codegen !== 'auto' && codegen !== 'never') throw refused(`codegen cannot be ${show(codegen)}. Use 'auto' or 'never'.`)
  const salts = saltList(salt)
  const parts = layoutParts(checkedColumns(columns), 0, salts)
  return Object.freeze(layoutOf(parts, salts, codegen)) as unknown as KeyLayout<KeyOf<E>>
}

function checkedColumns(columns: unknown): readonly { readonly name: string; readonly type: TypeData }[] {
  if (!Array.isArray(columns)) throw refused(`the columns of a layout cannot be ${show(columns)}. Give a list of [name, type].`)
  if (columns.length === 0) throw refused('the layout has no columns. Give at least one.')
  const names = new Set<string>()
  return columns.map((column: unknown, at) => {
    const [name, type] = Array.isArray(column) ? (column as unknown[]) : []
    if (typeof name !== 'string') throw refused(`column ${at + 1} of the layout is ${show(column)}. Give [name, type].`)
    if (!isColumnType(type)) {
      throw refused(`column '${name}' has ${show(type)} for its type. Give a column type such as text() or int64().`, name)
    }
    if (names.has(name)) throw refused(`column '${name}' is there twice. Names are unique.`, name)
    names.add(name)
    return { name, type }
  })
}

function refused(message: string, column?: string): Error {
  return codecError('INVALID_LAYOUT', message, column === undefined ? {} : { column })
}

function layoutOf(parts: LayoutParts, saltData: readonly Salt[], codegen: Codegen): KeyLayout {
  const { columns, saltBytes } = parts
  const { rows, hot, cold } = rowsOf(parts, codegen)
  const stored = columns.map(({ name, type }) => storedValues(type, name))
  const known = new Set(columns.map(({ name }) => name))
  const toRow = (key: Record<string, unknown>): Row => {
    checkKey(key, known)
    return columns.map(({ name, values }) => values.toValue(key[name]))
  }
  const canonical = (row: Row): Row => {
    checkRow(row)
    return stored.map((values, i) => values.toValue(row[i]))
  }
  const into = (target: Uint8Array, offset: number, row: Row): number => {
    checkBytes('encodeInto()', target)
    const bytes = cold.rowkey(row)
    if (!Number.isInteger(offset) || offset < 0) throw new RangeError(`a key cannot begin at ${show(offset)}`)
    const end = offset + bytes.length
    if (end > target.length) throw new RangeError(`the key needs bytes ${offset} to ${end}, the target has ${target.length}`)
    target.set(bytes, offset)
    return end
  }
  const decodeRow = (bytes: Uint8Array): Row => {
    const row: Value[] = []
    cold.decode(bytes, row)
    return row
  }
  const decode = (bytes: Uint8Array): Record<string, unknown> => {
    const key = hot.readKey(bytes)
    if (key !== undefined) return key
    const row = decodeRow(bytes)
    return Object.fromEntries(columns.map(({ name }, i) => [name, fromRow(parts, row, i)]))
  }
  const bound = ((prefix, edge, bucket) => {
    checkKey(prefix, known)
    return keyBound(parts, rows, prefix, edge, bucket)
  }) as KeyLayout['bound']
  return {
    encode(key) {
      const end = hot.writeKey(scratch, 0, key)
      return end < 0 ? cold.rowkey(toRow(key)) : owned(end)
    },
    encodeInto(target, offset, key) {
      const end = isBytes(target) ? hot.intoKey(target, offset, key) : -1
      return end < 0 ? into(target, offset, toRow(key)) : end
    },
    decode,
    encodeRow(row) {
      const end = hot.writeRow(scratch, 0, row)
      return end < 0 ? cold.rowkey(canonical(row)) : owned(end)
    },
    encodeRowInto(target, offset, row) {
      const end = isBytes(target) ? hot.intoRow(target, offset, row) : -1
      return end < 0 ? into(target, offset, canonical(row)) : end
    },
    decodeRow: (bytes) => hot.readRow(bytes) ?? decodeRow(bytes),
    bound,
    prefix: (values, bucket) => ({ from: bound(values, 'before', bucket), to: bound(values, 'after', bucket) }),
    inspect: (bytes) => inspectKey(parts, saltData, bytes, decode),
    minBytes: columns.reduce((sum, { minBytes }) => sum + minBytes, saltBytes),
    maxBytes: columns.reduce((sum, { maxBytes }) => sum + maxBytes, saltBytes),
    rows,
  }
}

/** What the user sees of a decoded row; `{ as: 'number' }` cannot show each of the bytes' 64-bit integers. */
function fromRow({ columns, saltBytes }: LayoutParts, row: Row, position: number): unknown {
  const { name, values } = columns[position] as ColumnCodec
  try {
    return values.fromValue(row[position] as Value)
  } catch (cause) {
    const offset = columns.slice(0, position).reduce((sum, column, i) => sum + column.size(row[i] as Value), saltBytes)
    throw malformed(name, offset, `${show(row[position])} is no safe integer, which { as: 'number' } asks for`, { cause })
  }
}
