import type { TableSchema, Value } from 'rowkey'
import { toHex } from 'rowkey'
import { columnsOf, cut, pad, visible } from './display.js'

const gap = '  '
const widest = 30 // characters of hex: 15 bytes

/** A rowkey as hex with its columns marked below: what stands where, and what it says. A long one goes on below. */
export function byteRuler(schema: TableSchema, rowkey: Uint8Array, width: number): string {
  const row: Value[] = []
  schema.layout.decode(rowkey, row)
  const salt = schema.layout.partition(schema.layout.bucketOf(row), row)
  const parts = schema.columns.slice(0, schema.keyLength).map(({ name, type }, i) => ({
    hex: toHex(schema.layout.column(i).encode(row[i] ?? null)),
    label: `${name}${type.desc ? ' desc' : ''} ${valueText(type, row[i] ?? null)}`,
  }))
  if (salt.length > 0) parts.unshift({ hex: toHex(salt), label: 'bucket' })
  const lines: { bytes: string; marks: string }[] = []
  for (const { hex, label } of parts) {
    const [bytes, mark] = [cut(hex, widest), cut(`└ ${label}`, widest)]
    const columns = Math.max(bytes.length, columnsOf(mark))
    const line = lines.at(-1)
    if (line === undefined || line.bytes.length + gap.length + columns > width)
      lines.push({ bytes: pad(bytes, columns), marks: pad(mark, columns) })
    else {
      line.bytes += `${gap}${pad(bytes, columns)}`
      line.marks += `${gap}${pad(mark, columns)}`
    }
  }
  return lines.map(({ bytes, marks }) => `${bytes.trimEnd()}\n${marks.trimEnd()}`).join('\n')
}

function valueText({ kind }: { readonly kind: string }, value: Value): string {
  if (kind === 'timestamp') return new Date(Number(value)).toISOString()
  if (value === '') return "''"
  return visible(String(value))
}
