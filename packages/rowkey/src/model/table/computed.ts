// Tested by packages/rowkey/test/mapper/periods.test.ts.
import type { Value } from '#codec'
import { periodBegin, periodOf, type Periods } from '#codec/internal'
import type { SchemaColumn, TableSchema } from '../schema.js'

/** A computed column at its position in a row. */
export interface ComputedColumn extends Periods {
  readonly position: number
  /** Position of the column that it is computed from. */
  readonly source: number
  /** When one of its periods begins, in milliseconds. */
  readonly begin: (value: Value) => number
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
export function computing(key: readonly SchemaColumn[]): Computing {
  const computed = key.flatMap(({ type }, position) => {
    if (type.of === undefined) return []
    const source = key.findIndex(({ name }) => name === type.of)
    return [
      Object.freeze({ position, source, begin: periodBegin(type), ...(periodOf(type, (key[source] as SchemaColumn).type) as Periods) }),
    ]
  })
  return computed.length === 0 ? {} : { [computedKey]: Object.freeze(computed) }
}
