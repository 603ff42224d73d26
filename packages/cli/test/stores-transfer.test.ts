import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { OutputFile } from '../src/store/output-file.js'
import { project, started } from './command.js'
import { onSmallDisk, rowsOf, smallDisk, sorted, withEverything } from './stored.js'

const shop = project(withEverything)
const { rowkey, write, path, folder } = shop
const rows = rowsOf(3000)
write('rows.ndjson', rows)
const exported = async (url: string): Promise<string> => (await rowkey(['export', 'everything', '--url', url])).stdout

test('rows of all types and their expiry come back from a file, a pipe and a copy as they were', async () => {
  expect(await rowkey(['import', 'everything', 'rows.ndjson', '--create', '--url', 'lmdb:a'])).toEqual({
    code: 0,
    stdout: '',
    stderr: "3000 rows written to 'everything'\n",
  })
  expect(sorted(await exported('lmdb:a'))).toEqual(sorted(rows))
  expect(await rowkey(['export', 'everything', '--url', 'lmdb:a', '--output', 'a.ndjson'])).toMatchObject({ code: 0, stdout: '' })
  expect(readFileSync(path('a.ndjson'), 'utf8')).toBe(await exported('lmdb:a'))
  expect((await rowkey(['import', 'everything', '--create', '--url', 'lmdb:b'], { input: await exported('lmdb:a') })).code).toBe(0)
  expect(await exported('lmdb:b')).toBe(await exported('lmdb:a'))
  expect((await rowkey(['copy', 'everything', '--url', 'lmdb:a', '--to', 'lmdb:c', '--create', '--json'])).stdout).toMatch(
    /"rows":3000,"digest":"[0-9a-f]{32}"/,
  )
  expect(await exported('lmdb:c')).toBe(await exported('lmdb:a'))
  expect(await rowkey(['copy', 'everything', '--url', 'lmdb:a', '--to', 'lmdb:c'])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('--overwrite') as string,
  })
})

test('export takes conditions, and what it writes is part of the table', async () => {
  const { stdout, code } = await rowkey(['export', 'everything', 'host = web-3', '--url', 'lmdb:a'])
  expect(code).toBe(0)
  expect(sorted(stdout)).toEqual(sorted(rows).filter((row) => (row as { host: string }).host === 'web-3'))
})

test('a line that is no row stops the import with its number, before anything of its window is written', async () => {
  const all = rows.split('\n')
  all[1500] = all[1500]?.replace('"n":1500', '"n":"x"') ?? ''
  const { code, stderr } = await rowkey(['import', 'everything', '--create', '--url', 'lmdb:bad'], { input: all.join('\n') })
  expect(stderr).toMatch(/^rowkey: line 1501 is no row: column 'n' cannot hold "x"\..* Lines up to 1000 have been written\.\n$/)
  expect(code).toBe(2)
  expect((await rowkey(['count', 'everything', '--url', 'lmdb:bad'])).stdout).toBe('1000\n')
  const missing = await rowkey(['import', 'everything', '--url', 'lmdb:bad'], { input: '\n{"host":"a"}\n' })
  expect(missing.stderr).toMatch(/^rowkey: line 2 is no row: .*Nothing has been written\.\n$/)
})

test('of two lines with one key the last one stays', async () => {
  const [first = '', second = ''] = rows.split('\n')
  const twice = first.replace('"note":null', '"note":"again"')
  await rowkey(['import', 'everything', '--create', '--url', 'lmdb:twice'], { input: [first, second, twice].join('\n') })
  expect(sorted(await exported('lmdb:twice'))).toEqual(sorted([second, twice].join('\n')))
})

test('a number that JSON does not hold is refused, and -0 stays what it is', async () => {
  const [first = ''] = rows.split('\n')
  const imported = async (score: string): Promise<{ readonly code: number | null; readonly stderr: string }> =>
    rowkey(['import', 'everything', '--create', '--url', 'lmdb:odd'], { input: first.replace(/"score":"?[\w.-]+"?/, `"score":${score}`) })
  expect((await imported('1e400')).stderr).toMatch(
    /line 1 is no row: column 'score' has the number Infinity, which JSON does not say exactly/,
  )
  expect((await imported('-0')).code).toBe(0)
  expect(await exported('lmdb:odd')).toContain('"score":"-0"')
})

