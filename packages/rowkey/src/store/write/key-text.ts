import type { Row } from '#codec'
import type { TableSchema } from '#model'
import { show, values } from '#codec/internal'

/** The key as an application sees it. Bytes are copies, because the row may already be in the store. */
export function keyObject(schema: TableSchema, row: Row): Readonly<Record<string, unknown>> {
  const entries = schema.columns.slice(0, schema.keyLength).map(({ name, type }, i) => {
    const value = row[i] ?? null
    return [name, value instanceof Uint8Array ? new Uint8Array(value) : values(type, name).fromValue(value)] as const
  })
  return Object.fromEntries(entries)
}

/** A key for a message. */
export function keyText(key: Readonly<Record<string, unknown>>): string {
  return Object.entries(key)
    .map(([name, value]) => `${name} ${show(value)}`)
    .join(', ')
}
