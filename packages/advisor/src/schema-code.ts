import { durationText, typeCode } from 'rowkey/internal'
import { schemaOf, type Model } from 'rowkey'
import { fitting } from './forms.js'
import { dataCode, indexCode, plain, quoted, saltsCode } from './index-code.js'

/** @throws RowkeyError `INVALID_OPTION` for a name that is no text */
export function checkName(of: 'schemaCode()' | 'classCode()', what: 'constant' | 'class', name: string | undefined): void {
  const form = fitting((given) => typeof given === 'string' && given !== '', `the name of the ${what}, a text`)
  if (name !== undefined) form(name, { of, path: ['name'] })
}

/**
 * A model as TypeScript that declares its table: imports, and one `defineTable()`. What is not data, such as checks of rows, is not in it.
 *
 * @param name of the constant; by default the table's name in camel case with a capital
 * @throws RowkeyError `INVALID_OPTION` for a name that is no text
 * @example
 * ```ts
 * schemaCode(applyFix(Events, advise(Events).findings[0])).split('\n').at(-3) //=> "  salt: bucket({ of: 'host', count: 16 }),"
 * ```
 */
export function schemaCode(model: Model, name?: string): string {
  checkName('schemaCode()', 'constant', name)
  const schema = schemaOf(model)
  const { columns, partitionLength, keyLength, salt, writes, stores, retired, indexes, ttl, expiryIndex } = schema
  const own = columns.filter(({ role }) => role !== 'expiry' && role !== 'version')
  const types = own.map((column) => [column.name, typeCode(column.type)] as const)
  const salts = salt.length === 0 ? '' : saltsCode(salt)
  const declared = indexes.map(({ name: index, definition }) => [index, indexCode(definition)] as const)
  const names = (from: number, to: number): string =>
    `[${columns
      .slice(from, to)
      .map((column) => quoted(column.name))
      .join(', ')}]`
  const version = columns.find(({ role }) => role === 'version')
  const lines = [
    'columns: {',
    ...types.map(([column, code]) => `  ${plain(column)}: ${code},`),
    '},',
    ...(partitionLength === 0 ? [] : [`partition: ${names(0, partitionLength)},`]),
    `key: ${names(partitionLength, keyLength)},`,
    ...(salts === '' ? [] : [`salt: ${salts},`]),
    ...(writes === 'conditional' ? [] : [`writes: ${quoted(writes)},`]),
    ...(expiryIndex < 0 ? [] : [`ttl: ${quoted(ttl === undefined ? 'never' : durationText(ttl))},`]),
    ...(version === undefined ? [] : [`version: ${quoted(version.name)},`]),
    ...(Object.keys(stores).length === 0 ? [] : [`stores: ${dataCode(stores)},`]),
    ...(retired.length === 0 ? [] : [`retired: [${retired.map(quoted).join(', ')}],`]),
    ...(declared.length === 0 ? [] : ['indexes: {', ...declared.map(([index, code]) => `  ${plain(index)}: ${code},`), '},']),
  ]
  const code = [...types.map(([, each]) => each), salts, ...declared.map(([, each]) => each)].join(' ')
  const imports = [
    ...new Set(['defineTable', ...[...code.replaceAll(/'(?:[^'\\]|\\.)*'/g, '').matchAll(/(\w+)\(/g)].map(([, used = '']) => used)]),
  ]
  const used = imports.filter((each) => each !== 'Date' && each !== 'of').sort()
  return [
    `import { ${used.join(', ')} } from 'rowkey'`,
    '',
    `export const ${name ?? constantName(schema.name)} = defineTable(${quoted(schema.name)}, {`,
    ...lines.map((line) => `  ${line}`),
    '})',
    '',
  ].join('\n')
}

/** The name of what is declared for a table, if nobody gives one. */
export const constantName = (table: string): string =>
  table
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
    .replace(/^(?=\d|$)/, 'Table')
