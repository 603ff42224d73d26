import { RowkeyError } from '#codec'
import { show } from '#codec/internal'
import { isDate } from '../call/cancellation.js'
import { ttlUndeclared } from '../call/errors.js'
import { expiresName, type RowMapper } from './row-mapper.js'

/** The expiry that a row was read with; undefined if it has none. @throws RowkeyError `INVALID_VALUE` */
export function expiresOf(rows: RowMapper, given: Readonly<Record<string, unknown>>): Date | null | undefined {
  if (!rows.hasExpiry) return undefined
  rows.mustHaveColumns(given, 'row')
  const expires = given[expiresName]
  if (expires === undefined || expires === null || isDate(expires)) return expires
  const message = `'${expiresName}' of a row of '${rows.schema.name}' is ${show(expires)}. Give a Date, or null for never.`
  throw new RowkeyError('INVALID_VALUE', message, { column: expiresName, value: show(expires) })
}

/** Refuses to read rows with their expiry. @throws RowkeyError `TTL_UNDECLARED`, `INVALID_OPTION` if a column has the name of the expiry */
export function mustExpire({ hasExpiry, schema: { name, expiryIndex } }: RowMapper): void {
  if (hasExpiry) return
  if (expiryIndex < 0) throw ttlUndeclared(name, `rows of '${name}' cannot be read withExpiry, because they do not expire.`)
  const message = `rows of '${name}' cannot be read withExpiry, because a column is called '${expiresName}'. Rename the property.`
  throw new RowkeyError('INVALID_OPTION', message, { option: 'withExpiry', value: 'true' })
}
