// Tested by schema-code.test.ts and packages/cli/test/lint.test.ts.
import { schemaOf, type Model } from 'rowkey'
import { durationText, saltCode, typeCode, typeFacts, type SchemaColumn } from 'rowkey/internal'
import { dataCode, indexCode, plain, quoted } from './index-code.js'
import { checkName, constantName } from './schema-code.js'

/**
 * A model as a decorated class in TypeScript. What is not data, such as checks of rows, methods and parents, is not in it.
 *
 * @param name of the class; by default the table's name in camel case with a capital
 * @throws RowkeyError `INVALID_OPTION` for a name that is no text
 * @example
 * ```ts
 * classCode(Events).split('\n').at(3) //=> 'export class Events {'
 * ```
 */
export function classCode(model: Model, name?: string): string {
  checkName('classCode()', 'class', name)
  const schema = schemaOf(model)
  const { columns, partitionLength, keyLength, salt, writes, stores, retired, indexes, ttl, expiryIndex } = schema
  const options = [
    ...(writes === 'conditional' ? [] : [`writes: ${quoted(writes)}`]),
    ...(Object.keys(stores).length === 0 ? [] : [`stores: ${dataCode(stores)}`]),
    ...(retired.length === 0 ? [] : [`retired: ${dataCode(retired)}`]),
  ]
  const ofClass = [
    `@Table(${quoted(schema.name)}${options.length === 0 ? '' : `, { ${options.join(', ')} }`})`,
    ...salt.map((level) => saltCode(level).replace(/^\w/, (first) => `@${first.toUpperCase()}`)),
    ...(expiryIndex < 0 ? [] : [`@Ttl(${quoted(ttl === undefined ? 'never' : durationText(ttl))})`]),
    ...indexes.map(({ name: index, definition }) => `@Index(${quoted(index)}, ${indexCode(definition)})`),
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
  return [
    `import { ${[...imports].sort().join(', ')} } from 'rowkey'`,
    '',
    ...ofClass,
    `export class ${name ?? constantName(schema.name)} {`,
    ...fields,
    '}',
    '',
  ].join('\n')
}

function fieldOf({ name, role, type }: SchemaColumn, at: number, partitionLength: number, keyLength: number): string {
  const field = plain(name)
  if (role === 'version') return `@Version() ${field}!: string`
  const decorator =
    at < partitionLength ? `PartitionKey(${at + 1}, ` : at < keyLength ? `KeyColumn(${at - partitionLength + 1}, ` : 'Column('
  const { jsType } = typeFacts(type)
  return `@${decorator}${typeCode(type)}) ${field}!: ${jsType ?? 'unknown'}${type.nullable ? ' | null' : ''}`
}
