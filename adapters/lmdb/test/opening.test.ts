import { createMapper, defineTable } from 'rowkey'
import { bucket, text, uint16, uint32 } from 'rowkey/codec'
import { lmdb } from '@rowkey/lmdb'
import { isRowkeyError } from 'rowkey/adapter'
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { open as openFile } from 'lmdb'
import { afterAll, expect, test } from 'vitest'
import { drain, kinds, open, schemaWith, strong } from '../../../test/kit/schemas.js'
import { scratchFolder } from '../../../test/kit/folder.js'

const folder = scratchFolder()
afterAll(folder.remove)

const now = 0
const kept = () => schemaWith({ name: 'kept', key: [['k', uint16()]], values: ['v'] })

/** A store with one row. */
async function stored(name: string): Promise<string> {
  const path = folder.path(name)
  const { store, schema } = await open(kept(), lmdb(path))
  await store.write([{ schema, kind: 'put', row: [1, 'x'] }], { now })
  await store.close()
  return path
}

function refused(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    expect(isRowkeyError(error)).toBe(true)
    return error
  }
  throw new Error('it was opened')
}

test('what was written is there for the next one, under the same numbers', async () => {
  const path = await stored('again')
  for (let time = 0; time < 3; time++) {
    const { store, table } = await open(kept(), lmdb(path))
    expect(table.get([[1]], strong)).toEqual([[1, 'x']])
    const other = await open(schemaWith({ name: `other_${time}`, key: [['k', uint16()]] }), store)
    expect(other.catalog.store).toEqual({ table: time + 2 })
    await store.close()
  }
})

test('several in one process share the file; each is closed by itself', async () => {
  const path = await stored('together')
  const [a, b] = [await open(kept(), lmdb(path)), await open(kept(), lmdb(`${path}/../together/`))]
  await a.store.write([{ schema: a.schema, kind: 'put', row: [2, 'y'] }], { now })
  expect(b.table.get([[2]], strong)).toEqual([[2, 'y']])
  await a.store.close()
  await a.store.close()
  expect(() => a.table.get([[2]], strong)).toThrow(expect.objectContaining({ code: 'CLOSED' }))
  expect(await kinds(b.store.write([{ schema: b.schema, kind: 'put', row: [3, 'z'] }], { now }))).toEqual(['applied'])
  await b.store.close()
})

test('opened again while it is being closed', async () => {
  const path = await stored('closing')
  for (let time = 0; time < 20; time++) {
    const { store, schema } = await open(kept(), lmdb(path))
    const writing = store.write([{ schema, kind: 'put', row: [time, 'x'] }], { now })
    const closing = store.close()
    const next = lmdb(path)
    expect(await kinds(writing)).toEqual(['applied'])
    if (time % 2 === 0) await closing
    expect((await open(kept(), next)).table.get([[time]], strong)).toEqual([[time, 'x']])
    await Promise.all([closing, next.close()])
  }
})

test('close() waits for writes that are under way, and everything after it is CLOSED', async () => {
  const { store, schema, table } = await open(kept(), lmdb(await stored('busy')))
  const source = table.fullScan(undefined, strong)
  const writes = Array.from({ length: 100 }, async (_, k) => store.write([{ schema, kind: 'put', row: [k, 'x'] }], { now }))
  await store.close()
  expect((await Promise.all(writes)).flat().every(({ kind }) => kind === 'applied')).toBe(true)
  const closed = expect.objectContaining({ code: 'CLOSED' }) as Error
  expect(() => source.next(1)).toThrow(closed)
  expect(() => table.get([[1]], strong)).toThrow(closed)
  await expect(store.write([{ schema, kind: 'put', row: [1, 'x'] }], { now })).rejects.toThrow(closed)
  await expect(store.describeTable('kept')).rejects.toThrow(closed)
  await expect(store.ensureTable(schema)).rejects.toThrow(closed)
  await expect(store.dropTable('kept')).rejects.toThrow(closed)
  const again = await open(kept(), lmdb(folder.path('busy')))
  expect(await drain(again.table.fullScan(undefined, strong))).toHaveLength(100)
  await again.store.close()
})

test('with another sync in the same process: refused', async () => {
  const path = await stored('sync')
  const first = lmdb(path)
  expect(refused(() => lmdb(path, { sync: false }))).toMatchObject({ code: 'STORE_UNUSABLE', details: { reason: 'options', path } })
  await first.close()
  await lmdb(path, { sync: false }).close()
})

