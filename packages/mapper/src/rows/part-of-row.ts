import type { Row } from '@rowkey/codec'
import type { RegisteredChecks } from './class-validator.js'
import type { RowMapper } from './row-mapper.js'

/** What a function returned, and what it read of a part of a row. */
export interface Watched {
  /** undefined if it threw after it had read something unknown. */
  readonly result: unknown
  /** Columns that are unknown. */
  readonly missing: readonly string[]
  /** Whether it read a column that the patch sets. */
  readonly hasReadSet: boolean
}

/** An instance of a class with the key of a row and what a patch sets, which notices what is read. */
export class PartOfRow {
  readonly instance: Record<string, unknown>
  /** Unknown columns that were read so far, which are undefined. */
  readonly missing: string[] = []
  private readonly changed = new Set<string>()
  private readsOfSet = 0

  constructor({ model, nested }: RegisteredChecks, rows: RowMapper, row: Row, set: readonly number[]) {
    this.instance = new model() as Record<string, unknown>
    for (const { name, position, isKey } of rows.written) {
      const isSet = set.includes(position)
      const value = isSet || isKey ? nested.revived(name, rows.valueAt(row, position)) : undefined
      if (isKey) this.instance[name] = value
      else this.define(name, isSet, value)
    }
  }

  /** Whether the patch sets this property. */
  sets(property: string): boolean {
    return this.changed.has(property)
  }

  /** @param unknown what the function has as an argument, without a value */
  watch(run: () => unknown, unknown: readonly string[] = []): Watched {
    const [before, reads] = [this.missing.length, this.readsOfSet]
    const seen = (result: unknown): Watched => ({
      result,
      missing: [...unknown, ...this.missing.slice(before)],
      hasReadSet: this.readsOfSet > reads,
    })
    try {
      return seen(run())
    } catch (error) {
      const { missing } = seen(undefined)
      if (missing.length === 0) throw error
      return seen(undefined)
    }
  }

  private define(name: string, isSet: boolean, value: unknown): void {
    if (isSet) this.changed.add(name)
    const get = (): unknown => {
      if (isSet) this.readsOfSet++
      else this.missing.push(name)
      return value
    }
    Object.defineProperty(this.instance, name, { configurable: true, enumerable: true, get })
  }
}
