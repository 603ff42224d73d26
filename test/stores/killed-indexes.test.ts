import { lmdb } from '@rowkey/lmdb'
import { scaled } from '@rowkey/servers/scale'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as rowkey from 'rowkey'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { output } from '../../adapters/lmdb/test/child.js'
import { build } from '../setup/build.js'
import '../setup/serve.js'
import { can } from '../kit/lacks.js'
import { indexedModelOf, owners, tags } from './indexed-rows.mjs'
import { long, openStores, testOn, type StoreUnderTest } from './open.js'

const kills = Math.max(16, scaled(10))
/** Writers at a time. */
const atOnce = 4
const dayMs = 86_400_000
const folder = mkdtempSync(join(tmpdir(), 'rowkey-killed-indexes-'))
const program = fileURLToPath(new URL('indexing.mjs', import.meta.url))

beforeAll(
  () => build('adapters/lmdb', 'adapters/redis', 'adapters/dynamodb', 'adapters/cassandra', 'adapters/hbase', 'adapters/kudu'),
  300_000,
)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Row {
  readonly no: number
  readonly tag: string
  readonly owner: string | null
}
interface Scan {
  toArray(): Promise<readonly Row[]>
}
interface Rows {
  readAll(): Scan
  scan(where: object, options: { readonly index: string }): Scan
}

/** Starts a writer, and kills it up to a quarter of a second after its first writes. */
async function killedWriter(args: readonly string[]): Promise<void> {
  const env = { ...process.env, NODE_NO_WARNINGS: '1' }
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env })
  const ended = output(child)
  await Promise.race([new Promise((resolve) => child.stdout.once('data', resolve)), ended])
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 250))
  child.kill('SIGKILL')
  const { signal, lines, errors } = await ended
  expect({ signal, lines, errors }).toEqual({ signal: 'SIGKILL', lines: ['begun'], errors: '' })
}

async function killAll(count: number, store: string, connection: unknown, prefix: string, planted: readonly string[] = []): Promise<void> {
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < count) await killedWriter([store, JSON.stringify(connection), prefix, String(++next), ...planted])
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}

/** Every row is found by both indexes, and nothing else. */
async function checkScans(rows: Rows): Promise<number> {
  const all = await rows.readAll().toArray()
  const byNumber = (some: readonly Row[]): readonly Row[] => some.toSorted((a, b) => a.no - b.no)
  const found = async (where: object, index: string): Promise<readonly Row[]> => byNumber(await rows.scan(where, { index }).toArray())
  for (const tag of tags) expect(await found({ tag }, 'byTag')).toEqual(byNumber(all.filter((row) => row.tag === tag)))
  for (const owner of owners) expect(await found({ owner }, 'byOwner')).toEqual(byNumber(all.filter((row) => row.owner === owner)))
  return all.length
}

async function killWriters({ name, open }: Pick<StoreUnderTest, 'name' | 'open'>, connection: unknown): Promise<void> {
  const { adapter, close } = await open()
  const isPlain = !can(adapter, 'versions')
  const model = indexedModelOf(rowkey, isPlain)
  const prefix = `ki${process.pid}_`
  const db = rowkey.createMapper(adapter, { prefix })
  await db.ensureTables([model])
  await killAll(kills, name, connection, prefix)
  await new Promise((resolve) => setTimeout(resolve, 1000)) // what the killed had sent arrives
  const rows = db.repository(model as never) as unknown as Rows
  let stale = 0
  const later = rowkey.createMapper(adapter, { prefix, clock: () => Date.now() + 2 * dayMs })
  for (const index of ['byTag', 'byOwner']) {
    const report = await db.verifyIndex(model, index)
    expect(report).toMatchObject({ missing: 0, removed: 0 })
    stale += report.stale
  }
  const live = await checkScans(rows)
  for (const index of ['byTag', 'byOwner']) {
    const { missing, stale: left, removed } = await later.verifyIndex(model, index, { repair: true })
    expect({ missing, removed }).toEqual({ missing: 0, removed: isPlain ? 0 : left })
    expect(await later.verifyIndex(model, index)).toMatchObject(isPlain ? { missing: 0 } : { missing: 0, stale: 0 })
  }
  expect(await checkScans(rows)).toBe(live)
  expect(live).toBeGreaterThan(0)
  console.log(`${name}: ${kills} kills, ${live} rows, ${stale} stale entries`)
  await db.dropTables([model])
  await close()
}

const title = (store: string): string =>
  `kill -9 of writers on ${store}: each row is found by its indexes, and after a repair nothing is stale`

test(title('lmdb'), long, async () => {
  const connection = { folder: join(folder, 'db') }
  const open = async () => {
    const adapter = lmdb(connection.folder)
    return Promise.resolve({ adapter, close: () => adapter.close() })
  }
  await killWriters({ name: 'lmdb', open }, connection)
})

for (const store of await openStores(0)) {
  testOn(store, title(store.name), long, async () => {
    const server = inject('servers')[store.name as 'redis']
    await killWriters(store, server !== undefined && 'connection' in server ? server.connection : undefined)
  })
}

test('is caught: writers that write a row before its entries', long, async ({ skip }) => {
  const server = inject('servers').redis
  const store = (await openStores(0)).find(({ name }) => name === 'redis')
  if (store === undefined || server === undefined || 'missing' in server) return skip('redis is missing')
  const { adapter, close } = await store.open()
  const model = indexedModelOf(rowkey, false)
  const prefix = `kp${process.pid}_`
  const db = rowkey.createMapper(adapter, { prefix })
  await db.ensureTables([model])
  let missing = 0
  for (let round = 0; round < 10 && missing === 0; round++) {
    await killAll(8, 'redis', server.connection, prefix, ['row-first'])
    for (const index of ['byTag', 'byOwner']) missing += (await db.verifyIndex(model, index)).missing
  }
  expect(missing).toBeGreaterThan(0)
  await db.dropTables([model])
  await close()
})
