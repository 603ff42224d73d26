import { existsSync, readdirSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { project } from './command.js'
import { rowsOf, sorted, withEverything } from './stored.js'
import { hasTerminal, inTerminal, lastScreen, plainText } from './terminal.js'

const { rowkey, write, path, folder } = project(withEverything)
const count = 15_000
const rows = rowsOf(count)
write('rows.ndjson', rows)
const escape = '\x1b'
if (!hasTerminal) console.log('skipped: pseudo-terminals, because there is no python3 with pty')

beforeAll(async () => {
  expect((await rowkey(['import', 'everything', 'rows.ndjson', '--create', '--url', 'lmdb:data'])).code).toBe(0)
}, 300_000)

const exporting = ['export', 'everything', '--url', 'lmdb:data', '--output', 'all.ndjson']
const importing = ['import', 'everything', 'rows.ndjson', '--create', '--url', 'lmdb:imported']
const copying = ['copy', 'everything', '--url', 'lmdb:data', '--to', 'lmdb:copied', '--create']

test.skipIf(!hasTerminal).each([
  { args: exporting, shown: 'rows exported', summary: /^all\.ndjson: 15000 rows\n$/ },
  { args: importing, shown: 'lines imported', summary: /^15000 rows written to 'everything'\n$/ },
  { args: copying, shown: 'rows copied', summary: /^15000 rows copied, digest [0-9a-f]{32}\n$/ },
  { args: ['count', 'everything', '--url', 'lmdb:data'], shown: 'rows counted', summary: /^15000\n$/ },
])('$args.0 in a terminal shows how far it is, and only its summary stays', ({ args, shown, summary }) => {
  const { code, screen } = inTerminal(folder, args, { env: { NO_COLOR: '1' } })
  const counts = [...plainText(screen).matchAll(new RegExp(`(\\d+) ${shown}`, 'g'))].map(([, digits]) => Number(digits))
  expect(counts.length).toBeGreaterThan(1)
  expect(counts).toEqual(counts.toSorted((a, b) => a - b))
  expect(Math.max(...counts)).toBeGreaterThan(0)
  expect(lastScreen(screen)).toMatch(summary)
  // No colour, and what was switched off for the line is on again.
  // eslint-disable-next-line no-control-regex
  expect(screen).not.toMatch(/\x1b\[[\d;]*m/)
  for (const mode of ['7', '25']) expect(modes(screen, mode)).toMatch(/^(?:l+h)*$/)
  expect(code).toBe(0)
})

/** What was switched on (h) and off (l), in order: 7 is the wrapping of lines, 25 the cursor. */
const modes = (screen: string, mode: string): string =>
  [...screen.matchAll(new RegExp(`\\x1b\\[\\?${mode}([hl])`, 'g'))].map(([, letter]) => letter).join('')

test.skipIf(!hasTerminal)('rows that an export shows in a terminal have no line of progress between them', () => {
  const { code, screen } = inTerminal(folder, ['export', 'everything', 'host = web-3', '--url', 'lmdb:data'])
  expect(screen).not.toContain(escape)
  expect(sorted(screen)).toEqual(sorted(rows).filter((row) => (row as { host: string }).host === 'web-3'))
  expect(code).toBe(0)
})

test('in a pipe there is no line that changes', async () => {
  const [output, input] = [await rowkey(exporting), await rowkey([...importing.slice(0, -1), 'lmdb:piped'])]
  for (const { code, stdout, stderr } of [output, input]) {
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toMatch(/^(?:\d+ (?:rows exported|lines imported)\n)*(?:all\.ndjson: 15000 rows|15000 rows written to 'everything')\n$/)
  }
})

test.skipIf(!hasTerminal).each([
  { args: [...exporting.slice(0, -1), 'stopped.ndjson'], shown: ' rows exported', last: 'rowkey: interrupted. Nothing has been written.' },
  {
    args: [...exporting.slice(0, -1), 'later.ndjson', '--checkpoint', 'later.json'],
    shown: ' rows exported',
    last: 'Run the same command again: later.json says where it goes on.',
  },
  {
    args: [...importing.slice(0, -1), 'lmdb:stopped'],
    shown: ' lines imported',
    last: 'Run the same command again: rows that are written twice are the same.',
  },
  { args: [...copying.slice(0, 5), 'lmdb:half', '--create'], shown: ' rows copied', last: 'Run it again with --overwrite.' },
])('Ctrl-C in a terminal ends $args.0 with one line, and leaves the terminal as it was: %#', ({ args, shown, last }) => {
  // Not the 0 with which it begins.
  const { code, screen } = inTerminal(folder, args, { typed: { after: `[1-9][0-9]*${shown}`, keys: '\x03' } })
  expect(screen).toContain('^C')
  expect(lastScreen(screen)).toMatch(/^rowkey: interrupted\b.*\n$/)
  expect(lastScreen(screen)).toContain(last)
  for (const mode of ['7', '25']) expect(modes(screen, mode)).toMatch(/^(?:l+h)*$/)
  expect(code).toBe(130)
  expect(readdirSync(folder).filter((name) => name.includes('stopped.ndjson'))).toEqual([])
  expect(existsSync(path('.later.ndjson.part'))).toBe(existsSync(path('later.json')))
})
