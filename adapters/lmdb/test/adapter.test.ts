import { createMapper, defineTable } from 'rowkey'
import { uint16 } from 'rowkey/codec'
import { lmdb } from '@rowkey/lmdb'
import type { Mutation } from 'rowkey/adapter'
import { rmSync } from 'node:fs'
import { open as openFile } from 'lmdb'
import { afterAll, expect, test } from 'vitest'
import { Environment } from '../src/file/environment.js'
import { drain, kinds, open, schemaWith, strong } from '../../../test/kit/schemas.js'
import { scratchFolder } from '../../../test/kit/folder.js'

const folder = scratchFolder()
afterAll(folder.remove)

const now = 0
const kept = () => schemaWith({ name: 'kept', key: [['k', uint16()]], values: ['v'] })
const fast = (name: string) => lmdb(folder.path(name), { sync: false })
const rows = (schema: Mutation['schema'], count: number): Mutation[] =>
  Array.from({ length: count }, (_, k) => ({ schema, kind: 'put', row: [k, 'x'] }))

/** All that the file of a closed store has. */
async function keys(name: string): Promise<number> {
  const file = openFile<Buffer, Buffer>(folder.path(name), { keyEncoding: 'binary', noSubdir: false, overlappingSync: false, noSync: true })
  const count = file.getKeysCount()
  await file.close()
  return count
}

/** `done` and `CLOSED` are both an answer; that the process lives to give it is the point. */
async function ended(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'done',
    (error: unknown) => String((error as { readonly code?: string }).code),
  )
}

const pauses: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['at once', () => Promise.resolve()],
  ['a turn later', () => new Promise((resolve) => setImmediate(resolve))],
  ['some time later', () => new Promise((resolve) => setTimeout(resolve, 3))],
]
test.each(pauses)('ADAPTER-13: close() %s while a table is dropped, or before', async (when, pause) => {
  const name = `drop ${when}`
  const { store, schema } = await open(kept(), fast(name))
  await store.write(rows(schema, 12_000), { now })
  const dropping = ended(store.dropTable('kept'))
  await pause()
  await store.close()
  expect(['done', 'CLOSED']).toContain(await dropping)
  expect(await ended(store.dropTable('kept'))).toBe('CLOSED')

  const again = await open(kept(), fast(name)) // which sweeps what was left
  expect(await drain(again.table.fullScan(undefined, strong))).toEqual([])
  const closing = again.store.close()
  expect(await ended(again.store.dropTable('kept'))).toBe('CLOSED')
  await closing
})

test.each(pauses)('ADAPTER-13: close() %s while a table is created, or before', async (when, pause) => {
  for (let time = 0; time < 5; time++) {
    const store = fast(`ensure ${when} ${time}`)
    const creating = ended(store.ensureTable(kept()))
    await pause()
    const closing = store.close()
    expect(await ended(store.ensureTable(kept()))).toBe('CLOSED')
    expect(['done', 'CLOSED']).toContain(await creating)
    await closing
  }
})

test('close() does not wait until the rows of a dropped table are deleted; the next one goes on', async () => {
  const { store, schema } = await open(kept(), fast('left'))
  await store.write(rows(schema, 60_000), { now })
  const dropping = store.dropTable('kept')
  await store.close()
  await dropping
  expect(await keys('left')).toBeGreaterThan(30_000)
  const next = fast('left')
  await next.ensureTable(kept())
  await next.close()
  expect(await keys('left')).toBe(3)
})

test('expired rows are purged while it closes', async () => {
  const Sessions = defineTable('sessions', { columns: { id: uint16() }, key: ['id'], ttl: '1d' })
  let time = now
  const db = createMapper(fast('purged'), { clock: () => time })
  await db.ensureTables([Sessions])
  await db.repository(Sessions).putMany(Array.from({ length: 20_000 }, (_, id) => ({ id })))
  time += 2 * 86_400_000
  const purging = ended(db.purgeExpired(Sessions, { limit: 1e6 }))
  await new Promise((resolve) => setTimeout(resolve, 3))
  await db.close()
  expect(['done', 'CLOSED']).toContain(await purging)
})

test('two of one folder that close together: each waits until the file is closed, also for what the other has under way', async () => {
  for (const order of [0, 1]) {
    const path = folder.path('together')
    const { store, schema } = await open(kept(), lmdb(path))
    const all = [store, lmdb(path)]
    const writing = kinds(store.write(rows(schema, 500), { now }))
    if (order === 1) all.reverse()
    const [first, second] = all.map((adapter) => adapter.close())
    await second
    rmSync(path, { recursive: true })
    const fresh = await open(kept(), lmdb(path))
    expect(await drain(fresh.table.fullScan(undefined, strong))).toEqual([])
    await fresh.store.close()
    expect(new Set(await writing)).toEqual(new Set(['applied']))
    await first
    rmSync(path, { recursive: true })
  }
})

test('each of two that close together has a file that is closed', async () => {
  const path = folder.path('each')
  const [a, b] = [Environment.acquire(path, false), Environment.acquire(path, false)]
  expect(a).toBe(b)
  await a.committer.submit(() => a.db.putSync(Buffer.from('k'), Buffer.from('v'))) // after a write, closing takes some turns
  const done = Promise.resolve()
  const status = () => (a.db as unknown as { readonly status: string }).status
  const seen = await Promise.all([a.release(done).then(status), b.release(done).then(status)])
  expect(seen).toEqual(['closed', 'closed'])
})

test('close() of one does not wait for what another of the same folder goes on writing', async () => {
  const [a, b] = [fast('busy'), await open(kept(), fast('busy'))]
  let isWriting = true
  const lane = async (): Promise<void> => {
    while (isWriting) await b.store.write(rows(b.schema, 1), { now })
  }
  const lanes = [lane(), lane(), lane()]
  await a.close()
  isWriting = false
  await Promise.all(lanes)
  await b.store.close()
})

test('opened anew in the moment in which it closes', async () => {
  for (let time = 0; time < 40; time++) {
    const first = await open(kept(), fast('moment'))
    const closing = first.store.close()
    for (let turn = 0; turn < time % 8; turn++) await Promise.resolve()
    const next = await open(kept(), fast('moment'))
    expect(await kinds(next.store.write([{ schema: next.schema, kind: 'put', row: [time, 'x'] }], { now }))).toEqual(['applied'])
    await closing
    expect(next.table.get([[time]], strong)).toEqual([[time, 'x']])
    await next.store.close()
  }
})
