// Tested by wrong.test.ts and test/oracle/work.test.ts.
import { passes, type Row, type Where } from './conditions.js'
import type { OracleColumn, OracleLayout } from './layout.js'
import type { Random } from './random.js'
import { bySource, withPeriods } from './periods.js'

export function randomRow(random: Random, table: OracleLayout): Row {
  const columns = [...table.key, ...table.values]
  const row = Object.fromEntries(
    columns.map((column) => [column.name, column.nulls !== undefined && random.chance(0.25) ? null : random.pick(column.kind.pool)]),
  )
  return withPeriods(table.key, row)
}

/** Conditions on random columns; more often on leading key columns, so that most queries are not refused. */
export function randomWhere(random: Random, table: OracleLayout): Where {
  const where: Record<string, unknown> = {}
  table.key.forEach((column, i) => {
    if (i < table.partitionLength) {
      if (random.chance(0.95)) where[column.name] = random.chance(0.5) ? value(random, column) : { in: random.some(column.kind.pool, 3) }
    } else if (random.chance(i === 0 ? 0.85 : 0.5)) where[column.name] = condition(random, column)
  })
  for (const column of table.values) if (random.chance(0.25)) where[column.name] = condition(random, column)
  return bySource(random, table.key, where)
}

/**
 * Values of rows on the first columns and conditions on value columns: a merged feed that finds rows, if it is asked for in the order of the
 * column after them.
 */
export function randomFeed(random: Random, table: OracleLayout, rows: readonly Row[]): Where {
  const { key, values, partitionLength } = table
  const merged = Math.max(partitionLength, random.chance(0.8) ? 1 : 2)
  const where: Record<string, unknown> = {}
  key.slice(0, merged).forEach(({ name, kind }) => {
    const found = (rows.length === 0 ? [] : random.some(rows, 12)).flatMap((row) => (row[name] === null ? [] : [row[name]]))
    where[name] = { in: found.length > 0 ? found : random.some(kind.pool, 4) }
  })
  for (const column of values) if (random.chance(0.75)) where[column.name] = condition(random, column)
  return bySource(random, key, where)
}

const value = (random: Random, { kind, nulls }: OracleColumn): unknown =>
  nulls !== undefined && random.chance(0.15) ? null : random.pick(kind.pool)

function condition(random: Random, column: OracleColumn): unknown {
  const { kind, nulls, type } = column
  if (random.chance(0.35)) return value(random, column)
  const operators: Record<string, unknown> = {}
  const pick = (): unknown => random.pick(kind.pool)
  const add = [
    () => (operators.in = random.some(kind.pool, 4)),
    ...(type.ordered
      ? [
          () => (operators[random.pick(['gt', 'gte'])] = pick()),
          () => (operators[random.pick(['lt', 'lte'])] = pick()),
          () => ((operators[random.pick(['gt', 'gte'])] = pick()), (operators[random.pick(['lt', 'lte'])] = pick())),
        ]
      : []),
    ...(kind.isText === true
      ? [() => (operators.startsWith = random.pick(['', 'a', 'h', 'host1', '\0', '\ud7ff', '\u{10ffff}', '\u00ff']))]
      : []),
    ...(nulls === undefined ? [] : [() => (operators.isNull = random.chance(0.5))]),
  ]
  for (let n = random.chance(0.2) ? 2 : 1; n > 0; n--) random.pick(add)()
  return operators
}

export function matches(table: OracleLayout, row: Row, where: Where): boolean {
  return [...table.key, ...table.values].every((column) => !(column.name in where) || passes(column, row[column.name], where[column.name]))
}

/** Key order: column by column, including direction and position of nulls. */
export function compareKeys({ key }: OracleLayout, a: Row, b: Row): number {
  return compareColumns(key, a, b)
}

/** The order of the key by some of its columns. */
export function compareColumns(columns: readonly OracleColumn[], a: Row, b: Row): number {
  for (const { name, kind, desc, nulls } of columns) {
    const [x, y] = [a[name], b[name]]
    if (x === null || y === null) {
      const order = (Number(y === null) - Number(x === null)) * (nulls === 'last' ? -1 : 1)
      if (order !== 0) return order
      continue
    }
    const order = ((kind.keyOrder ?? kind.compare) as (p: unknown, q: unknown) => number)(x, y)
    if (order !== 0) return desc ? -order : order
  }
  return 0
}
