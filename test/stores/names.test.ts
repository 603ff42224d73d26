import {
  type Adapter,
  bucket,
  copyTable,
  createMapper,
  defineTable,
  int32,
  memory,
  nullable,
  type Repository,
  type TableSchema,
  text,
} from 'rowkey'
import { lmdb } from '@rowkey/lmdb'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { can } from '../kit/lacks.js'
import { openStores, long, testOn } from './open.js'

// Names that stores and JavaScript could take for something else: keys of another table, parts of expressions, properties of objects.
const tables = ['t', 't.00', 't.0', 't:catalog', 't-v2', 'ns:t', 'constructor', '__proto__', 'hasOwnProperty', `long${'.x'.repeat(60)}`]
const columns = ['constructor', '__proto__', 'toString', 'size', 'a.b', 'a-b', 'a:b', '0', '0.1', 'values', 'hasOwnProperty', 'rows']
const rows = 40

async function readsBack(adapter: Adapter, prefix: string): Promise<readonly string[]> {
  const accepted = tables.filter((name) => adapter.names?.table?.fits(prefix + name) !== false)
  const names = columns.filter((name) => adapter.names?.column?.fits(name) !== false)
  const db = createMapper(adapter, { prefix })
  const models = accepted.map((name) =>
    defineTable(name, {
      columns: {
        k: text({ name: 'k-1' }),
        n: int32({ name: 'n.1' }),
        ...Object.fromEntries(names.map((physical, i) => [`c${i}`, nullable(text({ name: physical }))] as const)),
      },
      key: ['k', 'n'],
      salt: bucket({ of: 'n', count: 2 }),
    }),
  )
  await db.ensureTables(models)
  const values = Object.fromEntries(names.map((_, i) => [`c${i}`, `${i}`]))
  for (const model of models) {
    const table: Repository<TableSchema> = db.repository<TableSchema>(model)
    await table.putMany(Array.from({ length: rows }, (_, n) => ({ k: model.name, n, ...(n % 2 === 0 ? {} : values) })))
    await table.put({ k: model.name, n: 0, ...values })
    await table.update({ k: model.name, n: 0 }, { c0: null }, can(adapter, 'columns') ? { if: { c0: '0' } } : {})
    await table.delete({ k: model.name, n: rows - 1 })
  }
  // Other mappers read catalogs, cursors and checkpoints again, when all tables are there.
  for (const model of models) {
    const table = createMapper(adapter, { prefix }).repository<TableSchema>(model)
    expect(await table.get({ k: model.name, n: 0 })).toEqual({ k: model.name, n: 0, ...values, c0: null })
    expect(await table.get({ k: model.name, n: 2 })).toEqual({
      k: model.name,
      n: 2,
      ...Object.fromEntries(names.map((_, i) => [`c${i}`, null])),
    })
    expect(await table.get({ k: model.name, n: 3 })).toEqual({ k: model.name, n: 3, ...values })
    const where = { k: model.name, c1: '1' }
    const first = await table.scan(where).page({ size: 2 })
    const second = await table.scan(where).page({ size: 2, cursor: first.cursor })
    expect([...first.rows, ...second.rows].map(({ n }) => n)).toEqual([0, 1, 3, 5])
    const pages = await table.readAll().pages().next()
    const { checkpoint = '', rows: seen = [] } = pages.value ?? {}
    expect(seen.length + (await table.readAll({ checkpoint }).count())).toBe(rows - 1)
    let saved = ''
    const target = createMapper(memory())
    await target.ensureTables([model])
    const to = target.repository<TableSchema>(model)
    await copyTable(table, to, { verify: false, onProgress: (progress) => void (saved = progress.checkpoint) })
    expect((await copyTable(table, to, { checkpoint: saved })).verified?.rows).toBe(rows - 1)
  }
  // What one table is called is no part of another.
  const [gone, ...left] = models
  if (gone !== undefined) await db.dropTables([gone])
  for (const model of left) expect(await createMapper(adapter, { prefix }).repository(model).scan({ k: model.name }).count()).toBe(rows - 1)
  for (const model of left) await db.dropTables([model])
  return accepted
}

test('TABLE-6 COPY-5: all texts about a table are read back whatever its names are, in memory and LMDB', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rowkey-names-'))
  const file = lmdb(join(folder, 'db'), { sync: false })
  for (const adapter of [memory(), file]) expect(await readsBack(adapter, '')).toEqual(tables)
  await file.close()
  rmSync(folder, { recursive: true })
})

for (const store of await openStores(1)) {
  testOn(store, `TABLE-6 COPY-5: all texts about a table are read back whatever its names are, on ${store.name}`, long, async () => {
    const { adapter, close } = await store.open()
    const accepted = await readsBack(adapter, `n${process.pid}`)
    expect(accepted.length).toBeGreaterThan(2)
    await adapter.close()
    await close()
  })
}
