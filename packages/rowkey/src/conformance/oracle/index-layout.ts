// Tested by wrong.test.ts and test/oracle/work.test.ts.
import type { Salt } from '#codec'
import type { Capabilities } from '#store/adapter'
import type { Row } from './conditions.js'
import { lastKinds } from './kinds.js'
import { columnOf, randomSalts, type OracleColumn, type OracleIndex, type OracleLayout } from './layout.js'
import type { Random } from './random.js'

/** Whether a table with indexes is refused without a version. */
export const needsVersion = ({ expires, plain, indexes }: OracleLayout): boolean => expires && !plain && indexes.length > 0

/** The same layout, perhaps with up to three indexes. @param chance of a table to have some */
export function withIndexes(random: Random, layout: OracleLayout, chance: number): OracleLayout {
  // The day at whose end an entry expires comes last, so no column without an end of its own can.
  const isEndless = layout.key.some(isLast)
  if (!random.chance(chance) || (layout.expires && isEndless)) return layout
  const count = random.pick([1, 1, 2, 3])
  const own = layout.key.map(({ name }) => name).join()
  const indexes = Array.from({ length: count }, (_, i) => randomIndex(random, layout, `i${i}`)).filter(
    ({ partition, key }) => [...partition, ...key].join() !== own, // which is refused, unless partition or salts differ
  )
  const including = random.chance(0.35) ? indexes.map((index) => ({ ...index, include: someValues(random, layout, index) })) : indexes
  const drawn = { ...layout, indexes: including }
  const plain = layout.plain && !isExact(drawn)
  return { ...drawn, plain, versioned: layout.versioned || needsVersion({ ...drawn, plain }) }
}

function someValues(random: Random, { values }: OracleLayout, { partition, key }: OracleIndex): readonly string[] {
  return values.map(({ name }) => name).filter((name) => !partition.includes(name) && !key.includes(name) && random.chance(0.6))
}

/** Whether entries are written with their rows, so that none is stale. */
export const isExact = ({ indexes }: OracleLayout): boolean => indexes.some(({ include }) => include.length > 0)

/** Whether entries have the day at whose end they expire in their key. */
export const hasDay = (layout: OracleLayout): boolean => layout.expires && !isExact(layout)

/** Whether entries have all that a query asks of the rows. */
export const isCovered = (layout: OracleLayout, { partition, key, include }: OracleIndex): boolean =>
  isExact(layout) && !layout.versioned && layout.values.every(({ name }) => [partition, key, include].some((names) => names.includes(name)))

/** A layout without what the store lacks. That it refuses those tables is a rule of the suite. */
export function heldBy({ conditions, atomic }: Capabilities, layout: OracleLayout): OracleLayout {
  const canExact = atomic.scope === 'store' && conditions === 'columns'
  const indexes = canExact ? layout.indexes : layout.indexes.map((index) => ({ ...index, include: [] }))
  return conditions === 'none' || conditions === 'presence'
    ? { ...layout, expires: false, versioned: false, plain: layout.plain || indexes.length > 0, indexes }
    : { ...layout, indexes }
}

function randomIndex(random: Random, layout: OracleLayout, name: string): OracleIndex {
  const { key, values } = layout
  // Entries of key columns alone are only stale when their rows are deleted, so there is mostly a value column.
  const first = values.length > 0 && random.chance(0.8) ? [random.pick(values)] : []
  const others = random.shuffled([...key, ...values].filter((column) => !first.includes(column) && !isLast(column)))
  const drawn = [...first, ...others].slice(0, 1 + random.below(3))
  const named = periodFirst(random.chance(0.7) ? drawn : random.shuffled(drawn)).map((column) => column.name)
  // A key of nothing but a last column has none to draw.
  const columns = named.length > 0 ? named : key.map((column) => column.name)
  const partitionLength = named.length > 0 && random.chance(0.4) ? random.below(columns.length + 1) : 0
  const bare = {
    ...{ name, partition: columns.slice(0, partitionLength), key: columns.slice(partitionLength) },
    ...{ include: [], salts: [], otherSalts: [] },
  }
  const entryKey = entriesLayout(layout, bare).key
  return { ...bare, salts: randomSalts(random, entryKey), otherSalts: randomSalts(random, entryKey) }
}

const isLast = ({ kind }: OracleColumn): boolean => lastKinds.some(({ name }) => name === kind.name)

/** A period comes before its source. */
function periodFirst(columns: readonly OracleColumn[]): readonly OracleColumn[] {
  const at = columns.findIndex(({ period }) => columns.some(({ name }) => name === period?.of))
  return at < 0 ? columns : [columns[at] as OracleColumn, ...columns.toSpliced(at, 1)]
}

/** What queries by an index see: a table whose key is that of the entries, in which no column is null, with the other columns as values. */
export function entriesLayout(layout: OracleLayout, { partition, key, salts, otherSalts }: Omit<OracleIndex, 'include'>): OracleLayout {
  const all = [...layout.key, ...layout.values]
  const named = [...partition, ...key]
  const missing = layout.key.filter(({ name, period }) => !named.includes(name) && period === undefined)
  const columns = [...named.map((name) => all.find((column) => column.name === name) as OracleColumn), ...missing]
  return {
    ...layout,
    key: columns.map(withoutNulls),
    partitionLength: partition.length,
    values: all.filter(({ name }) => !columns.some((column) => column.name === name)),
    ...{ salts, otherSalts, indexes: [] },
  }
}

function withoutNulls(column: OracleColumn): OracleColumn {
  return column.nulls === undefined ? column : columnOf(column.name, column.kind, column.desc, undefined)
}

/** The layout in whose order a query reads: that of the table, or of the entries of an index. */
export const orderedBy = ({ layout, index }: { readonly layout: OracleLayout; readonly index: OracleIndex | undefined }): OracleLayout =>
  index === undefined ? layout : entriesLayout(layout, index)

/** Whether a row has an entry. @param order the layout of the entries */
export const hasEntry = ({ key }: OracleLayout, values: Row): boolean => key.every(({ name }) => values[name] !== null)

/** Indexes without columns that a smaller layout does not have. */
export function indexesOf(indexes: readonly OracleIndex[], names: ReadonlySet<string>): readonly OracleIndex[] {
  const known = (columns: readonly string[]): readonly string[] => columns.filter((name) => names.has(name))
  return indexes.flatMap((index) => {
    const kept = { ...index, partition: known(index.partition), key: known(index.key), include: known(index.include) }
    const salts = (of: readonly Salt[]): readonly Salt[] => of.filter((salt) => salt.of.every((name) => names.has(name)))
    return kept.partition.length + kept.key.length === 0
      ? []
      : [{ ...kept, salts: salts(index.salts), otherSalts: salts(index.otherSalts) }]
  })
}