test('options that do not exist, and paths that are none', () => {
  expect(refused(() => lmdb(folder.path('options'), { mapSize: 5 } as never))).toMatchObject({
    code: 'INVALID_OPTION',
    details: { option: 'mapSize' },
  })
  expect(refused(() => lmdb(folder.path('options'), { sync: 'yes' } as never))).toMatchObject({ code: 'INVALID_OPTION' })
  for (const [given, value] of [
    ['', '""'],
    ['a\0b', String.raw`"a\u0000b"`],
    [undefined, 'undefined'],
    [new URL('https://example.org/db'), '"https://example.org/db"'],
  ] as const) {
    const error = refused(() => lmdb(given as string))
    expect(error).toMatchObject({ code: 'INVALID_OPTION', details: { option: 'path', value } })
    expect((error as Error).message).toContain(`cannot be ${value}. Give the path of a folder`)
  }
  for (const options of [null, 5, 'sync'])
    expect(refused(() => lmdb(folder.path('options'), options as never))).toMatchObject({
      code: 'INVALID_OPTION',
      details: { option: 'options' },
    })
})

test('a file: URL names the same folder as its path', async () => {
  const path = await stored('a # folder')
  const { store, table } = await open(kept(), lmdb(pathToFileURL(path)))
  expect(table.get([[1]], strong)).toEqual([[1, 'x']])
  await store.close()
})

test('close() of a mapper: what has reached the store is written, tables not open yet and the rest of a load are CLOSED', async () => {
  const path = folder.path('mapper')
  const Rows = defineTable('rows', { columns: { k: uint32(), v: text() }, key: ['k'] })
  const row = (k: number) => ({ k, v: 'x' })
  const closed = expect.objectContaining({ code: 'CLOSED' }) as Error
  const first = createMapper(lmdb(path, { sync: false }))
  await first.ensureTables([Rows])
  const open = first.repository(Rows)
  await open.get({ k: 0 })
  const put = open.put(row(1))
  await first.close()
  await put

  const second = createMapper(lmdb(path, { sync: false }))
  const early = second.repository(Rows).put(row(2))
  await Promise.all([expect(early).rejects.toThrow(closed), second.close()])

  const third = createMapper(lmdb(path, { sync: false }))
  let closing: Promise<void> | undefined
  const load = third.repository(Rows).putMany(
    Array.from({ length: 50_000 }, (_, k) => row(k)),
    { onProgress: () => void (closing ??= third.close()) },
  )
  await expect(load).rejects.toThrow(closed)
  await closing

  const again = createMapper(lmdb(path, { sync: false }))
  const left = await again.repository(Rows).scan({}, { unbounded: true }).toArray()
  expect(left).toContainEqual(row(1))
  expect(left.length).toBeGreaterThan(1)
  expect(left.length).toBeLessThan(50_000)
  await again.close()
})

const wrongFiles: readonly (readonly [what: string, content: (whole: Buffer) => Buffer])[] = [
  ['text', () => Buffer.from('hello '.repeat(2000))],
  ['short', () => Buffer.from('hello')],
  ['cut off', (whole) => whole.subarray(0, 4096)],
  ['of another mark', (whole) => Buffer.from(whole).fill(9, 24, 25)],
  ['another version', (whole) => Buffer.from(whole).fill(9, 28, 29)],
]
test.each(wrongFiles)('a data file that is %s: refused, although LMDB itself would end the process', async (what, content) => {
  const whole = readFileSync(join(await stored(`whole ${what}`), 'data.mdb'))
  const path = folder.path(what)
  mkdirSync(path)
  writeFileSync(join(path, 'data.mdb'), content(whole))
  expect(refused(() => lmdb(path))).toMatchObject({ code: 'STORE_UNUSABLE', details: { reason: 'foreign' } })
})

test('a folder with other files, a path that is a file, and one that cannot be made: refused', async () => {
  mkdirSync(folder.path('other files'))
  writeFileSync(folder.path('other files/notes.txt'), 'x')
  expect(refused(() => lmdb(folder.path('other files')))).toMatchObject({ code: 'STORE_UNUSABLE', details: { reason: 'foreign' } })
  writeFileSync(folder.path('file'), 'x')
  expect(refused(() => lmdb(folder.path('file')))).toMatchObject({ code: 'STORE_UNUSABLE', details: { reason: 'path' } })
  expect(refused(() => lmdb(folder.path('file/below')))).toMatchObject({ code: 'STORE_UNUSABLE', details: { reason: 'path' } })
  await lmdb(folder.path('new/and/deep')).close()
})

test.each<[string, Buffer, Buffer, string]>([
  ['another program', Buffer.from('key'), Buffer.from('value'), 'foreign'],
  ['something in the place of the header', Buffer.from('0000000000', 'hex'), Buffer.from('value'), 'foreign'],
  ['a newer version', Buffer.from('0000000000', 'hex'), Buffer.from('{"store":"rowkey","format":2,"nextTable":1}'), 'newer'],
])('an LMDB file of %s: refused, and it can still be opened by its own', async (what, key, value, reason) => {
  const path = folder.path(what)
  const options = { keyEncoding: 'binary', encoding: 'binary', noSubdir: false } as const
  const file = openFile<Buffer, Buffer>(path, options)
  await file.put(key, value)
  await file.close()
  const error = refused(() => lmdb(path))
  expect(error).toMatchObject({ code: 'STORE_UNUSABLE', details: { reason, path } })
  expect(refused(() => lmdb(path))).toMatchObject({ details: { reason } })
  const again = openFile<Buffer, Buffer>(path, options)
  expect(again.get(key)?.toString()).toBe(value.toString())
  await again.close()
})

