import type { TableSchema } from '#model'
import type { Capabilities, Hints, StoreDescription } from '../contract/description.js'
import { isPlainObject, show, showName } from '#codec/internal'
import { storeError } from '../errors.js'
import { refuseLongDefaults } from './limits.js'

/** What a store accepts of a model. */
type Accepting = Pick<StoreDescription, 'name' | 'hints' | 'names'> & { readonly capabilities?: Pick<Capabilities, 'keyOrder' | 'limits'> }

/**
 * Refuses a model whose hints, names or defaults the store does not accept. The core calls it before an adapter sees a model; only `ddl()`
 * of a store's description, which needs no core, calls it as well.
 *
 * @throws RowkeyError `INVALID_OPTION` for an unknown hint, or one with an invalid value; `NOT_SUPPORTED` for a hint that is lacking, or a name;
 * `LIMIT_EXCEEDED` for a constant default that no row can have
 * @example
 * ```ts
 * checkForStore({ name: 'tiny', names: { table: { fits: (name) => name.length <= 8, wants: 'up to 8 characters' } } }, Events)
 * ```
 */
export function checkForStore(adapter: Accepting, schema: TableSchema): void {
  refuseLacking(adapter, schema)
  const { name: store, names: { table, column } = {} } = adapter
  const { name, columns } = schema
  refuseSplit(adapter, schema)
  refuseLongDefaults(schema, adapter.capabilities?.limits)
  if (table?.fits(name) === false) {
    const message = `${store} does not accept the table name '${name}': it accepts ${table.wants}. Give the table another name, or the mapper another prefix.`
    throw storeError('NOT_SUPPORTED', message, { table: name, capability: `name '${name}'`, adapter: store })
  }
  for (const { name: property, physical, role } of columns) {
    if (role === 'expiry' || role === 'version' || column?.fits(physical) !== false) continue
    const named = property === physical ? `column name '${physical}'` : `name '${physical}' of column '${property}'`
    const message = `${store} does not accept the ${named} of '${name}': it accepts ${column.wants}. Give the column another one with { name }.`
    throw storeError('NOT_SUPPORTED', message, { table: name, capability: `name '${physical}'`, adapter: store })
  }
}

/** Refuses a model without a hint that the store needs of it. */
function refuseLacking(adapter: Accepting, schema: TableSchema): void {
  const given = hintsOf(adapter, schema)
  const { name: store, hints = {} } = adapter
  for (const [hint, { lacking }] of Object.entries(hints)) {
    const message = given[hint] === undefined ? lacking?.(schema) : undefined
    if (message === undefined) continue
    throw storeError('NOT_SUPPORTED', message, { table: schema.name, capability: `tables without stores.${store}.${hint}`, adapter: store })
  }
}

/** Refuses a key whose order a store that orders rows column by column does not have. */
function refuseSplit({ name: adapter, capabilities }: Accepting, { name, columns, layout }: TableSchema): void {
  const split = layout.splitColumn === undefined ? undefined : columns[layout.splitColumn]
  if (split === undefined || capabilities?.keyOrder !== 'columns') return
  const message =
    `${adapter} orders rows column by column, and column '${showName(split.name)}' of '${name}' has { split: 'last' }, so only the bytes of the ` +
    `key have an order. Use separatedText() without { split }, or text().`
  throw storeError('NOT_SUPPORTED', message, { table: name, capability: 'keys in the order of their bytes', adapter })
}

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
export function hintsOf(adapter: Accepting, schema: TableSchema): Readonly<Record<string, unknown>> {
  const { name, hints: known = {} } = adapter
  const given = schema.stores[name] ?? {}
  if (!isPlainObject(given)) throw refused(schema, name, given, 'Give an object.')
  for (const [hint, value] of Object.entries(given)) {
    const rule = Object.hasOwn(known, hint) ? known[hint] : undefined
    if (rule === undefined) throw refused(schema, `${name}.${hint}`, value, knownHints(name, known))
    if (rule.fits(value, schema)) continue
    if (typeof rule.wants === 'string') throw refused(schema, `${name}.${hint}`, value, `Give ${rule.wants}.`)
    const problem = isPlainObject(value) ? 'has a part that does not fit' : undefined
    throw refused(schema, `${name}.${hint}`, value, `Give ${rule.wants(value, schema)}.`, problem)
  }
  return given
}

function knownHints(adapter: string, known: Hints): string {
  const names = Object.keys(known).map((name) => `'${name}'`)
  if (names.length === 0) return `${adapter} has no hints. Leave it out.`
  return `${adapter} only knows ${names.join(' and ')}.`
}

function refused({ name }: TableSchema, place: string, given: unknown, remedy: string, problem = `cannot be ${show(given)}`): Error {
  const option = `stores.${showName(place)}`
  return storeError('INVALID_OPTION', `in the model of '${name}', ${option} ${problem}. ${remedy}`, { option, value: show(given) })
}
