import type { TableSchema } from '@rowkey/model'
import type { Adapter, Hints } from '../contract/adapter.js'
import { isPlainObject, show } from '@rowkey/codec/internal'
import { storeError } from '../errors.js'

/**
 * The hints of a model under the name of an adapter, as `stores: { cassandra: { compaction: 'TimeWindow' } }`. Unknown hints are refused;
 * otherwise they would be ignored silently, and the table created without them. Hints for other adapters are not checked.
 *
 * @throws RowkeyError `INVALID_OPTION` for an unknown hint, or one with an invalid value
 * @example
 * ```ts
 * const { provisioned } = hintsOf(adapter, schema) // adapter.hints: { provisioned: { fits: isUnits, wants: '{ read, write }' } }
 * ```
 */
export function hintsOf(adapter: Pick<Adapter, 'name' | 'hints'>, schema: TableSchema): Readonly<Record<string, unknown>> {
  const { name, hints: known = {} } = adapter
  const given = schema.stores[name] ?? {}
  if (!isPlainObject(given)) throw refused(schema, name, given, 'Give an object.')
  for (const [hint, value] of Object.entries(given)) {
    const rule = Object.hasOwn(known, hint) ? known[hint] : undefined
    if (rule === undefined) throw refused(schema, `${name}.${hint}`, value, knownHints(name, known))
    if (!rule.fits(value)) throw refused(schema, `${name}.${hint}`, value, `Give ${rule.wants}.`)
  }
  return given
}

function knownHints(adapter: string, known: Hints): string {
  const names = Object.keys(known).map((name) => `'${name}'`)
  if (names.length === 0) return `${adapter} has no hints. Leave it out.`
  return `${adapter} only knows ${names.join(' and ')}.`
}

function refused({ name }: TableSchema, place: string, given: unknown, remedy: string): Error {
  const option = `stores.${place}`
  const value = show(given)
  return storeError('INVALID_OPTION', `in the model of '${name}', ${option} cannot be ${value}. ${remedy}`, { option, value })
}