test('two models with other bucket counts cannot share a table, but two tables of one file', async () => {
  const path = folder.path('buckets')
  const model = (name: string, count: number) => defineTable(name, { columns: { k: text() }, key: ['k'], salt: bucket({ of: 'k', count }) })
  const [a, b] = [createMapper(lmdb(path, { sync: false })), createMapper(lmdb(path, { sync: false }))]
  await a.ensureTables([model('one', 16)])
  await expect(b.ensureTables([model('one', 32)])).rejects.toThrow(expect.objectContaining({ code: 'SCHEMA_MISMATCH' }))
  await b.ensureTables([model('two', 32)])
  for (const db of [a, b]) await db.close()
})

test.each(['a file', 'nothing', 'a folder'])(
  "a link to %s in the place of LMDB's lock file is refused, and what it leads to stays as it is",
  async (to) => {
    const path = await stored(`linked to ${to}`)
    const target = folder.path(`target of ${to}`)
    if (to === 'a file') renameSync(join(path, 'lock.mdb'), target)
    else renameSync(join(path, 'lock.mdb'), join(path, 'lock.mdb-old'))
    if (to === 'a folder') mkdirSync(target)
    symlinkSync(target, join(path, 'lock.mdb'))
    expect(refused(() => lmdb(path))).toMatchObject({
      code: 'STORE_UNUSABLE',
      message: expect.stringContaining("'lock.mdb' that is a symbolic link") as string,
      details: { adapter: 'lmdb', path, reason: 'foreign' },
    })
    expect(existsSync(target)).toBe(to !== 'nothing')
  },
)

test.each([
  ['lock.mdb', 'Remove this one while no process has the store open.'],
  ['data.mdb', 'Remove the others, or copy the file.'],
])('a %s with another name is refused, under both names, until one is removed', async (file, remedy) => {
  const path = await stored(`with another ${file}`)
  const other = folder.path(`other of ${file}`)
  mkdirSync(other)
  linkSync(join(path, file), join(other, file))
  for (const each of [path, other]) {
    expect(refused(() => lmdb(each))).toMatchObject({
      code: 'STORE_UNUSABLE',
      message: expect.stringContaining(`'${file}' that has 2 names (hard links). ${remedy}`) as string,
      details: { adapter: 'lmdb', path: each, reason: 'foreign' },
    })
  }
  rmSync(join(other, file))
  await lmdb(path).close()
})

test.each(['a file', 'nothing', 'a folder'])(
  'a data file that is a symbolic link to %s is refused, because its lock stays here',
  async (to) => {
    const target = to === 'a file' ? join(await stored('target of data'), 'data.mdb') : folder.path(`data of ${to}`)
    if (to === 'a folder') mkdirSync(target)
    const path = folder.path(`data linked to ${to}`)
    mkdirSync(path)
    symlinkSync(target, join(path, 'data.mdb'))
    expect(refused(() => lmdb(path))).toMatchObject({
      code: 'STORE_UNUSABLE',
      message: expect.stringContaining(
        "'data.mdb' that is a symbolic link. Give the folder of that file, or a link to that folder.",
      ) as string,
      details: { adapter: 'lmdb', path, reason: 'foreign' },
    })
    expect(readdirSync(path)).toEqual(['data.mdb'])
    expect(existsSync(target)).toBe(to !== 'nothing')
  },
)

test('a folder that is a link, or below one, is the folder itself', async () => {
  const path = await stored('real')
  symlinkSync(path, folder.path('linked'))
  symlinkSync(folder.path('.'), folder.path('above'))
  for (const each of [folder.path('linked'), folder.path('above/real')]) {
    const { store, table } = await open(kept(), lmdb(each))
    const other = await open(kept(), lmdb(path))
    expect(table.get([[1]], strong)).toEqual([[1, 'x']])
    await Promise.all([store.close(), other.store.close()])
  }
})

test('the name that a killed process left of a lock file that it made is no other name', async () => {
  const path = await stored('killed while it opened')
  linkSync(join(path, 'lock.mdb'), join(path, 'lock.mdb-1-1'))
  await lmdb(path).close()
  linkSync(join(path, 'lock.mdb'), folder.path('third name'))
  expect(refused(() => lmdb(path))).toMatchObject({ message: expect.stringContaining("'lock.mdb' that has 2 names") as string })
})
