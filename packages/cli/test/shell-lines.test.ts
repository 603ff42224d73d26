import { toHex } from 'rowkey/codec'
import { expect, test } from 'vitest'
import { readLine } from '../src/keys/shell-lines.js'

const first = (line: string): string | undefined => {
  const read = readLine(line)
  return read === 'nothing' || 'fault' in read || read.keys[0] === undefined ? undefined : toHex(read.keys[0].bytes)
}

test.each([
  '',
  '   ',
  '\r',
  'ROW                   COLUMN+CELL',
  ' ROW                  COLUMN+CELL',
  '2 row(s)',
  '1 row(s) in 0.0120 seconds',
  'Took 0.5010 seconds',
  'hbase:001:0> scan "logs"',
  'hbase(main):001:0> scan "logs"',
  '=> 2',
  '(empty array)',
  '(empty list or set)',
  '(integer) 3',
])('%j is around rows', (line) => {
  expect(readLine(line)).toBe('nothing')
})

test.each([
  [' web\\x00\\x00 column=f:line, timestamp=1, value=x', '7765620000'],
  [' web\\x00\\x00      column=f:line, timestamp=1, value=x column=f:y', '7765620000'],
  ['web\\x00 column=f:line, value=', '77656200'],
  [' a b column=f:line, value=', '612062'],
  ['1) "web\\x00\\"\\\\\\n\\r\\t\\a\\b"', '77656200225c0a0d090708'],
  ['   12) 1) "w"', '77'],
  ['"w"', '77'],
  ['7765\r', '7765'],
  ['  7765  ', '7765'],
])('%j is a row', (line, hex) => {
  expect(first(line)).toBe(hex)
})

test('spaces at the end of a row of HBase may be its own, and those of the column are tried too', () => {
  const read = readLine(' a   column=f:line, value=')
  expect(read === 'nothing' || 'fault' in read ? [] : read.keys.map(({ bytes }) => toHex(bytes))).toEqual(['61', '6120', '612020'])
})

test.each(['1) "\\q"', '1) "é"'])('%j is no key', (line) => {
  expect(first(line)).toBeUndefined()
})
