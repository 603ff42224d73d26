// Tested by rules.test.ts and test/oracle/part-1.test.ts.
import type { Bucket, Row, SaltLevel, Value } from '#codec'
import type { SchemaColumn, TableSchema } from '#model'
import type { Predicate } from '../predicate/column-set.js'
import { showNames, typeFacts } from '#codec/internal'
import { storeError } from '../errors.js'
import { domainOf, stepsBetween } from '../predicate/discrete.js'

/** Values tried per level before it counts as unbound. */
const maxTried = 65_536

/**
 * Which buckets of a salted table can hold rows of one key prefix. A level is pruned by the values that its inputs may have, wherever they are
 * in the key: points, or a range of so few integers that it cannot reach every bucket.
 */
export class BucketPruner {
  private readonly schema: TableSchema
  private readonly predicate: Predicate
  private readonly maxFanOut: number
  /** Buckets by the values of the levels. Most prefixes share them; one list per prefix would take most of the memory of a plan. */
  private readonly shared = new Map<string, readonly Bucket[]>()
  private readonly freeLevels = new Map<SaltLevel, { readonly values: readonly number[] | undefined }>()

  constructor(schema: TableSchema, predicate: Predicate, maxFanOut: number) {
    this.schema = schema
    this.predicate = predicate
    this.maxFanOut = maxFanOut
  }

  /** Ascending. @throws RowkeyError `FAN_OUT_EXCEEDED` */
  bucketsOf(prefix: Row): readonly Bucket[] {
    const { salts } = this.schema.layout
    const levels = salts.map((level) =>
      level.columns.some((column) => column < prefix.length) ? this.valuesOf(level, prefix) : this.free(level),
    )
    const fanOut = levels.reduce((product, values, i) => product * (values?.length ?? (salts[i] as SaltLevel).count), 1)
    this.check(fanOut)
    const id = levels.map((values) => values?.join() ?? 'all').join(' ')
    const known = this.shared.get(id)
    if (known !== undefined) return known
    let buckets: readonly Bucket[] = [0]
    levels.forEach((values, i) => {
      const { count } = salts[i] as SaltLevel
      const all = values ?? Array.from({ length: count }, (_, value) => value)
      buckets = buckets.flatMap((bucket) => all.map((value) => bucket * count + value))
    })
    this.shared.set(id, buckets)
    return buckets
  }

  /** @throws RowkeyError `FAN_OUT_EXCEEDED` */
  check(fanOut: number): void {
    if (fanOut <= this.maxFanOut) return
    const { name, columns, layout } = this.schema
    const inputs = layout.salts
      .map((level) =>
        showNames(
          level.columns.map((at) => columns[at]?.name),
          "'",
        ),
      )
      .join('; ')
    const whole = fanOut === layout.buckets ? ' To read the whole table, use readAll().' : ''
    throw storeError(
      'FAN_OUT_EXCEEDED',
      `the query on '${name}' would read ${fanOut} buckets, more than ${this.maxFanOut}. Bind the columns of the salt (${inputs}) by = or in, or raise maxFanOut.${whole}`,
      { table: name, fanOut, maxFanOut: this.maxFanOut },
    )
  }

  /** A level without inputs in the prefixes has the same values for all of them. */
  private free(level: SaltLevel): readonly number[] | undefined {
    const known = this.freeLevels.get(level)
    if (known !== undefined) return known.values
    const values = this.valuesOf(level, [])
    this.freeLevels.set(level, { values })
    return values
  }

  /** The values a level can take, ascending; undefined = all. */
  private valuesOf(level: SaltLevel, prefix: Row): readonly number[] | undefined {
    const { growth } = level
    const period = growth === undefined || growth.column >= prefix.length ? undefined : (prefix[growth.column] as Value)
    const most = growth === undefined || period === undefined ? level.count : growth.countAt(period)
    const all = most === level.count ? undefined : Array.from({ length: most }, (_, value) => value)
    const domains: (readonly Value[])[] = []
    let product = 1
    for (const column of level.columns) {
      const domain = column < prefix.length ? [prefix[column] as Value] : this.domainOf(column, level.count)
      if (domain === undefined) return all
      product *= domain.length
      if (product > maxTried) return all
      domains.push(domain)
    }
    const found = new Set<number>()
    const row: Value[] = []
    const visit = (depth: number): void => {
      if (found.size === most) return // every bucket is reached
      if (depth === domains.length) {
        found.add(level.of(row))
        return
      }
      for (const value of domains[depth] as readonly Value[]) {
        row[level.columns[depth] as number] = value
        visit(depth + 1)
      }
    }
    visit(0)
    return [...found].sort((a, b) => a - b)
  }

  private domainOf(column: number, count: number): readonly Value[] | undefined {
    const set = this.predicate.sets.get(column)
    if (set?.kind === 'points') return set.values
    if (set?.kind !== 'range' || set.low === undefined || set.high === undefined) return undefined
    const { type } = this.schema.columns[column] as SchemaColumn
    // With more values than buckets every bucket is reached anyway.
    return domainOf(typeFacts(type).storage) === undefined ? undefined : stepsBetween(set.low, set.high, count)
  }
}
