import { type Flat, isColumnType, type Row, type Value } from '#codec'
import { checkKey, codecError, type Encoding, show, showName } from '#codec/internal'
import { kuduColumn, type KuduColumn } from './kudu-column.js'
import { isKuduType, type KuduType } from './kudu-type.js'

/** Name and type of each column of the primary key, in its order. */
export type KuduColumns = readonly (readonly [name: string, type: KuduType])[]

type TypedAs<T> = T extends KuduType<infer V> ? V : never
/** The key object of a list of columns. */
export type KuduKeyOf<E extends KuduColumns> = Flat<{ -readonly [C in E[number] as C[0]]: TypedAs<C[1]> }>

/** @throws RowkeyError `INVALID_LAYOUT` */
export function keyColumns(given: unknown): readonly KuduColumn[] {
  if (!Array.isArray(given)) throw refused(`the columns of a key cannot be ${show(given)}. Give a list of [name, type].`)
  if (given.length === 0) throw refused('the key has no columns. Give at least one.')
  const names = new Set<string>()
  return given.map((column: unknown, at) => {
    const [name, type] = Array.isArray(column) ? (column as unknown[]) : []
    if (typeof name !== 'string') throw refused(`column ${at + 1} of the key is ${show(column)}. Give [name, type].`)
    if (!isKuduType(type)) throw refused(`the type of column '${showName(name)}' is ${nameOf(type)}. ${typeRemedy}`, name)
    if (names.has(name)) throw refused(`column '${showName(name)}' appears twice. Use each name once.`, name)
    names.add(name)
    return kuduColumn(name, type)
  })
}

const nameOf = (given: unknown): string => (isColumnType(given) ? `${given.kind}, which is not a key type of Kudu` : show(given))

const typeRemedy =
  'Give one of rowkey/formats/kudu, such as STRING or INT64: key columns of Kudu are ascending and never null, and cannot be BOOL, FLOAT or DOUBLE.'

export function refused(message: string, column?: string): Error {
  return codecError('INVALID_LAYOUT', message, column === undefined ? {} : { column: showName(column) })
}

/** The row of a key object that has all these columns and no others. */
export function rowOf(columns: readonly KuduColumn[]): (key: Record<string, unknown>) => Row {
  const known = new Set(columns.map(({ name }) => name))
  return (key) => {
    checkKey(key, known)
    return columns.map(({ name, toValue }) => toValue(key[name]))
  }
}

/** The encodings of columns side by side: only the last may be raw. */
export function encodingsOf(columns: readonly KuduColumn[]): readonly Encoding[] {
  return columns.map(({ inner, last }, at) => (at === columns.length - 1 ? last : inner))
}

/** The bytes of a row, in an array of its own with `space` free bytes before them. */
export function encodeAll(encodings: readonly Encoding[], row: Row, space = 0): Uint8Array {
  const size = encodings.reduce((sum, encoding, i) => sum + encoding.size(row[i] as Value), space)
  const bytes = new Uint8Array(size)
  encodings.reduce((at, encoding, i) => encoding.write(bytes, at, row[i] as Value), space)
  return bytes
}
