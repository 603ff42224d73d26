import { expect, test } from 'vitest'
import stringWidth from 'string-width'
import { project, withTables } from './command.js'
import { hasTerminal, inTerminal, plainText } from './terminal.js'

const { rowkey, folder } = project(withTables)
const escape = '\x1b['
if (!hasTerminal) console.log('skipped: pseudo-terminals, because there is no python3 with pty')

test('in a pipe there is no colour, unless FORCE_COLOR asks for it', async () => {
  expect((await rowkey(['layout'])).stdout).not.toContain(escape)
  const { stdout } = await rowkey(['layout'], { env: { FORCE_COLOR: '1' } })
  expect(stdout).toContain(escape)
  expect(plainText(stdout)).toBe((await rowkey(['layout'])).stdout)
  expect((await rowkey(['layout', '--json'], { env: { FORCE_COLOR: '1' } })).stdout).not.toContain(escape)
})

test.skipIf(!hasTerminal)('in a terminal there is colour, unless NO_COLOR is set', async () => {
  const { code, screen } = inTerminal(folder, ['layout'])
  expect(code).toBe(0)
  expect(screen).toContain(escape)
  expect(plainText(screen)).toBe((await rowkey(['layout'])).stdout)
  expect(inTerminal(folder, ['layout'], { env: { NO_COLOR: '1' } }).screen).not.toContain(escape)
})

test.skipIf(!hasTerminal).each([40, 60, 80, 132])(
  'a terminal of %d columns is not left, except by code and by words that are longer',
  (columns) => {
    const queries = [
      ['layout'],
      ['explain', 'logs', "host like 'web%'", '--store', 'cassandra'],
      ['decode', '0c7765622d3100007ffffe64892557ff', '--parts'],
    ]
    for (const args of queries) {
      const { screen } = inTerminal(folder, args, { columns })
      const wide = plainText(screen)
        .split('\n')
        .filter((line) => stringWidth(line) > columns)
      // A table of columns cannot be narrower than its own words.
      expect(wide.filter((line) => columns >= 60 && !/\S{30}/.test(line))).toEqual([])
      expect(screen.length).toBeGreaterThan(100)
    }
  },
)

test.skipIf(!hasTerminal)('decode without keys says what to do instead of waiting for the keyboard', () => {
  const { code, screen } = inTerminal(folder, ['decode', 'logs'])
  expect(screen).toBe('rowkey: give rowkeys as arguments, or pipe them in, one a line. The tables are: logs, orders, events.\n')
  expect(code).toBe(2)
})

test.skipIf(!hasTerminal)('JSON is indented for a person and on one line for a program', async () => {
  expect(inTerminal(folder, ['encode', 'logs', 'host=a', 'at=0', '--json']).screen).toContain('\n  "rowkey": 1,\n')
  expect((await rowkey(['encode', 'logs', 'host=a', 'at=0', '--json'])).stdout.trim().split('\n').length).toBe(1)
})
