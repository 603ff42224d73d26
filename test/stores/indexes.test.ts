import { bucket, createMapper, defineTable, desc, int32, nullable, text, timestamp, type Adapter, type Mapper } from 'rowkey'
import { scaled } from '@rowkey/servers/scale'
import { expect, test } from 'vitest'
import { Random } from '../../packages/rowkey/src/conformance/oracle/random.js'
import { delegate } from '../../packages/rowkey/src/conformance/delegate.js'
import { can } from '../kit/lacks.js'
import { openStores, long, testOn } from './open.js'

const seed = Number(process.env.ROWKEY_SEED ?? 20_261_128)
const dayMs = 86_400_000

const columns = { no: int32(), tag: text(), owner: nullable(text()), at: desc(timestamp('ms')), n: int32() }
const indexes = {
  byTag: { partition: ['tag'], key: ['at'] },
  byOwner: { key: ['owner', 'n'], salt: bucket({ of: 'owner', count: 4 }) },
} as const

const modelFor = (adapter: Adapter) =>
  can(adapter, 'versions')
    ? defineTable('indexed', { columns, key: ['no'], salt: bucket({ of: 'no', count: 2 }), version: 'rev', indexes })
    : defineTable('indexed', { columns, key: ['no'], salt: bucket({ of: 'no', count: 2 }), writes: 'plain', indexes })

/** A program that dies between two calls of the store now and then. */
function dying(adapter: Adapter, random: Random, died: () => void): Adapter {
  return delegate(adapter, {
    write(batch, options) {
      if (!random.chance(0.1)) return adapter.write(batch, options)
      died()
      return new Promise(() => undefined)
    },
  })
}

const tags = ['a', 'b', 'c']
const owners = [null, 'x', 'y']

async function changeRows(
  adapter: Adapter,
  prefix: string,
  model: ReturnType<typeof modelFor>,
  random: Random,
  dies: boolean,
): Promise<void> {
  let died: () => void = () => undefined
  // Another program goes on where one has died.
  const begin = () => {
    const db = createMapper(dies ? dying(adapter, random, () => died()) : adapter, { prefix })
    return db.repository(model as never) as never as ReturnType<typeof repositoryOf>
  }
  let rows = begin()
  const isPlain = model.writes === 'plain'
  const rowOf = () => ({
    no: random.below(30),
    tag: random.pick(tags),
    owner: random.pick(owners),
    at: new Date(1000 * random.below(5)),
    n: random.below(3),
  })
  for (let i = 0; i < scaled(60); i++) {
    const row = rowOf()
    const [kind] = [random.below(isPlain ? 3 : 6)]
    const change = async (): Promise<unknown> => {
      if (kind === 0) return rows.delete({ no: row.no })
      if (kind === 1) return rows.putMany([row, rowOf(), rowOf()])
      if (kind === 2) return rows.put(row)
      if (kind === 3) return rows.update({ no: row.no }, { tag: row.tag })
      if (kind === 4) return rows.modify({ no: row.no }, () => ({ owner: row.owner }))
      return rows.upsert(row)
    }
    const death = new Promise<void>((resolve) => {
      died = () => {
        rows = begin()
        resolve()
      }
    })
    await Promise.race([change(), death]).catch((error: unknown) => {
      if (!/ROW_NOT_FOUND|VERSION_CONFLICT|WRITE_FAILED|WRITE_INCOMPLETE/.test(String(error))) throw error
    })
  }
}

const repositoryOf = (db: Mapper) => db.repository(defineTable('indexed', { columns, key: ['no'], version: 'rev', indexes }))

