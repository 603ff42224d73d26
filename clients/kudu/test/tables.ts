import type { Column, ColumnType } from '../src/requests.js'
import type { KuduTable, TableHashLevel } from '../src/table.js'

/** A column of a type in the notation of SQL, such as DECIMAL(9,2). */
export function columnOf(name: string, type: string, isKey: boolean, isNullable = false): Column {
  const [, base, first, second] = /^(\w+)(?:\((\d+)(?:, *(\d+))?\))?$/.exec(type) as unknown as [string, ColumnType, string?, string?]
  const attributes =
    base === 'DECIMAL' ? { precision: Number(first), scale: Number(second) } : base === 'VARCHAR' ? { length: Number(first) } : {}
  return { name, type: base, isKey, isNullable, ...attributes }
}

interface Parts {
  /** Types of the columns; the first are the key. */
  readonly types: readonly string[]
  /** Default all. */
  readonly keyColumns?: number
  readonly names?: readonly string[]
  readonly nullable?: readonly number[]
  readonly hash?: readonly TableHashLevel[]
  readonly range?: readonly number[]
  readonly customRanges?: KuduTable['customRanges']
}

/** A table that exists nowhere. Its columns are c0, c1 … */
export function tableOf({
  types,
  keyColumns = types.length,
  names,
  nullable = [],
  hash = [],
  range = [],
  customRanges = [],
}: Parts): KuduTable {
  const columns = types.map((type, index) => ({
    ...columnOf(names?.[index] ?? `c${index}`, type, index < keyColumns, nullable.includes(index)),
    id: 10 + index,
  }))
  return { id: 't', name: 't', columns, keyColumns, hash, range, customRanges, replicas: 1, comment: '', owner: '' }
}
