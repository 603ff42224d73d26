// Tested by copy-table.test.ts.
import { isRowkeyError, type Row, RowkeyError } from '#codec'
import type { Mutation } from '#store/adapter'
import { reworded, show } from '#codec/internal'
import { ignore } from '../call/observer.js'
import { keyText } from '../rows/missing.js'
import { expiresOf } from '../rows/row-expiry.js'
import type { TableHandle } from '../table/table-handle.js'
import { Preparer } from '../write/prepare.js'
import { noOptions, type PutOptions } from '../write/write-options.js'
import type { AnyCopyOptions } from './copy-options.js'

/** Makes rows of the target from rows of the source. */
export class CopiedRows {
  readonly preparer: Preparer
  private readonly from: TableHandle
  private readonly to: TableHandle
  private readonly map: AnyCopyOptions['map']
  /** Positions that are copied if there is no `map`: all but expiry and version. */
  private readonly copied: readonly number[]
  /** Columns of the target whose defaults are different each time. */
  private readonly generated: readonly string[]

  constructor(from: TableHandle, to: TableHandle, map: AnyCopyOptions['map']) {
    const { columns, expiryIndex, versionIndex } = from.schema
    this.from = from
    this.to = to
    this.map = map
    this.preparer = new Preparer(to)
    this.copied = columns.map((_, position) => position).filter((position) => position !== expiryIndex && position !== versionIndex)
    this.generated = to.schema.columns
      .filter(({ type }) => type.default !== undefined && type.default.kind !== 'constant')
      .map(({ name }) => name)
  }

  /** A put of the row; undefined if it is left out. @throws RowkeyError with the key of the row, for what the target cannot hold */
  mutation(row: Row, now: number): Mutation | undefined {
    try {
      const given = this.given(row)
      return given === undefined ? undefined : this.preparer.prepareRow('put', given, this.expiry(row, given), now)
    } catch (error) {
      throw isRowkeyError(error) ? this.refusal(row, error) : error
    }
  }

  /** The checks of the target's model on a mutation. @throws RowkeyError `VALIDATION_FAILED` with the key of the row */
  async check(row: Row, mutation: Mutation): Promise<void> {
    try {
      await this.preparer.check(mutation)
    } catch (error) {
      throw isRowkeyError(error) ? this.refusal(row, error) : error
    }
  }

  private given(row: Row): Readonly<Record<string, unknown>> | undefined {
    const { rows } = this.from
    const given: unknown = this.map === undefined ? rows.pick(row, this.copied) : this.map(rows.toObject(row) as never)
    if (given === undefined) return undefined
    if (typeof given === 'object' && given !== null && 'then' in given) {
      ignore(given)
      const message = 'map returned a promise. Return a row, or undefined to leave it out; it cannot be async.'
      throw new RowkeyError('INVALID_OPTION', message, { option: 'map', value: show(given) })
    }
    const missing = this.generated.find((name) => (given as Readonly<Record<string, unknown>> | null)?.[name] === undefined)
    if (missing !== undefined) {
      const why = `column '${missing}' of '${this.to.name}' has a default that is different each time, so the same row would be copied differently`
      throw new RowkeyError('INVALID_VALUE', `${why}. Return a value for it in map.`, { column: missing, value: 'undefined' })
    }
    return given as Readonly<Record<string, unknown>>
  }

  /** When the copy expires: as `map` says, or at the same instant, or never if the row never does. */
  private expiry(row: Row, given: Readonly<Record<string, unknown>>): PutOptions {
    if (this.to.schema.expiryIndex < 0 || expiresOf(this.to.rows, given) !== undefined) return noOptions
    const at = row[this.from.schema.expiryIndex]
    return { expires: typeof at === 'number' ? new Date(at) : null }
  }

  private refusal(row: Row, error: RowkeyError): Error {
    const key = keyText(this.from.rows.keyOf(row))
    return reworded(error, { before: `the row of '${this.from.name}' with key ${key} cannot be copied to '${this.to.name}': ` })
  }
}
