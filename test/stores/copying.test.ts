import {
  type Adapter,
  bucket,
  bytes,
  copyTable,
  createMapper,
  decimal,
  defineTable,
  desc,
  float64,
  int32,
  int64,
  json,
  memory,
  nullable,
  text,
  timestamp,
} from 'rowkey'
import { lmdb } from '@rowkey/lmdb'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { can } from '../kit/lacks.js'
import { openStores, type StoreUnderTest, long, testOn } from './open.js'

const values = {
  at: timestamp('ms'),
  price: decimal(12, 2),
  score: nullable(float64()),
  big: nullable(int64()),
  raw: nullable(bytes()),
  data: nullable(json()),
}
const Plain = defineTable('copied_from', {
  columns: { user: text(), n: int32(), ...values },
  key: ['user', 'n'],
  ttl: '30d',
  version: 'rev',
})
const salted = {
  columns: { user: text(), n: int32(), ...values, at: desc(timestamp('ms')) },
  partition: ['user'],
  key: ['at', 'n'],
  salt: bucket({ of: 'n', count: 4 }),
  ttl: '1d',
} as const
const Versioned = defineTable('copied_to', { ...salted, version: 'v' })
/** For stores without versions, where only plain writes can have an expiry. */
const Unversioned = defineTable('copied_to', {
  ...salted,
  writes: 'plain',
  stores: { kudu: { range: { of: 'at', every: 'year' }, expire: 'rotate' } },
})
const count = 600
/** Ahead of the clocks of all servers. */
const now = 2_000_000_000_000
const clock = (): number => now
const rows = Array.from({ length: count }, (_, n) => ({
  user: `user ${n % 5} \u{1f600}`,
  n,
  at: new Date(now - n * 1000),
  price: `${n}.50`,
  score: [null, -0, NaN, Infinity, n / 7][n % 5] ?? null,
  big: n % 2 === 0 ? null : 2n ** 53n + BigInt(n),
  raw: n % 3 === 0 ? null : new Uint8Array([n % 256, 0]),
  data: n % 4 === 0 ? null : { n: [n, 'x'], ä: true },
}))

/** The digest of the rows after a copy from memory to a store, and of a copy from there to LMDB. */
async function digestsOf(adapter: Adapter, name: string): Promise<readonly (string | undefined)[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rowkey-copying-'))
  const options = { clock, prefix: `copy${process.pid}_` }
  const Salted = can(adapter, 'versions') ? Versioned : Unversioned
  const [first, middle, last] = [
    createMapper(memory(), options),
    createMapper(adapter, options),
    createMapper(lmdb(join(folder, 'db'), { sync: false }), options),
  ]
  await Promise.all([first.ensureTables([Plain]), middle.ensureTables([Salted]), last.ensureTables([Plain])])
  const [from, through, to] = [first.repository(Plain), middle.repository(Salted), last.repository(Plain)]
  for (const row of rows) await from.put(row, { expires: row.n % 3 === 0 ? null : new Date(now + 1_000_000 + row.n * 1_000_000) })

  const there = await copyTable(from, through, { parallel: 4 })
  expect([there.rows, there.verified?.rows], name).toEqual([count, count])
  const progress: string[] = []
  const back = await copyTable(through, to, { parallel: 3, verify: false, onProgress: ({ checkpoint }) => progress.push(checkpoint) })
  expect(back).toEqual({ rows: count })
  // The expiries came along: to a store with records and back.
  const again = await copyTable(from, to, { overwrite: true })
  expect(again.verified?.rows).toBe(count)
  const some = await to.get({ user: rows[7]?.user ?? '', n: 7 })
  expect({ ...some, rev: null }).toEqual({ ...rows[7], rev: null })
  // From any checkpoint the rest is copied.
  const resumed = await copyTable(through, to, { checkpoint: progress[0] })
  expect(resumed.verified?.rows).toBe(count)

  await middle.dropTables([Salted])
  await last.close()
  rmSync(folder, { recursive: true })
  return [there.verified?.digest, again.verified?.digest, resumed.verified?.digest]
}

const known = digestsOf(memory(), 'memory')

test('COPY-4: a table is copied within memory and to LMDB, and its digest is the same', async () => {
  expect(new Set(await known).size).toBe(1)
})

for (const store of await openStores(0)) {
  const title = `COPY-1 COPY-3 COPY-4: a table is copied from memory to ${store.name} and on to LMDB, with expiries, and its digest is the same`
  testOn(store, title, long, () => run(store))
}

const Small = defineTable('copied_into_itself', { columns: { n: int32(), at: text() }, key: ['n'] })

/** Two clients of one store are two adapters. A copy from one to the other would rewrite the rows that it reads. */
async function intoItself(name: string, open: () => Promise<{ readonly adapter: Adapter; close(): unknown }>): Promise<void> {
  const prefix = `self${process.pid}_`
  const [a, b] = [await open(), await open()]
  const [one, other] = [createMapper(a.adapter, { prefix }), createMapper(b.adapter, { prefix })]
  await one.ensureTables([Small])
  await one.repository(Small).put({ n: 1, at: 'first' })
  const copies = [
    () => copyTable(one.repository(Small), other.repository(Small), { overwrite: true, map: (row) => ({ ...row, at: 'changed' }) }),
    () => copyTable(one.repository(Small), createMapper(a.adapter, { prefix }).repository(Small), { overwrite: true }),
  ]
  for (const copy of copies) {
    await expect(copy(), name).rejects.toThrow(`INVALID_OPTION: copyTable() cannot copy '${prefix}copied_into_itself' into itself.`)
  }
  expect(await other.repository(Small).get({ n: 1 })).toEqual({ n: 1, at: 'first' })
  // Another table of the same name, in another place of the same kind of store or at another time, is not the same.
  const elsewhere = createMapper(b.adapter, { prefix: `${prefix}2` })
  await elsewhere.ensureTables([Small])
  expect((await copyTable(one.repository(Small), elsewhere.repository(Small))).rows).toBe(1)
  const idOf = async (): Promise<unknown> =>
    b.adapter.tableId?.(other.repository(Small).schema, (await b.adapter.describeTable(`${prefix}copied_into_itself`)) as never)
  const before = await idOf()
  await one.dropTables([Small])
  await one.ensureTables([Small])
  expect([typeof before, (await idOf()) === before], name).toEqual(['string', false])
  await one.dropTables([Small])
  await elsewhere.dropTables([Small])
  await a.close()
  await b.close()
}

test('COPY-6 ADAPTER-16: a table is not copied into itself by way of two LMDB stores in one folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rowkey-copying-'))
  await intoItself('lmdb', async () => {
    const adapter = lmdb(join(folder, 'db'), { sync: false })
    return { adapter, close: () => adapter.close() }
  })
  rmSync(folder, { recursive: true })
})

for (const store of await openStores(0)) {
  const title = `COPY-6 ADAPTER-16: a table is not copied into itself by way of two clients of ${store.name}`
  testOn(store, title, long, () => intoItself(store.name, store.open))
}

async function run({ name, open }: Pick<StoreUnderTest, 'name' | 'open'>): Promise<void> {
  const { adapter, close } = await open()
  const [digest] = await known
  expect(await digestsOf(adapter, name)).toEqual([digest, digest, digest])
  await close()
}
