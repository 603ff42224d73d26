import type { TableSchema } from '@rowkey/model'
import type { Predicate } from '../predicate/column-set.js'
import { show } from '@rowkey/codec'
import { storeError } from '../errors.js'

/** An order asked for, column by column. */
export type Order = Readonly<Record<string, 'asc' | 'desc'>>

/**
 * Whether the scan runs backwards to give the order asked for. Columns bound to one value have no order to ask for and may be left
 * out or named in any direction; the rest must be the next key columns, all along the layout or all against it.
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
      `the order (${asked.map(([name, direction]) => `${name} ${direction}`).join(', ')}) is not to be had from '${schema.name}': ${why}. ` +
        `Its key gives (${layout}) or exactly the reverse; for another order add a table with that key, or sort in code.`,
      { table: schema.name, order: asked.map(([name, direction]) => `${name} ${direction}`) },
    )
  }
  let backwards = reverse
  let position = 0
  for (const [name, direction] of asked) {
    if (direction !== 'asc' && direction !== 'desc') fail(`${show(direction)} is no direction for '${name}', give 'asc' or 'desc'`)
    const at = schema.columns.findIndex((column) => column.name === name)
    if (at < 0 || at >= schema.keyLength) fail(`'${name}' is no key column`)
    if (isPinned(predicate, at)) continue
    while (position < at && isPinned(predicate, position)) position++
    if (position !== at) fail(`'${schema.columns[position]?.name ?? ''}' comes before '${name}' in the key`)
    const type = schema.columns[at]?.type
    if (type?.ordered !== true) fail(`the bytes of '${name}' are not in the order of its values`)
    const against = (type?.desc === true) !== (direction === 'desc')
    if (backwards !== undefined && backwards !== against)
      fail(reverse === undefined ? `'${name}' runs the other way` : `reverse is ${reverse}, and that gives '${name}' the other way`)
    backwards = against
    position = at + 1
  }
  return backwards === true
}

function isPinned(predicate: Predicate, position: number): boolean {
  const set = predicate.sets.get(position)
  return set?.kind === 'none' || (set?.kind === 'points' && set.values.length === 1)
}
