import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { project } from './command.js'
import { onFullDisk, rowsOf, smallDisk, sorted, withEverything } from './stored.js'

const { rowkey, write, path, folder } = project(withEverything)
const count = 5000
const rows = rowsOf(count)
write('rows.ndjson', rows)
const disk = path('disk')
mkdirSync(disk)
const kilobytes = 4000
/** A page of memory: the smallest part of such a disk. A checkpoint takes one, and its successor needs another. */
const page = 4
const small = smallDisk(disk, kilobytes)
if (small === undefined) console.log('skipped: full disks, because this process may not mount a small one')
let whole = ''

beforeAll(async () => {
  expect((await rowkey(['import', 'everything', 'rows.ndjson', '--create', '--url', 'lmdb:data'])).code).toBe(0)
  whole = (await rowkey(['export', 'everything', '--url', 'lmdb:data'])).stdout
  expect(sorted(whole).length).toBe(count)
  expect(whole.length).toBeLessThan(kilobytes * 1024)
}, 300_000)
beforeEach(() => {
  rmSync(`${disk}.saved`, { recursive: true, force: true })
})

const full = (taken: number, args: readonly string[]): ReturnType<typeof onFullDisk> => onFullDisk(small ?? [], folder, taken, args)

/** The line that a command prints about a checkpoint on a full disk. */
const unsaved =
  'rowkey: disk/c.json cannot be written: the disk is full. What was done before it stays. Run the same command again when it can be written.\n'

test.skipIf(small === undefined)('an export whose disk is full goes on when there is room, and its file is the same', () => {
  const args = ['export', 'everything', '--url', 'lmdb:data', '--output', 'disk/a.ndjson', '--checkpoint', 'out.json']
  const [first, second] = full(kilobytes - 1000, args)
  expect(first).toEqual({ code: 2, stderr: 'rowkey: disk/a.ndjson cannot be written: the disk is full.\n.a.ndjson.part\ntaken\n' })
  expect(second).toEqual({ code: 0, stderr: `disk/a.ndjson: ${count} rows\na.ndjson\n` })
  expect(readFileSync(`${disk}.saved/a.ndjson`, 'utf8')).toBe(whole)
  expect(readdirSync(folder)).not.toContain('out.json')
})

test.skipIf(small === undefined)('an export whose checkpoint finds no room goes on when there is some', () => {
  const args = ['export', 'everything', '--url', 'lmdb:data', '--output', 'b.ndjson', '--checkpoint', 'disk/c.json']
  const [first, second] = full(kilobytes - page, args)
  expect(first).toEqual({ code: 2, stderr: `${unsaved}c.json\ntaken\n` })
  expect(second).toEqual({ code: 0, stderr: `b.ndjson: ${count} rows\n` })
  expect(readFileSync(path('b.ndjson'), 'utf8')).toBe(whole)
})

test.skipIf(small === undefined)('an import whose checkpoint finds no room stops, and goes on when there is some', async () => {
  const args = ['import', 'everything', 'rows.ndjson', '--create', '--url', 'lmdb:in', '--checkpoint', 'disk/c.json']
  const [first, second] = full(kilobytes - page, args)
  expect(first).toEqual({ code: 2, stderr: `${unsaved}c.json\ntaken\n` })
  // The first window has a checkpoint, the second one has none and is put again.
  expect(second).toEqual({ code: 0, stderr: `${count - 1000} rows written to 'everything'\n` })
  expect((await rowkey(['export', 'everything', '--url', 'lmdb:in'])).stdout).toBe(whole)
})

test.skipIf(small === undefined)('a copy whose checkpoint finds no room stops, and goes on when there is some', async () => {
  const args = ['copy', 'everything', '--url', 'lmdb:data', '--to', 'lmdb:copied', '--create', '--checkpoint', 'disk/c.json']
  const [first, second] = full(kilobytes - page, args)
  expect(first).toEqual({ code: 2, stderr: `${unsaved}c.json\ntaken\n` })
  expect(second).toMatchObject({ code: 0, stderr: expect.stringMatching(/^5000 rows copied, digest [0-9a-f]{32}\n$/) as string })
  expect((await rowkey(['export', 'everything', '--url', 'lmdb:copied'])).stdout).toBe(whole)
})
