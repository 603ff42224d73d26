// Tested by schema-code.test.ts.
import { saltCode, type IndexJSON } from 'rowkey/internal'

/** An index as the object that declares it: `{ partition: ['buyer'], key: ['at'] }`. */
export function indexCode({ partition, key, salt, unique, include = [], stores = {} }: IndexJSON): string {
  const parts = [
    ...(partition.length === 0 ? [] : [`partition: ${dataCode(partition)}`]),
    `key: ${dataCode(key)}`,
    ...(salt.length === 0 ? [] : [`salt: ${saltsCode(salt)}`]),
    ...(unique === true ? ['unique: true'] : []),
    ...(include.length === 0 ? [] : [`include: ${dataCode(include)}`]),
    ...(Object.keys(stores).length === 0 ? [] : [`stores: ${dataCode(stores)}`]),
  ]
  return `{ ${parts.join(', ')} }`
}

/** One salt, or a list. */
export function saltsCode(salt: IndexJSON['salt']): string {
  const codes = salt.map(saltCode)
  return codes.length === 1 ? codes.join() : `[${codes.join(', ')}]`
}

/** Plain data as a literal. */
export function dataCode(data: unknown): string {
  if (typeof data === 'string') return quoted(data)
  if (typeof data !== 'object' || data === null) return String(data)
  if (Array.isArray(data)) return `[${data.map(dataCode).join(', ')}]`
  return `{ ${Object.entries(data)
    .map(([name, value]) => `${plain(name)}: ${dataCode(value)}`)
    .join(', ')} }`
}

export const quoted = (text: string): string => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

/** A name as that of a field. */
export const plain = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name))