test('of two exports to one file the first one does not spoil what the other one writes', () => {
  const [one, two] = [1, 2].map(() => new OutputFile(path('both.ndjson'), 'both.ndjson', undefined)) as [OutputFile, OutputFile]
  one.write('one\n')
  two.write('two\n')
  expect(() => one.complete()).toThrow('another export to')
  one.discard()
  two.complete()
  expect(readFileSync(path('both.ndjson'), 'utf8')).toBe('two\n')
  expect(readdirSync(folder).filter((name) => name.includes('both'))).toEqual(['both.ndjson'])
})

test('an import without a table, without a file and from a folder: one line', async () => {
  expect(await rowkey(['import', 'everything', 'rows.ndjson', '--prefix', 'x_', '--url', 'lmdb:a'])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('import --create') as string,
  })
  expect(await rowkey(['import', 'everything', 'nope.ndjson', '--url', 'lmdb:a'])).toMatchObject({
    code: 2,
    stderr: 'rowkey: nope.ndjson cannot be read: it does not exist.\n',
  })
  expect(await rowkey(['import', 'everything', 'a', '--url', 'lmdb:a'])).toMatchObject({
    code: 2,
    stderr: 'rowkey: a cannot be read: it is a folder.\n',
  })
})

const disk = path('disk')
mkdirSync(disk)
const small = smallDisk(disk, 200)
if (small === undefined) console.log('skipped: a full disk, because this process may not mount a small one')

test.skipIf(small === undefined)('a full disk leaves no half file', () => {
  const { status, stderr } = onSmallDisk(small ?? [], folder, ['export', 'everything', '--url', 'lmdb:a', '--output', 'disk/a.ndjson'])
  expect(stderr).toMatch(/^rowkey: disk\/a\.ndjson cannot be written: the disk is full\.\n$/)
  expect(status).toBe(2)
})

test.each([
  ['a', /^rowkey: a is no file\. Give the name of a file, or leave --output out for stdout\.\n$/],
  ['/dev/null', /^rowkey: \/dev\/null is no file\./],
  ['', /^rowkey: the output is no file\./],
])('an output that is no file is refused, and stays what it is: %j', async (output, message) => {
  const { code, stderr } = await rowkey(['export', 'everything', '--url', 'lmdb:a', '--output', output])
  expect(stderr).toMatch(message)
  expect(code).toBe(2)
})

test('the output is not its own checkpoint', async () => {
  const { code, stderr } = await rowkey(['export', 'everything', '--url', 'lmdb:a', '--output', 'x.json', '--checkpoint', './x.json'])
  expect({ code, stderr }).toEqual({ code: 2, stderr: 'rowkey: --checkpoint and --output are the same file. Give two.\n' })
})

test('a reader that is slow gets all rows, also after the store is closed', async () => {
  const child = started(folder, ['export', 'everything', '--url', 'lmdb:a'])
  const { stdout } = child
  if (stdout === null) throw new Error('it did not start')
  const ended = new Promise((resolve) => child.once('close', resolve))
  await once(stdout, 'readable')
  await sleep(3000) // longer than the command waits for clients
  const chunks: Buffer[] = []
  for await (const chunk of stdout as AsyncIterable<Buffer>) chunks.push(chunk)
  expect(await ended).toBe(0)
  expect(String(Buffer.concat(chunks))).toBe(await exported('lmdb:a'))
})

test('no permission, or no folder, for the output: one line', async () => {
  const { code, stderr } = await rowkey(['export', 'everything', '--url', 'lmdb:a', '--output', 'none/a.ndjson'])
  expect(stderr).toBe('rowkey: none/a.ndjson cannot be written: it does not exist.\n')
  expect(code).toBe(2)
  expect(existsSync(path('none'))).toBe(false)
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
})
