import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { project } from './command.js'
import { interrupted, rowsOf, sorted, withEverything } from './stored.js'

const shop = project(withEverything)
const { rowkey, write, path, folder } = shop
const count = 15_000
const rows = rowsOf(count)
write('rows.ndjson', rows)
const at = ['--url', 'lmdb:data'] as const
let whole = ''

beforeAll(() => {
  expect(rowkey(['import', 'everything', 'rows.ndjson', '--create', ...at]).code).toBe(0)
  whole = rowkey(['export', 'everything', ...at]).stdout
  expect(sorted(whole).length).toBe(count)
}, 300_000)

test.each(['SIGINT', 'SIGKILL'] as const)(
  'an import that %s ends goes on where its checkpoint says, and all rows are there',
  async (signal) => {
    const args = ['import', 'everything', 'rows.ndjson', '--create', '--url', `lmdb:${signal}`, '--checkpoint', `${signal}.json`]
    const { code, stderr } = await interrupted(shop, args, `${signal}.json`, signal)
    expect(code).toBe(signal === 'SIGINT' ? 130 : null)
    if (signal === 'SIGINT') expect(stderr).toMatch(/^rowkey: interrupted after \d+ lines\. Run the same command again: SIGINT\.json says/m)
    const { state } = JSON.parse(readFileSync(path(`${signal}.json`), 'utf8')) as { readonly state: { readonly lines: number } }
    expect(state.lines).toBeGreaterThan(0)
    expect(state.lines).toBeLessThan(count)
    // What it says is certainly written, and at most one window more.
    const before = Number(rowkey(['count', 'everything', '--url', `lmdb:${signal}`]).stdout)
    expect(before).toBeGreaterThanOrEqual(state.lines)
    expect(before).toBeLessThanOrEqual(state.lines + 1000)
    const again = rowkey(args)
    expect(again.code).toBe(0)
    expect(again.stderr).toContain(`${count - state.lines} rows written`)
    expect(existsSync(path(`${signal}.json`))).toBe(false)
    expect(rowkey(['export', 'everything', '--url', `lmdb:${signal}`]).stdout).toBe(whole)
  },
)

test.each(['SIGINT', 'SIGKILL'] as const)(
  'an export that %s ends goes on where its checkpoint says, and the file is the same',
  async (signal) => {
    const file = `${signal}.ndjson`
    const args = ['export', 'everything', ...at, '--output', file, '--checkpoint', `x${signal}.json`]
    const { code, stderr } = await interrupted(shop, args, `x${signal}.json`, signal)
    expect(code).toBe(signal === 'SIGINT' ? 130 : null)
    if (signal === 'SIGINT') expect(stderr).toContain('xSIGINT.json says where it goes on')
    expect(existsSync(path(file))).toBe(false)
    const other = rowkey(['export', 'everything', 'host = web-1', ...args.slice(2)])
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('another conditions') as string })
    // What came after the checkpoint may be half a line, or rows that have been deleted since.
    const part = path(`.${file}.part`)
    writeFileSync(part, `${readFileSync(part, 'utf8')}{"host":"ha${'x'.repeat(whole.length)}`)
    expect(rowkey(args)).toMatchObject({ code: 0, stderr: `${file}: ${count} rows\n` })
    expect(readFileSync(path(file), 'utf8')).toBe(whole)
    expect(readdirSync(folder).filter((name) => name.endsWith('.part') || name === `x${signal}.json`)).toEqual([])
  },
)

test('an export without a checkpoint that is interrupted leaves nothing', async () => {
  const { code, stderr } = await interrupted(
    shop,
    ['export', 'everything', ...at, '--output', 'gone.ndjson'],
    '.gone.ndjson.part',
    'SIGINT',
  )
  expect({ code, stderr }).toEqual({ code: 130, stderr: 'rowkey: interrupted. Nothing has been written.\n' })
  expect(readdirSync(folder).filter((name) => name.includes('gone'))).toEqual([])
})

test('a copy that is killed goes on where its checkpoint says', async () => {
  const args = ['copy', 'everything', ...at, '--to', 'lmdb:copied', '--create', '--checkpoint', 'copy.json']
  expect((await interrupted(shop, args, 'copy.json', 'SIGKILL')).code).toBe(null)
  expect(rowkey(args).stderr).toMatch(/^15000 rows copied, digest /m)
  expect(rowkey(['export', 'everything', '--url', 'lmdb:copied']).stdout).toBe(whole)
})

test('a checkpoint of other lines, of another command or that is none is refused', async () => {
  const args = ['import', 'everything', 'rows.ndjson', '--create', '--url', 'lmdb:changed', '--checkpoint', 'changed.json']
  await interrupted(shop, args, 'changed.json', 'SIGKILL')
  write('rows.ndjson', rows.split('\n').toReversed().join('\n'))
  expect(rowkey(args)).toMatchObject({ code: 2, stderr: expect.stringContaining('its lines have changed') as string })
  expect(rowkey(['export', 'everything', ...at, '--output', 'y', '--checkpoint', 'changed.json']).stderr).toContain(
    'checkpoint of another command',
  )
  write('none.json', '{"rowkey":')
  expect(rowkey(['export', 'everything', ...at, '--output', 'y', '--checkpoint', 'none.json']).stderr).toContain('no checkpoint of rowkey')
})
