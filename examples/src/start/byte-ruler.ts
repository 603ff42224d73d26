import type { ColumnType, TableSchema } from 'rowkey'
import { keyLayout } from 'rowkey/codec'
import { columnsOf, cut, pad, visible } from './display.js'

const gap = '  '
const widest = 30 // characters of hex: 15 bytes

/** A rowkey as hex with its columns marked below: what stands where, and what it says. A long one goes on below. */
export function byteRuler(schema: TableSchema, rowkey: Uint8Array, width: number): string {
  const key = schema.columns.slice(0, schema.keyLength)
  // A schema keeps the data of its column types, without what the compiler knew of them.
  const typed = key.map(({ name, type }) => [name, type as ColumnType] as const)
  const { parts } = keyLayout(typed, { salt: schema.salt }).inspect(rowkey)
  const descending = new Set(key.flatMap(({ name, type }) => (type.desc ? [name] : [])))
  const lines: { bytes: string; marks: string }[] = []
  for (const [i, { name, hex, value }] of parts.entries()) {
    const label = i < schema.salt.length ? 'bucket' : `${name}${descending.has(name) ? ' desc' : ''} ${valueText(value)}`
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

function valueText(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  if (value === '') return "''"
  return visible(String(value))
}
