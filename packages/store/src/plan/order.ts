import type { TableSchema } from '@rowkey/model'
import type { Predicate } from '../predicate/column-set.js'
import { show } from '@rowkey/codec/internal'
import { storeError } from '../errors.js'

/** A requested order, column by column. */
export type Order = Readonly<Record<string, 'asc' | 'desc'>>

/**
 * Whether the scan runs backwards to return the requested order. Columns bound to one value have no order, so they may be left out or named
 * in either direction. The rest must be the next key columns, all in the order of the key or all in its reverse.
 *
 * @throws RowkeyError `ORDER_UNAVAILABLE`
 */
export function directionOf(schema: TableSchema, predicate: Predicate, reverse: boolean | undefined, order: Order | undefined): boolean {
  if (order === undefined) return reverse === true
  const asked = Object.entries(order)
  const fail = (why: string): never => {
    const layout = schema.columns
      .slice(0, schema.keyLength)
      .map(({ name, type }) => `${name} ${type.desc ? 'desc' : 'asc'}`)
      .join(', ')
    throw storeError(
      'ORDER_UNAVAILABLE',
      `'${schema.name}' cannot return rows in the order (${asked.map(([name, direction]) => `${name} ${direction}`).join(', ')}): ${why}. ` +
        `Its key has the order (${layout}), so a scan returns that order or exactly its reverse. For another order, add a table with that key, or sort in code.`,
      { table: schema.name, order: asked.map(([name, direction]) => `${name} ${direction}`) },
    )
  }
  let backwards = reverse
  let position = 0
  for (const [name, direction] of asked) {
    if (direction !== 'asc' && direction !== 'desc') fail(`the direction of '${name}' cannot be ${show(direction)}, give 'asc' or 'desc'`)
    const at = schema.columns.findIndex((column) => column.name === name)
    if (at < 0 || at >= schema.keyLength) fail(`'${name}' is not a key column`)
    if (isPinned(predicate, at)) continue
    while (position < at && isPinned(predicate, position)) position++
    if (position !== at) fail(`'${schema.columns[position]?.name ?? ''}' comes before '${name}' in the key`)
    const type = schema.columns[at]?.type
    if (type?.ordered !== true) fail(`'${name}' is not stored in the order of its values`)
    const against = (type?.desc === true) !== (direction === 'desc')
    if (backwards !== undefined && backwards !== against)
      fail(
        reverse === undefined
          ? `'${name}' has the other direction`
          : `reverse is ${reverse}, which returns '${name}' in the other direction`,
      )
    backwards = against
    position = at + 1
  }
  return backwards === true
}

function isPinned(predicate: Predicate, position: number): boolean {
  const set = predicate.sets.get(position)
  return set?.kind === 'none' || (set?.kind === 'points' && set.values.length === 1)
}
