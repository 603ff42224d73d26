import type { TypeData } from '@rowkey/codec'
import type { Storage } from '@rowkey/codec/internal'
import type { TableSchema } from '@rowkey/model'
import { byteOptions, derived, growthOf, typeFacts } from '@rowkey/codec/internal'

type Column = TableSchema['columns'][number]

/**
 * Whether a value column can become the one of a model, because everything that is stored keeps its meaning: it becomes nullable, its range
 * or precision grows, a dictionary gets more values, or restricted text becomes free.
 */
export function growsValue(mine: Column, stored: Column): boolean {
  if (mine.role !== 'value' || stored.role !== 'value') return false
  if (stored.type.nullable && !mine.type.nullable) return false // old nulls
  if (isNumber(mine.type) !== isNumber(stored.type)) return false
  return holdsAll(mine.type, stored.type)
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

const isNumber = ({ as }: TypeData): boolean => as === 'number'

function holdsAll(mine: TypeData, stored: TypeData): boolean {
  if (mine.desc !== stored.desc) return false
  const nulls = { nullable: mine.nullable, ...(mine.nulls === undefined ? {} : { nulls: mine.nulls }) }
  const older = derived(stored, nulls)
  if (JSON.stringify(byteOptions(mine)) === JSON.stringify(byteOptions(older))) return true
  const growth = growthOf(mine, older)
  if (growth !== undefined) return growth.changed === undefined
  return containsAll(typeFacts(mine).storage, typeFacts(stored).storage, mine.kind === stored.kind)
}

/** Whether every value of one storage is one of the other, in the same form. */
function containsAll(wide: Storage, narrow: Storage, isSameKind: boolean): boolean {
  if ((wide.class === 'int' && narrow.class === 'int') || (wide.class === 'bigint' && narrow.class === 'bigint')) {
    return wide.counts === narrow.counts && wide.min <= narrow.min && wide.max >= narrow.max
  }
  if (wide.class === 'decimal' && narrow.class === 'decimal') return wide.scale === narrow.scale && wide.precision >= narrow.precision
  if (wide.class === 'bytes' && narrow.class === 'bytes') return wide.length === undefined
  // Of one kind, something is different that this code does not know.
  return wide.class === 'text' && narrow.class === 'text' && !isSameKind && wide.format === narrow.format && !wide.restricted
}