for (const store of await openStores(0)) {
  const { name } = store
  testOn(store, `INDEX-1 INDEX-2: ${name} keeps the indexes of rows that several programs change, and some of them die`, long, async () => {
    const { adapter, close } = await store.open()
    const model = modelFor(adapter)
    const random = new Random(seed)
    const prefix = `ix${process.pid}_`
    const db = createMapper(adapter, { prefix })
    await db.ensureTables([model])
    await Promise.all([0, 1, 2, 3].map((i) => changeRows(adapter, prefix, model, new Random(seed + i), i === 0)))
    const rows = db.repository(model as never) as never as ReturnType<typeof repositoryOf>
    const all = await rows.readAll().toArray()
    expect(all.length).toBeGreaterThan(0)
    let stale = 0
    for (let i = 0; i < scaled(40); i++) {
      const [index, where, keep] = random.chance(0.5)
        ? (() => {
            const tag = random.pick(tags)
            const from = new Date(1000 * random.below(5))
            const n = random.below(3)
            return ['byTag', { tag, at: { gte: from }, n }, (row: (typeof all)[number]) => row.tag === tag && row.at >= from && row.n === n] as const // prettier-ignore
          })()
        : (() => {
            const owner = random.pick(['x', 'y'])
            return ['byOwner', { owner }, (row: (typeof all)[number]) => row.owner === owner] as const
          })()
      const scan = rows.scan(where as never, { index })
      const found: (typeof all)[number][] = []
      for (let cursor: string | undefined; ;) {
        const page = await scan.page({ size: 4, cursor })
        found.push(...page.rows)
        stale += page.stats.index?.stale ?? 0
        if ((cursor = page.cursor) === undefined) break
      }
      const order = (a: (typeof all)[number], b: (typeof all)[number]): number =>
        (index === 'byTag' ? b.at.getTime() - a.at.getTime() : a.n - b.n) || a.no - b.no
      expect(found).toEqual(all.filter(keep).toSorted(order))
    }
    expect(stale).toBeGreaterThan(0)
    const later = createMapper(adapter, { prefix, clock: () => Date.now() + 2 * dayMs })
    for (const index of ['byTag', 'byOwner']) {
      const report = await later.verifyIndex(model, index, { repair: true })
      expect(report).toMatchObject({ missing: 0, rows: all.length })
      const again = await later.verifyIndex(model, index)
      expect(again).toMatchObject(model.writes === 'plain' ? { missing: 0 } : { missing: 0, stale: 0 })
    }
    await db.dropTables([model])
    await close()
  })
}

const expiring = { columns: { id: text(), user: text() }, key: ['id'], ttl: '1h', indexes: { byUser: { key: ['user'] } } } as const

for (const store of await openStores(0)) {
  testOn(
    store,
    `INDEX-4: ${store.name} finds a row that expires by its index, whatever other writes said of its expiry`,
    long,
    async () => {
      const { adapter, close } = await store.open()
      const isPlain = !can(adapter, 'versions')
      const model = isPlain
        ? defineTable('expiring', { ...expiring, writes: 'plain' })
        : defineTable('expiring', { ...expiring, version: 'rev' })
      const db = createMapper(adapter, { prefix: `ie${process.pid}_` })
      try {
        if (store.name === 'kudu') {
          await expect(db.ensureTables([model])).rejects.toThrow(/NOT_SUPPORTED: kudu does not let single rows expire/)
          return
        }
        await db.ensureTables([model])
        const rows = db.repository(model as never) as never as ReturnType<typeof sessionsOf>
        const row = { id: 's1', user: 'ann' }
        const found = async (user: string): Promise<readonly string[]> =>
          (await rows.scan({ user }, { index: 'byUser' }).toArray()).map(({ id }) => id)
        for (const days of [30, 1, 7]) await rows.put(row, { expires: new Date(Date.now() + days * dayMs) })
        expect(await found('ann')).toEqual(['s1'])
        if (!isPlain) {
          await expect(rows.insert(row, { expires: new Date(Date.now() + 1000) })).rejects.toMatchObject({ code: 'ROW_EXISTS' })
          await rows.update({ id: 's1' }, { user: 'bob' })
          expect(await found('bob')).toEqual(['s1'])
        }
        await rows.put({ id: 's1', user: 'eve' }, { expires: null })
        expect([await found('ann'), await found('bob'), await found('eve')]).toEqual([[], [], ['s1']])
        expect(await db.verifyIndex(model as never, 'byUser')).toMatchObject({ rows: 1, missing: 0 })
      } finally {
        if (store.name !== 'kudu') await db.dropTables([model])
        await close()
      }
    },
  )
}

const sessionsOf = (db: Mapper) => db.repository(defineTable('expiring', { ...expiring, version: 'rev' }))

test('a store is in the list', async () => {
  expect((await openStores(0)).length).toBeGreaterThan(0)
})
