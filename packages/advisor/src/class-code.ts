// Tested by lint.test.ts.
import type { TableSchema } from 'rowkey'
import { durationText, saltCode, typeCode, typeFacts, type SchemaColumn } from 'rowkey/internal'

/**
 * A model as a decorated class in TypeScript. What is not data, such as checks of rows, methods and parents, is not in it.
 *
 * @param name of the class
 */
export function classCode(schema: TableSchema, name: string): string {
  const { columns, partitionLength, keyLength, salt, writes, stores, retired, indexes, ttl, expiryIndex } = schema
  const options = [
    ...(writes === 'conditional' ? [] : [`writes: ${literal(writes)}`]),
    ...(Object.keys(stores).length === 0 ? [] : [`stores: ${literal(stores)}`]),
    ...(retired.length === 0 ? [] : [`retired: ${literal(retired)}`]),
  ]
  const ofClass = [
    `@Table(${literal(schema.name)}${options.length === 0 ? '' : `, { ${options.join(', ')} }`})`,
    ...salt.map((level) => saltCode(level).replace(/^\w/, (first) => `@${first.toUpperCase()}`)),
    ...(expiryIndex < 0 ? [] : [`@Ttl(${literal(ttl === undefined ? 'never' : durationText(ttl))})`]),
    ...indexes.map(({ name: index, definition }) => `@Index(${literal(index)}, ${indexCode(definition)})`),
  ]
  const fields = columns.flatMap((column, at) => (column.role === 'expiry' ? [] : [`  ${fieldOf(column, at, partitionLength, keyLength)}`]))
  const imports = new Set(
    [
      ...[...ofClass, ...fields]
        .join(' ')
        .replaceAll(/'(?:[^'\\]|\\.)*'/g, '')
        .matchAll(/(?<![\w.])(\w+)\(/g),
    ].map(([, used = '']) => used),
  )
  return [`import { ${[...imports].sort().join(', ')} } from 'rowkey'`, '', ...ofClass, `export class ${name} {`, ...fields, '}', ''].join(
    '\n',
  )
}

function fieldOf({ name, role, type }: SchemaColumn, at: number, partitionLength: number, keyLength: number): string {
  const field = /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name)
  if (role === 'version') return `@Version() ${field}!: string`
  const decorator =
    at < partitionLength ? `PartitionKey(${at + 1}, ` : at < keyLength ? `KeyColumn(${at - partitionLength + 1}, ` : 'Column('
  const { jsType } = typeFacts(type)
  return `@${decorator}${typeCode(type)}) ${field}!: ${jsType ?? 'unknown'}${type.nullable ? ' | null' : ''}`
}

/** Data of a model is JSON, and in code it has single quotes. */
const literal = (data: unknown): string =>
  typeof data === 'string'
    ? `'${JSON.stringify(data)
        .slice(1, -1)
        .replaceAll('\\"', '"')
        .replaceAll("'", String.raw`\'`)}'`
    : Array.isArray(data)
      ? `[${data.map(literal).join(', ')}]`
      : typeof data === 'object' && data !== null
        ? `{ ${Object.entries(data)
            .map(([name, value]) => `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name)}: ${literal(value)}`)
            .join(', ')} }`
        : String(data)

function indexCode({ salt, partition, include = [], ...rest }: TableSchema['indexes'][number]['definition']): string {
  const levels = salt.map(saltCode)
  const parts = [
    ...(partition.length === 0 ? [] : [`partition: ${literal(partition)}`]),
    `key: ${literal(rest.key)}`,
    ...(levels.length === 0 ? [] : [`salt: ${levels.length === 1 ? levels.join() : `[${levels.join(', ')}]`}`]),
    ...(rest.unique === true ? ['unique: true'] : []),
    ...(include.length === 0 ? [] : [`include: ${literal(include)}`]),
    ...(Object.keys(rest.stores ?? {}).length === 0 ? [] : [`stores: ${literal(rest.stores)}`]),
  ]
  return `{ ${parts.join(', ')} }`
}
