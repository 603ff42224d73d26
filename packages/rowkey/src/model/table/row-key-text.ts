import { definesFields } from '../decorators/instance.js'
import { otherFields } from './schema-of.js'
import type { TableSchema } from '../schema.js'

/**
 * The declaration of `[RowKey]` that tells the compiler all about a decorated class; undefined for a schema that no class made. Messages
 * contain it where the compiler could have found a mistake.
 *
 * @throws RowkeyError as `schemaOf`
 * @example
 * ```ts
 * rowKeyText(schemaOf(LogEvent)) //=> "declare [RowKey]?: { key: ['host', 'at']; value: 'note'; default: 'level' }"
 * ```
 */
export function rowKeyText({ class: model, columns, partitionLength, keyLength, versionIndex, writes }: TableSchema): string | undefined {
  if (model === undefined) return undefined
  const quoted = columns.map(({ name }) => inQuotes(name))
  const defaults = columns.filter(({ type }) => type.default !== undefined && !type.nullable).map(({ name }) => inQuotes(name))
  const values = columns
    .filter(({ role, name }) => role === 'value' && !defaults.includes(inQuotes(name)))
    .map(({ name }) => inQuotes(name))
  const periods = columns.flatMap(({ name, type }) => (type.of === undefined ? [] : [`${propertyName(name)}: ${inQuotes(type.of)}`]))
  const version = quoted[versionIndex]
  const parts = [
    partitionLength > 0 && `partition: [${quoted.slice(0, partitionLength).join(', ')}]`,
    `key: [${quoted.slice(partitionLength, keyLength).join(', ')}]`,
    periods.length > 0 && `period: { ${periods.join('; ')} }`,
    values.length > 0 && `value: ${values.join(' | ')}`,
    defaults.length > 0 && `default: ${defaults.join(' | ')}`,
    version !== undefined && `version: ${version}`,
    otherFields(model).size > 0 && `other: ${Array.from(otherFields(model), inQuotes).join(' | ')}`,
    writes === 'plain' && "writes: 'plain'",
  ]
  return `declare [RowKey]?: { ${parts.filter((part) => part !== false).join('; ')} }`
}

/**
 * Whether the program can see all fields of the class of a schema; if not, {@link rowKeyText} may lack some in `other`. The class is
 * constructed for that.
 */
export const seesFields = ({ class: model, columns, expiryIndex }: TableSchema): boolean =>
  model === undefined ||
  definesFields(
    model,
    columns.flatMap(({ name }, at) => (at === expiryIndex ? [] : [name])),
  )

const inQuotes = (name: string): string => `'${name.replaceAll(/['\\]/g, '\\$&')}'`
const propertyName = (name: string): string => (/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : inQuotes(name))
