// Tested by codegen.test.ts, odd-objects.test.ts and properties.test.ts.
import type { ColumnCodec } from '../type/column-codec.js'
import type { ColumnType, Flat, Row, TypeData, Value, ValueOf } from '../type/column-type.js'
import type { Bound, Bucket, RowkeyRange } from './bound.js'
import { checkBytes, checkKey, checkOptions, checkRow } from '../check.js'
import { codecError } from '../error.js'
import { saltList, type Salt } from '../salts/salt.js'
import { show, showName } from '../show.js'
import { malformed } from '../type/reader.js'
import { isColumnType } from '../type/type-impl.js'
import { shownType } from '../type/type-wrapper.js'
import { storedValues } from '../type/values.js'
import { inspectKey, type KeyInspection } from './inspect.js'
import { keyBound } from './key-bound.js'
import type { CompiledPaths, LayoutCalls } from './compile-layout.js'
import type { Codegen } from './compiled-paths.js'
import { layoutParts, saltSize, type LayoutParts } from './layout-parts.js'
import { rowsOf, type RowLayout } from './row-layout.js'

/** Name and type of each key column; the order of the list is the order of the key. */
export type KeyColumns = readonly (readonly [name: string, type: ColumnType])[]
/** The key object of a list of columns. */
export type KeyOf<E extends KeyColumns> = Flat<{ -readonly [C in E[number] as C[0]]: ValueOf<C[1]> }>
/** One salt or a list of levels over these columns. */
export type Salts<Name extends string> = Salt<Name> | readonly Salt<Name>[]

/** Options of {@link keyLayout}. */
export interface KeyLayoutOptions<Name extends string> {
  /** The part before the columns that spreads rows. A list means several levels. */
  readonly salt?: Salts<Name>
  /** Default `'auto'`. */
  readonly codegen?: Codegen
}

/**
 * Encodes and decodes the rowkeys of one layout. All methods are strict: like repositories, they refuse a property that is not a
 * column. None keeps or changes its arguments. What a method returns belongs to the caller: an array of bytes has memory of its own
 * and is not part of a larger page.
 *
 * After a thousand calls, code is generated for the layout; see {@link Codegen}.
 */
export interface KeyLayout<Key extends object = Record<string, unknown>> {
  /** The rowkey. @throws RowkeyError `INVALID_VALUE` */
  encode(key: Key): Uint8Array
  /**
   * Writes the rowkey at `offset` and returns the offset after it. Once the layout is compiled it allocates nothing for text of up to 24
   * UTF-16 units, bytes, integers, floats and instants, if there is room for three bytes per unit of text. With less room, the key is
   * written to another array first. It changes nothing before `offset` or after the key. If it throws, it may have written part of the key.
   * @throws RowkeyError `INVALID_VALUE`; RangeError without room
   */
  encodeInto(target: Uint8Array, offset: number, key: Key): number
  /** The exact inverse of `encode`. @throws RowkeyError `MALFORMED_KEY` for anything `encode` cannot have written */
  decode(bytes: Uint8Array): Key
  /** `encode` for a row of canonical values by position. Values after the key columns are ignored. @throws RowkeyError `INVALID_VALUE` */
  encodeRow(row: Row): Uint8Array
  /** `encodeInto` for a row of canonical values. */
  encodeRowInto(target: Uint8Array, offset: number, row: Row): number
  /** `decode` into a row. */
  decodeRow(bytes: Uint8Array): Row
  /**
   * The first rowkey before or after all that start with these leading columns; null = above every rowkey. If the prefix does not
   * contain an input of the salt, `bucket` says which bucket. It may also be another bucket than that of the columns: the bound is then
   * where the columns would be in that bucket. A reader of all buckets needs this to continue after one key. Several salts make one
   * bucket number, see {@link Bucket}. @throws RowkeyError `SALT_UNBOUND`
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
   * throw: for a broken key it returns the parts up to the break and the `problem` that `decode` would throw. If a salt is wrong, the
   * columns are read all the same. A column that cannot be read takes the rest of the bytes, and its value is undefined.
   *
   * @throws RowkeyError `MALFORMED_KEY` if `bytes` is not a Uint8Array, and for nothing else.
   * @example
   * ```ts
   * const layout = keyLayout([['host', text()], ['n', uint8()]])
   * const { parts, problem } = layout.inspect(fromHex('776562000007'))
   * parts[1]                                      //=> { name: 'n', kind: 'uint8', offset: 5, length: 1, hex: '07', text: '\\x07', value: 7 }
   * problem                                       //=> undefined
   * layout.inspect(fromHex('7765')).parts         //=> [ { name: 'host', kind: 'text', offset: 0, length: 2, hex: '7765', text: 'we', value: undefined } ]
   * layout.inspect(fromHex('7765')).problem.details //=> { column: 'host', offset: 2, reason: 'it ends too early, at 2 bytes' }
   * ```
   */
  inspect(bytes: Uint8Array): KeyInspection
  /** No rowkey has fewer bytes, salts included. */
  readonly minBytes: number
  /** No rowkey has more bytes, salts included; Infinity if a column has no limit. */
  readonly maxBytes: number
  /** The same layout for rows by position. It does not check its arguments. */
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
      throw refused(`the type of column '${showName(name)}' is ${shownType(type)}. Give a column type such as text() or int64().`, name)
    }
    if (names.has(name)) throw refused(`column '${showName(name)}' appears twice. Use each name once.`, name)
    names.add(name)
    return { name, type }
  })
}

function refused(message: string, column?: string): Error {
  return codecError('INVALID_LAYOUT', message, column === undefined ? {} : { column: showName(column) })
}

