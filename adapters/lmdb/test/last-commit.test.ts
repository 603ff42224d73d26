import { uint32 } from 'rowkey/codec'
import { lmdb } from '@rowkey/lmdb'
import { existsSync, openSync, readFileSync, readSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drain, kinds, open, schemaWith, strong } from '../../../test/kit/schemas.js'
import { beginOpening, whenOpened } from '../src/file/opening.js'
import { build, output, start } from './child.js'
import { scratchFolder } from '../../../test/kit/folder.js'

const folder = scratchFolder()
beforeAll(build, 180_000)
afterAll(folder.remove)

const now = 0
/** A store with one table, and a function that writes a row. */
async function kept(path: string, sync = false) {
  const { store, schema, table } = await open(schemaWith({ name: 'kept', key: [['k', uint32()]], values: ['v'] }), lmdb(path, { sync }))
  return { store, table, put: (k: number, v: string) => store.write([{ schema, kind: 'put', row: [k, v] }], { now }) }
}

/** The number of the last commit in the lock file. The descriptor stays open: closing it would release LMDB's locks. */
function lastIn(path: string): { readonly read: () => bigint; readonly write: (number: bigint) => void } {
  const descriptor = openSync(`${path}/lock.mdb`, 'r+')
  const bytes = Buffer.alloc(8)
  return {
    read: () => {
      readSync(descriptor, bytes, 0, 8, 8)
      return bytes.readBigUInt64LE()
    },
    write: (number) => {
      bytes.writeBigUInt64LE(number)
      writeSync(descriptor, bytes, 0, 8, 8)
    },
  }
}

test.each([
  [false, 300],
  [true, 100],
])('processes that open the file again and again: what is acknowledged stays, sync: %s', { timeout: 180_000 }, async (sync, openings) => {
  const path = folder.path(`opened often, ${sync}`)
  const { store, table, put } = await kept(path, sync)
  const others = [1, 2].map(() => output(start('opening-often.mjs', [path, String(openings), String(sync)])))
  let isOver = false
  const ended = Promise.all(others).finally(() => (isOver = true))
  let count = 0
  const missing: string[] = []
  const mustBe = (k: number, v: string, when: string): void => {
    const [row] = table.get([[k]], strong) as readonly (readonly unknown[] | undefined)[]
    if (row?.[1] !== v) missing.push(`${when} ${k}: ${String(row?.[1])} instead of ${v}`)
  }
  while (!isOver) {
    expect(await kinds(put(++count, 'x'))).toEqual(['applied'])
    mustBe(count, 'x', 'inserted')
    expect(await kinds(put(0, String(count)))).toEqual(['applied'])
    mustBe(0, String(count), 'replaced')
    await new Promise(setImmediate)
  }
  for (const { code, errors } of await ended) expect({ code, errors }).toEqual({ code: 0, errors: '' })
  for (let k = 1; k <= count; k++) mustBe(k, 'x', 'at the end')
  expect(missing).toEqual([])
  expect(count).toBeGreaterThan(10)
  await store.close()
})

test.each([1, 2, 3])('the last %i commits are set back: the next write comes after them', async (commits) => {
  const path = folder.path(`set back by ${commits}`)
  const { store, table, put } = await kept(path)
  for (let k = 1; k <= 5; k++) await put(k, 'x')
  const last = lastIn(path)
  const newest = last.read()
  last.write(newest - BigInt(commits))
  if (commits === 1) expect(table.get([[5]], strong), 'the fault').toEqual([undefined])
  expect(await kinds(put(6, 'x'))).toEqual(['applied'])
  expect(last.read()).toBe(newest + 1n)
  expect(await drain(table.fullScan(undefined, strong))).toHaveLength(6)
  await store.close()
})

test('a lock file with another number than LMDB can have: refused, and nothing is written', async () => {
  const path = folder.path('other number')
  const { store, table, put } = await kept(path)
  await put(1, 'x')
  const last = lastIn(path)
  const newest = last.read()
  last.write(newest - 1n)
  const mark = Buffer.alloc(4)
  const lock = openSync(`${path}/lock.mdb`, 'r+')
  readSync(lock, mark, 0, 4, 0)
  writeSync(lock, Buffer.alloc(4), 0, 4, 0)
  const [outcome] = await put(2, 'x')
  expect(outcome).toMatchObject({ kind: 'failed', cause: { code: 'STORE_UNUSABLE', details: { reason: 'damaged' } } })
  writeSync(lock, mark, 0, 4, 0)
  expect(await kinds(put(3, 'x'))).toEqual(['applied'])
  expect(await drain(table.fullScan(undefined, strong))).toEqual([
    [1, 'x'],
    [3, 'x'],
  ])
  await store.close()
})

test('a write is acknowledged after the opening that it met, and another opening waits', async () => {
  const path = folder.path('met')
  const { store, put } = await kept(path)
  const end = beginOpening(path)
  expect(existsSync(`${path}/lock.mdb-opening`)).toBe(true)
  let isDone = false
  const writing = kinds(put(1, 'x')).finally(() => (isDone = true))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(isDone).toBe(false)
  end()
  expect(await writing).toEqual(['applied'])
  end()
  expect(existsSync(`${path}/lock.mdb-opening`)).toBe(false)
  await store.close()
})

test('the mark of a killed process holds up one write or one opening, and then it is removed', async () => {
  const path = folder.path('killed')
  const { store, table, put } = await kept(path)
  await put(1, 'x')
  const mark = `${path}/lock.mdb-opening`
  writeFileSync(mark, '')
  const last = lastIn(path)
  const writing = kinds(put(2, 'x'))
  while (last.read() < 3n) await new Promise(setImmediate)
  const newest = last.read()
  last.write(newest - 1n) // by the killed process
  expect(await writing).toEqual(['applied'])
  expect(existsSync(mark)).toBe(false)
  expect(table.get([[2]], strong)).toEqual([[2, 'x']])
  await store.close()
  writeFileSync(mark, '')
  await lmdb(path).close()
  expect(existsSync(mark)).toBe(false)
})

test('only the opening that made a mark removes it', async () => {
  const path = folder.path('own mark')
  await lmdb(path).close()
  const end = beginOpening(path)
  rmSync(`${path}/lock.mdb-opening`)
  const next = beginOpening(path)
  end()
  expect(existsSync(`${path}/lock.mdb-opening`)).toBe(true)
  const waiting = whenOpened(path)
  next()
  expect(await waiting).toBe(true)
  expect(readFileSync(`${path}/data.mdb`).length).toBeGreaterThan(0)
})
