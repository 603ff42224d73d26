import { lmdb } from '@rowkey/lmdb'
import { isRowkeyError } from 'rowkey/adapter'
import { open as openFile } from 'lmdb'
import { createMapper, defineTable, int32, text, uint16 } from 'rowkey'
import { afterAll, expect, test } from 'vitest'
import { Random } from '../../../packages/rowkey/src/conformance/oracle/random.js'
import { refusalOf } from '../../../test/kit/refusal.js'
import { scratchFolder } from '../../../test/kit/folder.js'

// What LMDB returns from a file that another program has written to. Keys are in order, because LMDB itself looks them up.

const folder = scratchFolder()
afterAll(folder.remove)

const Rows = defineTable('rows', { columns: { k: uint16(), n: int32(), v: text() }, key: ['k', 'n'], ttl: '1d' })
const rows = Array.from({ length: 12 }, (_, n) => ({ k: n % 3, n, v: `v${n}` }))
const open = (name: string) => createMapper(lmdb(folder.path(name), { sync: false }))

async function stored(name: string): Promise<void> {
  const db = open(name)
  await db.ensureTables([Rows])
  await db.repository(Rows).putMany(rows)
  await db.close()
}

type Raw = ReturnType<typeof raw>
const raw = (name: string) =>
  openFile<Buffer, Buffer>(folder.path(name), { keyEncoding: 'binary', encoding: 'binary', noSubdir: false, maxDbs: 1 })

/** Changes the file as another program could. */
async function changeFile(name: string, change: (file: Raw) => void): Promise<void> {
  const file = raw(name)
  file.transactionSync(() => {
    change(file)
  })
  await file.close()
}

const catalogKey = Buffer.from([0, 0, 0, 0, 1, ...Buffer.from('rows')])
const isOfTable = (key: Buffer): boolean => key.readUInt32BE(0) === 1

type Db = ReturnType<typeof open>
const calls: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
  get: (db) => db.repository(Rows).getMany(rows.map(({ k, n }) => ({ k, n }))),
  scan: (db) => db.repository(Rows).scan({ k: 1 }).toArray(),
  reverse: (db) => db.repository(Rows).scan({}, { unbounded: true, order: 'reverse' }).toArray(),
  count: (db) => db.repository(Rows).readAll({ parallel: 3 }).count(),
  splits: (db) => db.repository(Rows).parts(3),
  purge: (db) => db.purgeExpired(Rows),
  put: (db) => db.repository(Rows).put({ k: 1, n: 1, v: 'again' }),
  insert: (db) => db.repository(Rows).insert({ k: 1, n: 1, v: 'again' }),
  update: (db) => db.repository(Rows).update({ k: 1, n: 1 }, { v: 'again' }),
  ensure: (db) => db.ensureTables([Rows]),
  drop: (db) => db.dropTables([Rows]),
}

/** One thing in the file replaced by what it cannot be. */
function damage(file: Raw, random: Random): void {
  const entries = [...file.getRange({ start: Buffer.from([0]) })]
  const { key, value } = entries[random.below(entries.length)] as { key: Buffer; value: Buffer }
  const rubbish = Buffer.from(Array.from({ length: random.below(12) }, () => random.below(256)))
  const shorter = value.subarray(0, Math.max(0, value.length - 1 - random.below(4)))
  const others: readonly (readonly [Buffer, Buffer])[] = [
    [key, rubbish],
    [key, shorter],
    [Buffer.concat([key, Buffer.from([random.below(256)])]), value],
    [key.subarray(0, Math.max(5, key.length - 1)), value],
    [key, Buffer.concat([value, rubbish, Buffer.from([0])])],
  ]
  const [otherKey, otherValue] = others[random.below(others.length)] as readonly [Buffer, Buffer]
  file.putSync(otherKey, otherValue)
}

test('ADAPTER-17: a file with one thing in it replaced: every call returns, or throws a typed error', async () => {
  const codes = new Set<string>()
  for (let seed = 1; seed <= 80; seed++) {
    const name = `replaced ${seed}`
    await stored(name)
    const random = new Random(seed)
    await changeFile(name, (file) => {
      damage(file, random)
    })
    for (const [what, call] of Object.entries(calls)) {
      try {
        const db = open(name)
        try {
          await call(db)
          codes.add('done')
        } finally {
          await db.close()
        }
      } catch (error) {
        if (!isRowkeyError(error)) throw new Error(`${what}, seed ${seed}: ${String(error)}`, { cause: error })
        codes.add(error.code)
      }
    }
  }
  expect([...codes]).toEqual(expect.arrayContaining(['done', 'CORRUPT_ROW', 'UNREADABLE_ROW', 'STORE_UNUSABLE']))
})

test('ADAPTER-17: records that are damaged are never left out silently', async () => {
  await stored('records')
  let key: Buffer | undefined
  await changeFile('records', (file) => {
    key = [...file.getKeys({ start: Buffer.from([0]) })].filter(isOfTable)[4]
    file.putSync(key as Buffer, Buffer.alloc(0))
  })
  const db = open('records')
  for (const what of ['get', 'reverse', 'count', 'purge']) {
    expect(await refusalOf(() => (calls[what] as (of: Db) => Promise<unknown>)(db)), what).toMatchObject({ code: 'CORRUPT_ROW' })
  }
  await db.close()
})

test.each([-1, 0, 1.5, 2 ** 32, 'x', null])(
  'ADAPTER-17: a catalog or a header with %s as the number of a table is STORE_UNUSABLE',
  async (number) => {
    const name = `number ${number}`
    await stored(name)
    const text = JSON.stringify(number)
    await changeFile(name, (file) => {
      const catalog = file.getBinary(catalogKey)?.toString() ?? ''
      file.putSync(catalogKey, Buffer.from(catalog.replace('"table":1', `"table":${text}`)))
    })
    for (const what of ['get', 'put', 'ensure', 'drop']) {
      const db = open(name)
      expect(await refusalOf(() => (calls[what] as (of: Db) => Promise<unknown>)(db)), what).toMatchObject({ code: 'STORE_UNUSABLE' })
      await db.close()
    }
    await changeFile(name, (file) => {
      file.putSync(Buffer.from([0, 0, 0, 0, 0]), Buffer.from(`{"store":"rowkey","format":1,"nextTable":${text}}`))
    })
    expect(await refusalOf(() => open(name))).toMatchObject({ code: 'STORE_UNUSABLE', details: { reason: 'damaged' } })
  },
)
