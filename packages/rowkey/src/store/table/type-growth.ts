import type { TypeData } from '#codec'
import type { TableSchema } from '#model'
import { growthOf, holdsValuesOf } from '#codec/internal'

type Column = TableSchema['columns'][number]

/** Whether a value column can become the one of a model, because everything that is stored keeps its meaning. */
export function growsValue(mine: Column, stored: Column): boolean {
  return mine.role === 'value' && stored.role === 'value' && holdsValuesOf(mine.type, stored.type)
}

/** The same for a key column, whose bytes must also stay: only types like a dictionary can get more values. */
export function growsKey(mine: Column, stored: Column): boolean {
  const growth = growthOf(mine.type, stored.type)
  return growth !== undefined && growth.changed === undefined
}

/** What a model has changed in the options of a type that may only grow, such as a code; undefined if there is nothing, or another reason. */
export function changedOption(mine: TypeData, stored: TypeData): string | undefined {
  return growthOf(mine, stored)?.changed
}
