import type { TableSchema, Value } from 'rowkey'
import { toHex } from 'rowkey'

const widest = 30 // characters of hex: 15 bytes

/** A rowkey as hex with its columns marked below: what stands where, and what it says. */
export function byteRuler(schema: TableSchema, rowkey: Uint8Array): string {
  const row: Value[] = []
  schema.layout.decode(rowkey, row)
  const salt = schema.layout.partition(schema.layout.bucketOf(row), row)
  const parts = schema.columns.slice(0, schema.keyLength).map(({ name, type }, i) => ({
    hex: toHex(schema.layout.column(i).encode(row[i] ?? null)),
    label: `${name}${type.desc ? ' desc' : ''} ${valueText(type, row[i] ?? null)}`,
  }))
  if (salt.length > 0) parts.unshift({ hex: toHex(salt), label: 'bucket' })
  const shown = parts.map(({ hex, label }) => {
    const bytes = hex.length > widest ? `${hex.slice(0, widest - 1)}…` : hex
    const mark = `└ ${label}`.length > widest ? `${`└ ${label}`.slice(0, widest - 1)}…` : `└ ${label}`
    const width = Math.max(bytes.length, mark.length)
    return { bytes: bytes.padEnd(width), mark: mark.padEnd(width) }
  })
  return `${shown
    .map(({ bytes }) => bytes)
    .join('  ')
    .trimEnd()}\n${shown
    .map(({ mark }) => mark)
    .join('  ')
    .trimEnd()}`
}

function valueText({ kind }: { readonly kind: string }, value: Value): string {
  if (kind === 'timestamp') return new Date(Number(value)).toISOString()
  return typeof value === 'string' ? value : String(value)
}
