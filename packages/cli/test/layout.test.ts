import {
  bytes,
  type ColumnType,
  desc,
  dictionary,
  int32,
  lastText,
  nullable,
  paddedText,
  reversed,
  separatedText,
  text,
  ulid,
  uuid,
} from 'rowkey/codec'
import { defineTable } from 'rowkey'
import { expect, test } from 'vitest'
import stringWidth from 'string-width'
import { describeLayout } from '../src/layout/describe-layout.js'
import { endMarker } from '../src/layout/end-marker.js'
import { ruler } from '../src/layout/ruler.js'
import { project, withTables } from './command.js'

const { rowkey } = project(withTables)

test('a table is shown with its ruler, its columns and an example', async () => {
  const { code, stdout, stderr } = await rowkey(['layout', 'logs'])
  expect(stdout).toBe(`logs: keys of 11 bytes or more, 16 buckets

0      1               3+                11+
├──────┼┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┼─────────────────┤
│ salt │ host          │ at              │
└──────┴┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┴─────────────────┘

offset  bytes   column  order  end    type
0       1       salt                  bucket(host; count 16)
1       varies  host    asc    00 00  text
3+      8       at      desc          timestamp('ms')

example  host=web-1 at=2026-01-01T00:00:00.000Z
hex      0c 7765622d310000 7ffffe64892557ff
escaped  \\x0Cweb-1\\x00\\x00\\x7F\\xFF\\xFEd\\x89%W\\xFF
`)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

test('all tables are shown without a name', async () => {
  expect((await rowkey(['layout'])).stdout.match(/^\w+(?=: keys)/gm)).toEqual(['logs', 'orders', 'events'])
})

test('no line is wider than 80 columns, and the example is its own key', async () => {
  const { stdout } = await rowkey(['layout'])
  expect(stdout.split('\n').filter((line) => stringWidth(line) > 80)).toEqual([])
  const { layouts } = JSON.parse((await rowkey(['layout', '--json'])).stdout) as {
    layouts: { table: string; example: { hex: string; line: string } }[]
  }
  expect(layouts.length).toBe(3)
  for (const { table, example } of layouts) expect((await rowkey(['decode', table, example.hex])).stdout).toBe(`${example.line}\n`)
})

test('JSON has an envelope with its version, and the parts side by side are the example', async () => {
  const { rowkey: version, layouts } = JSON.parse((await rowkey(['layout', 'orders', '--json'])).stdout) as {
    rowkey: number
    layouts: { parts: { name: string; role: string; width: number | null; hex: string }[]; example: { hex: string } }[]
  }
  expect(version).toBe(1)
  expect(layouts[0]?.parts.map(({ name, role, width }) => [name, role, width])).toEqual([
    ['buyer', 'partition', 16],
    ['day', 'key', 4],
    ['no', 'key', null],
  ])
  expect(layouts[0]?.parts.map(({ hex }) => hex).join('')).toBe(layouts[0]?.example.hex)
})

test.each<[string, ColumnType, string]>([
  ['text', text(), '0000'],
  ['descending text', desc(text()), 'ffff'],
  ['bytes', bytes(), '0000'],
  ['reversed text', reversed(text()), '0000'],
  ['reversed integers', reversed(int32()), '0000'],
  ['separated text', separatedText('|'), '7c'],
  ['nullable text', nullable(text()), '0000'],
  ['padded text', paddedText(8, { pad: ' ' }), ''],
  ['text at the end of a key', lastText(), ''],
  ['codes', dictionary({ new: 'a', paid: 'bb' }), ''],
  ['a fixed width', uuid(), ''],
])('the end of %s', (_, type, end) => {
  expect(endMarker(type)).toBe(end)
})

test('a picture is as wide as there is room, cuts names, and is left out if there are too many parts', () => {
  const columns = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`column_with_a_long_name_${at}`, ulid()]))
  const description = describeLayout(defineTable('wide', { columns, key: Object.keys(columns) as never }))
  const plain = (part: string): string => part
  for (const width of [60, 80, 120, 400]) {
    const lines = ruler(description, width, plain)
    expect(lines.length).toBe(4)
    expect(new Set(lines.slice(1).map((line) => stringWidth(line))).size).toBe(1)
    expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(width)
  }
  expect(ruler(description, 40, plain)).toEqual([])
})
