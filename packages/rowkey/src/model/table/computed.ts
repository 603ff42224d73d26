import { typeFacts } from '#codec/internal'
import type { Computation } from '../definition/computation.js'
import type { SchemaColumn, TableSchema } from '../schema.js'

/** A computed column at its position in a row. */
export interface ComputedColumn extends Pick<Computation, 'from' | 'next'> {
  readonly position: number
  /** Position of the column that it is computed from. */
  readonly source: number
}

/** Registered like the brand of a schema, and enumerable, so that it goes with a renamed table. */
const computedKey: unique symbol = Symbol.for('rowkey.computed')

interface Computing {
  readonly [computedKey]?: readonly ComputedColumn[]
}

const none: readonly ComputedColumn[] = Object.freeze([])

/** The columns of a schema that are computed; mostly the same empty list. */
export const computedColumns = (schema: TableSchema): readonly ComputedColumn[] => (schema as Computing)[computedKey] ?? none

/** What compiling adds to a schema with computed columns. */
export function computing(key: readonly SchemaColumn[], computations: ReadonlyMap<string, Computation>): Computing {
  if (computations.size === 0) return {}
  const computed = [...computations].map(([name, { of, from, next }]) => {
    const [position, source] = [name, of].map((column) => key.findIndex((each) => each.name === column)) as [number, number]
    if (position < 0 || !canBeSource(key[source]) || computations.has(of)) throw new RangeError(`'${name}' cannot be computed from '${of}'`)
    return Object.freeze({ position, source, from, next })
  })
  return { [computedKey]: Object.freeze(computed) }
}

function canBeSource(column: SchemaColumn | undefined): boolean {
  if (column === undefined || column.type.nullable) return false
  const { storage } = typeFacts(column.type)
  return storage.class === 'int' || storage.class === 'bigint'
}
