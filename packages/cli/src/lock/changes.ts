// Tested by lock.test.ts.
import type { TypeData } from 'rowkey/codec'
import { derived, growthOf, saltText, type SchemaColumn, typeText } from 'rowkey/internal'
import type { TableSchema } from 'rowkey'
import { keyColumns } from '../keys/key-of-values.js'

/** One change of a key, and what it means for rows that are stored. */
export interface Change {
  /** Begins in lower case and has no full stop. */
  readonly what: string
  readonly means: string
}

const copy = 'make a new table and copy the rows'

/**
 * What has changed in the key of a table, part by part.
 *
 * @param before the table as it is locked
 */
export function changesOf(before: TableSchema, after: TableSchema): readonly Change[] {
  const [old, now] = [keyColumns(before), keyColumns(after)]
  const namesOf = (columns: readonly SchemaColumn[]): readonly string[] => columns.map(({ physical }) => physical)
  const [oldNames, nowNames] = [namesOf(old), namesOf(now)]
  const kept = oldNames.filter((name) => nowNames.includes(name))
  const renamed = renamedColumn(old, now)
  const changes = [...saltChanges(before, after, renamed)]
  if (renamed !== undefined) {
    const what = `column '${renamed[0]}' is called '${renamed[1]}'`
    changes.push({
      what,
      means: 'the bytes are the same, but a store that has the name refuses the table. Keep it with the option { name }',
    })
  } else {
    for (const name of oldNames.filter((each) => !nowNames.includes(each)))
      changes.push({ what: `column '${name}' is no longer in the key`, means: `stored keys have bytes that are no longer read; ${copy}` })
    for (const name of nowNames.filter((each) => !oldNames.includes(each)))
      changes.push({ what: `column '${name}' is new in the key`, means: `stored keys do not have it; ${copy}` })
    if (kept.join() !== nowNames.filter((name) => kept.includes(name)).join())
      changes.push({
        what: `the order of the columns: (${oldNames.join(', ')}) → (${nowNames.join(', ')})`,
        means: `stored keys are read in the wrong order; ${copy}`,
      })
  }
  changes.push(...kept.flatMap((name) => typeChange(columnNamed(old, name), columnNamed(now, name))))
  if (before.partitionLength !== after.partitionLength) {
    const shown = (schema: TableSchema): string => `(${namesOf(keyColumns(schema).slice(0, schema.partitionLength)).join(', ')})`
    changes.push({
      what: `partition columns: ${shown(before)} → ${shown(after)}`,
      means: `stores that divide by partition look for stored rows in the wrong one; ${copy}`,
    })
  }
  return changes
}

const columnNamed = (columns: readonly SchemaColumn[], name: string): SchemaColumn =>
  columns.find(({ physical }) => physical === name) as SchemaColumn

/** The one column that has another name and is otherwise the same, at the same place. */
function renamedColumn(old: readonly SchemaColumn[], now: readonly SchemaColumn[]): readonly [string, string] | undefined {
  if (old.length !== now.length) return undefined
  const others = old.flatMap((column, at) => {
    const other = now[at] as SchemaColumn
    return column.physical === other.physical ? [] : [[column, other] as const]
  })
  const [pair] = others
  if (pair === undefined || others.length > 1 || typeText(pair[0].type) !== typeText(pair[1].type)) return undefined
  return [pair[0].physical, pair[1].physical]
}

function typeChange({ physical, type: old }: SchemaColumn, { type: now }: SchemaColumn): readonly Change[] {
  const [before, after] = [typeText(old), typeText(now)]
  if (before === after || isGrown(now, old)) return []
  const what = `column '${physical}': ${before} → ${after}`
  if (old.desc !== now.desc && typeText(derived(old, { desc: now.desc })) === after)
    return [{ what, means: `stored keys are in the opposite order and are read as other values; ${copy}` }]
  if (old.nullable !== now.nullable)
    return [
      {
        what,
        means: `${now.nullable ? 'stored keys lack the byte that says whether there is a value' : 'stored keys have a byte that is no longer read'}; ${copy}`,
      },
    ]
  return [{ what, means: `stored keys are read as other values, or not at all; ${copy}` }]
}

/** Whether a type only has more values than before, all others with the same bytes. */
function isGrown(now: TypeData, old: TypeData): boolean {
  const growth = growthOf(now, old)
  return growth !== undefined && growth.changed === undefined
}

/** @param renamed a column whose new name counts as its old one */
function saltChanges(before: TableSchema, after: TableSchema, renamed: readonly [string, string] | undefined): readonly Change[] {
  const text = ({ salt, columns }: TableSchema): string => {
    const nameOf = (column: string): string => columns.find(({ name }) => name === column)?.physical ?? column
    const named = (column: string): string => (nameOf(column) === renamed?.[1] ? renamed[0] : nameOf(column))
    return salt.map((level) => saltText(level, named)).join(' + ')
  }
  const [old, now] = [text(before), text(after)]
  if (old === now) return []
  if (old === '') return [{ what: `salt: none → ${now}`, means: `stored keys do not begin with it; ${copy}` }]
  if (now === '') return [{ what: `salt: ${old} → none`, means: `stored keys begin with bytes that are no longer read; ${copy}` }]
  const [first, second] = [before.salt[0], after.salt[0]]
  const isCount =
    before.salt.length === 1 && after.salt.length === 1 && old.replace(String(first?.count), '') === now.replace(String(second?.count), '')
  const wrong = `stored rows are looked for in the wrong buckets; ${copy}`
  return isCount
    ? [{ what: `bucket count ${first?.count ?? 0} → ${second?.count ?? 0}`, means: wrong }]
    : [{ what: `salt: ${old} → ${now}`, means: wrong }]
}
