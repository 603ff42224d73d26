import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { project, type started } from './command.js'
import { interrupted, rowsOf, sorted, stateIn, struck, withEverything, withoutProgress } from './stored.js'

const shop = project(withEverything)
const { rowkey, write, path, folder } = shop
const count = 15_000
const rows = rowsOf(count)
write('rows.ndjson', rows)
const at = ['--url', 'lmdb:data'] as const
let whole = ''

beforeAll(async () => {
  expect((await rowkey(['import', 'everything', 'rows.ndjson', '--create', ...at])).code).toBe(0)
  whole = (await rowkey(['export', 'everything', ...at])).stdout
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
    const before = Number((await rowkey(['count', 'everything', '--url', `lmdb:${signal}`])).stdout)
    expect(before).toBeGreaterThanOrEqual(state.lines)
    expect(before).toBeLessThanOrEqual(state.lines + 1000)
    const again = await rowkey(args)
    expect(again.code).toBe(0)
    expect(again.stderr).toContain(`${count - state.lines} rows written`)
    expect(existsSync(path(`${signal}.json`))).toBe(false)
    expect((await rowkey(['export', 'everything', '--url', `lmdb:${signal}`])).stdout).toBe(whole)
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
    const other = await rowkey(['export', 'everything', 'host = web-1', ...args.slice(2)])
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining("it differs in 'conditions'") as string })
    // What came after the checkpoint may be half a line, or rows that have been deleted since.
    const part = path(`.${file}.part`)
    writeFileSync(part, `${readFileSync(part, 'utf8')}{"host":"ha${'x'.repeat(whole.length)}`)
    expect(await rowkey(args)).toMatchObject({ code: 0, stderr: `${file}: ${count} rows\n` })
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

const copying = (name: string): readonly string[] => ['copy', 'everything', ...at, '--to', `lmdb:${name}`, '--create']
const copied = async (name: string): Promise<string> => (await rowkey(['export', 'everything', '--url', `lmdb:${name}`])).stdout

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGKILL', null],
] as const)('a copy that %s ends goes on where its checkpoint says, and is verified', async (signal, exitCode) => {
  const [file, name] = [`c${signal}.json`, `copied-${signal}`]
  const args = [...copying(name), '--checkpoint', file]
  const { code, stderr } = await interrupted(shop, args, () => typeof stateIn(shop, file)?.['cursor'] === 'string', signal)
  expect(code).toBe(exitCode)
  if (exitCode !== null)
    expect(stderr).toMatch(/^rowkey: interrupted after \d+ rows\. Run the same command again: c\w+\.json says where it goes on\.$/m)
  // The checkpoint says how many rows are there; at most one page more is.
  const rows = Number(String(stateIn(shop, file)?.['cursor']).split('.')[1])
  const there = (await copied(name)).split('\n').length - 1
  expect(rows).toBeGreaterThan(0)
  expect(there).toBeGreaterThanOrEqual(rows)
  expect(there).toBeLessThan(count)
  const again = await rowkey([...args, '--json'])
  expect(JSON.parse(again.stdout)).toMatchObject({ rows: count, digest: expect.stringMatching(/^[0-9a-f]{32}$/) as string })
  expect(existsSync(path(file))).toBe(false)
  expect(await copied(name)).toBe(whole)
})

test('a copy that ends within its first page goes on as well, but not into rows of somebody else', async () => {
  const args = [...copying('early'), '--checkpoint', 'early.json']
  const { code } = await interrupted(shop, args, 'early.json', 'SIGKILL')
  expect({ code, state: stateIn(shop, 'early.json') }).toEqual({ code: null, state: { cursor: null } })
  await rowkey(['import', 'everything', '--create', '--url', 'lmdb:early'], { input: rows.slice(0, rows.indexOf('\n')) })
  expect(withoutProgress((await rowkey(args)).stderr)).toMatch(/^15000 rows copied, digest /)
  expect(await copied('early')).toBe(whole)
  expect(await rowkey(args)).toMatchObject({ code: 4, stderr: expect.stringContaining('TABLE_NOT_EMPTY') as string })
  expect(existsSync(path('early.json'))).toBe(false)
})

/** An empty table takes 24 kB. */
const hasRows = (name: string): boolean => existsSync(path(`${name}/data.mdb`)) && statSync(path(`${name}/data.mdb`)).size > 100_000

test('a copy without a checkpoint that is interrupted says how to repeat it', async () => {
  const args = copying('repeated')
  const { code, stderr } = await interrupted(shop, args, () => hasRows('repeated'), 'SIGINT')
  expect(withoutProgress(stderr)).toMatch(/^rowkey: interrupted after \d+ rows\. Run it again with --overwrite\.\n$/)
  expect(code).toBe(130)
  expect(await rowkey(args)).toMatchObject({ code: 4, stderr: expect.stringContaining('--overwrite') as string })
  expect((await rowkey([...args, '--overwrite'])).code).toBe(0)
  expect(await copied('repeated')).toBe(whole)
})

test('a second Ctrl-C ends an export without a checkpoint where it is, and leaves nothing as well', async () => {
  const args = ['export', 'everything', ...at, '--output', 'twice.ndjson']
  const twice = (child: ReturnType<typeof started>): void => {
    // While it stands still both arrive, so the second one comes before the end that the first one asks for.
    for (const signal of ['SIGSTOP', 'SIGINT', 'SIGTERM', 'SIGCONT'] as const) child.kill(signal)
  }
  const { code, stderr } = await struck(shop, args, '.twice.ndjson.part', twice)
  expect([130, 143]).toContain(code) // two signals may arrive in any order
  expect(stderr).toBe('') // it has not come to its end
  expect(readdirSync(folder).filter((name) => name.includes('twice'))).toEqual([])
})

test('a checkpoint of other lines, of another command or that is none is refused', async () => {
  const args = ['import', 'everything', 'rows.ndjson', '--create', '--url', 'lmdb:changed', '--checkpoint', 'changed.json']
  await interrupted(shop, args, 'changed.json', 'SIGKILL')
  write('rows.ndjson', rows.split('\n').toReversed().join('\n'))
  expect(await rowkey(args)).toMatchObject({ code: 2, stderr: expect.stringContaining('its lines have changed') as string })
  expect((await rowkey(['export', 'everything', ...at, '--output', 'y', '--checkpoint', 'changed.json'])).stderr).toContain(
    'checkpoint of another command',
  )
  write('state.json', readFileSync(path('changed.json'), 'utf8').replace(/"state":.*\}\}/, '"state":null}'))
  expect((await rowkey([...args.slice(0, -1), 'state.json'])).stderr).toContain('state.json is no checkpoint of rowkey')
  write('none.json', '{"rowkey":')
  expect((await rowkey(['export', 'everything', ...at, '--output', 'y', '--checkpoint', 'none.json'])).stderr).toContain(
    'no checkpoint of rowkey',
  )
})
