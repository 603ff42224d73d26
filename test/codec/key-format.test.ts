import * as codec from '@rowkey/codec'
import { keyLayout, toHex, type ColumnType, type KeyLayout } from '@rowkey/codec'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

// The formatter pads cells.
const page = readFileSync(new URL('../../docs/spec/key-format.md', import.meta.url), 'utf8').replaceAll(/ +\|/g, ' |')

/** The rows below a table's header, cells without backticks. */
function rowsOf(header: string): string[][] {
  const start = page.indexOf(`\n${header}\n`)
  if (start < 0) throw new Error(`the page has no table '${header}'`)
  const lines = page
    .slice(start + 1)
    .split('\n')
    .slice(2)
  const end = lines.findIndex((line) => !line.startsWith('|'))
  return lines.slice(0, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  )
}

function valueOf(expression: string): unknown {
  const evaluate = new Function(...Object.keys(codec), `'use strict'; return (${expression})`) as (...names: unknown[]) => unknown
  return evaluate(...Object.values(codec))
}
const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))

const types = rowsOf('| type | value | hex |')
const keys = rowsOf('| layout | key | hex |')
const bounds = rowsOf('| layout | prefix | edge | bucket | hex |')

describe('KEY-6 KEY-7 KEY-8 KEY-9 KEY-10 KEY-11 KEY-12 KEY-13 KEY-14 KEY-15 KEY-16 KEY-17 KEY-18 KEY-19: the vectors of one column', () => {
  test.each(types)('%s of %s is %s', (type, value, hex) => {
    const layout = keyLayout([['c', valueOf(type) as ColumnType]])
    const given = valueOf(value)
    expect(toHex(layout.encode({ c: given }))).toBe(hex)
    expect(layout.decode(bytesOf(hex))).toEqual({ c: Object.is(given, -0) ? 0 : given })
  })

  test('show every key type, in both directions', () => {
    const shown = types.map(([type]) => valueOf(type as string) as ColumnType)
    const values = [
      'text',
      'bytes',
      'fixedBytes',
      'bool',
      'uuid',
      'ulid',
      'decimal',
      'timestamp',
      'date',
      'float32',
      'float64',
      'paddedText',
      'separatedText',
      'reversed',
      'dictionary',
    ]
    const integers = ['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64']
    expect(new Set(shown.map(({ kind }) => kind))).toEqual(new Set([...values, ...integers]))
    expect(new Set(shown.filter((type) => type.desc).map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(values.length)
  })
})

describe('KEY-1 KEY-21 KEY-22 KEY-23 KEY-24 KEY-25 KEY-35: the vectors of whole keys', () => {
  test.each(keys)('%s of %s', (expression, key, hex) => {
    const layout = valueOf(expression) as KeyLayout
    expect(toHex(layout.encode(valueOf(key) as Record<string, unknown>))).toBe(hex)
    expect(layout.decode(bytesOf(hex))).toEqual(valueOf(key))
  })
})

describe('KEY-26 KEY-27: the vectors of bounds', () => {
  test.each(bounds)('%s: %s %s, bucket %s', (expression, prefix, edge, bucket, hex) => {
    const layout = valueOf(expression) as KeyLayout
    const bytes = layout.bound(valueOf(prefix) as Record<string, unknown>, edge as 'before', bucket === 'own' ? undefined : Number(bucket))
    expect(bytes === null ? 'null' : toHex(bytes)).toBe(hex === 'empty' ? '' : hex)
  })
})

test('KEY-32: text has no limit of its own', () => {
  const layout = keyLayout([
    ['a', codec.text()],
    ['b', codec.bytes()],
  ])
  const key = { a: '\0é'.repeat(50_000), b: new Uint8Array(100_000) }
  expect(layout.decode(layout.encode(key))).toEqual(key)
})