function layoutOf(parts: LayoutParts, saltData: readonly Salt[], codegen: Codegen): KeyLayout {
  const { columns, salts, saltBytes } = parts
  const known = new Set(columns.map(({ name }) => name))
  const useCompiled = (): void => {
    now.made = compiled.calls?.(interpreter) ?? interpreter
    now.calls = now.made
  }
  const { rows, compiled, interpreted } = rowsOf(parts, codegen, useCompiled)
  const interpreter = interpretedCalls(parts, interpreted, known)
  const now: Now = { calls: interpreter, made: interpreter }
  if (compiled.count !== undefined) now.calls = countedCalls(compiled, now)
  const bound = ((prefix, edge, bucket) => {
    checkKey(prefix, known)
    return keyBound(parts, rows, prefix, edge, bucket)
  }) as KeyLayout['bound']
  const leastSaltBytes = salts.reduce((sum, { bytes, size }) => sum + (size?.(0) ?? bytes), 0)
  const layout = {
    bound,
    prefix: (values, bucket) => ({ from: bound(values, 'before', bucket), to: bound(values, 'after', bucket) }),
    inspect: (bytes) => inspectKey(parts, saltData, bytes, interpreter.decode),
    minBytes: columns.reduce((sum, { minBytes }) => sum + minBytes, leastSaltBytes),
    maxBytes: columns.reduce((sum, { maxBytes }) => sum + maxBytes, saltBytes),
    rows,
  } satisfies Omit<KeyLayout, keyof LayoutCalls>
  return Object.defineProperties(layout, { ...presentAccessors, [present]: { value: now } }) as unknown as KeyLayout
}

/** The calls of a layout: `calls` are those that the layout returns now. Those that it returned before it was compiled call `made`. */
interface Now {
  calls: LayoutCalls
  made: LayoutCalls
}

const present = Symbol('present')

/**
 * The calls of a layout as accessors, which return functions that need no `this`. Compiled functions replace the first ones, so that the
 * engine optimizes the code of each layout by itself. The accessors are properties of the layout, so that a spread copies the functions.
 * They read a plain property, so that they work through a Proxy and on an object whose prototype is the layout. Each call is written out,
 * here and in {@link countedCalls}: functions made in a loop share what the engine learns, and take up to 30 % longer.
 */
const presentCalls: LayoutCalls & ThisType<{ readonly [present]: Now }> = {
  get encode() {
    return this[present].calls.encode
  },
  get encodeInto() {
    return this[present].calls.encodeInto
  },
  get decode() {
    return this[present].calls.decode
  },
  get encodeRow() {
    return this[present].calls.encodeRow
  },
  get encodeRowInto() {
    return this[present].calls.encodeRowInto
  },
  get decodeRow() {
    return this[present].calls.decodeRow
  },
}
const presentAccessors = /* @__PURE__ */ Object.getOwnPropertyDescriptors(presentCalls)

/** The calls of a layout before it is compiled. After that they call the compiled ones, so a caller can keep them. */
function countedCalls(compiled: CompiledPaths, now: Now): LayoutCalls {
  return {
    encode(key) {
      compiled.count?.()
      return now.made.encode(key)
    },
    encodeInto(target, offset, key) {
      compiled.count?.()
      return now.made.encodeInto(target, offset, key)
    },
    decode(bytes) {
      compiled.count?.()
      return now.made.decode(bytes)
    },
    encodeRow(row) {
      compiled.count?.()
      return now.made.encodeRow(row)
    },
    encodeRowInto(target, offset, row) {
      compiled.count?.()
      return now.made.encodeRowInto(target, offset, row)
    },
    decodeRow(bytes) {
      compiled.count?.()
      return now.made.decodeRow(bytes)
    },
  }
}

/** The calls without compiled code. They also make the errors of calls that compiled code does not handle. */
function interpretedCalls(
  parts: LayoutParts,
  { rowkey, decode }: Pick<RowLayout, 'rowkey' | 'decode'>,
  known: ReadonlySet<string>,
): LayoutCalls {
  const { columns } = parts
  const stored = columns.map(({ name, type }) => storedValues(type, name))
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
    const bytes = rowkey(row)
    if (!Number.isInteger(offset) || offset < 0) throw new RangeError(`a key cannot start at offset ${show(offset)}`)
    const end = offset + bytes.length
    if (end > target.length) throw new RangeError(`the key needs bytes ${offset} to ${end}, but the target has ${target.length} bytes`)
    target.set(bytes, offset)
    return end
  }
  const decodeRow = (bytes: Uint8Array): Row => {
    const row: Value[] = []
    decode(bytes, row)
    return row
  }
  return {
    encode: (key) => rowkey(toRow(key)),
    encodeInto: (target, offset, key) => into(target, offset, toRow(key)),
    decode(bytes) {
      const row = decodeRow(bytes)
      return Object.fromEntries(columns.map(({ name }, i) => [name, fromRow(parts, row, i)]))
    },
    encodeRow: (row) => rowkey(canonical(row)),
    encodeRowInto: (target, offset, row) => into(target, offset, canonical(row)),
    decodeRow,
  }
}

/** What the user sees of a decoded row; `{ as: 'number' }` cannot show every 64-bit integer. */
function fromRow({ columns, salts }: LayoutParts, row: Row, position: number): unknown {
  const { name, values } = columns[position] as ColumnCodec
  try {
    return values.fromValue(row[position] as Value)
  } catch (cause) {
    const offset = columns.slice(0, position).reduce((sum, column, i) => sum + column.size(row[i] as Value), saltSize(salts, row))
    throw malformed(name, offset, `${show(row[position])} is not a safe integer, which { as: 'number' } requires`, { cause })
  }
}
