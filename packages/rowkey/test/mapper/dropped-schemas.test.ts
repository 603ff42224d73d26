import type { Adapter } from '#store/adapter'
import { lmdb } from '@rowkey/lmdb'
import { createMapper, type Mapper } from '#mapper'
import { memory } from '#memory'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { alive } from '../../../../test/setup/garbage.js'
import { wrapped } from '../../../../test/kit/wrapped.js'
import { dropped, madeNow, mappersOf, uses } from '../../../../test/stores/dropped.js'

/** Enough that code is compiled for layouts, rows and objects. */
const hot = 1200

function onEach(name: string, open: () => { readonly adapter: Adapter; close(): unknown }): void {
  describe(name, () => {
    test.each(Object.entries(uses))('a schema that the application has dropped is not kept alive by %s', async (_, use) => {
      const { adapter, close } = open()
      const mappers = await mappersOf(adapter, '')
      const refs: WeakRef<object>[] = []
      for (let i = 0; i < 5; i++) for (const db of mappers) refs.push(...(await dropped(db, use)))
      expect(await alive(refs)).toBe(0)
      await adapter.close()
      close()
    })
  })
}

onEach('memory', () => ({ adapter: memory(), close: () => undefined }))
onEach('lmdb', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rowkey-dropped-'))
  return { adapter: lmdb(join(folder, 'db'), { sync: false }), close: () => rmSync(folder, { recursive: true }) }
})

test('a dropped schema is not kept alive by code that was compiled for it', async () => {
  const [db] = (await mappersOf(memory(), '')) as readonly [Mapper]
  const refs = await dropped(db, async (table) => {
    for (let n = 0; n < hot; n++) {
      await table.put({ host: 'a', n })
      await table.get({ host: 'a', n })
    }
    await table.scan({ host: 'a' }).toArray()
  })
  expect(await alive(refs)).toBe(0)
})

test('a dropped schema is not kept alive by a store that never tells its catalog', async () => {
  const silent = Object.assign(wrapped(memory(), {}), { describeTable: () => new Promise<never>(() => undefined) })
  const db = createMapper(silent)
  const wait = (): readonly WeakRef<object>[] => {
    const schema = madeNow()
    void db.repository(schema).get({ host: 'a', n: 1 })
    return [new WeakRef(schema)]
  }
  expect(await alive(wait())).toBe(0)
})

test('a mapper that was dropped keeps nothing alive in its adapter', async () => {
  const adapter = memory()
  await mappersOf(adapter, '')
  const schema = madeNow()
  const use = async (): Promise<readonly WeakRef<object>[]> => {
    const db = createMapper(adapter, { prefix: 'a_' })
    const table = db.repository(schema)
    await table.get({ host: 'a', n: 1 })
    return [new WeakRef(db), new WeakRef(table.schema)]
  }
  const refs = await Promise.all(Array.from({ length: 5 }, use))
  expect(await alive(refs.flat())).toBe(0)
})

test('a table stays open as long as its repository is used, also when its model was dropped', async () => {
  const store = memory()
  await mappersOf(store, '')
  let asked = 0
  const counting = wrapped(store, {
    describeTable: (_, inner) => {
      asked++
      return inner()
    },
  })
  const db = createMapper(counting, { prefix: 'a_' })
  const tableOf = (): [WeakRef<object>, ReturnType<typeof db.repository<ReturnType<typeof madeNow>>>] => {
    const schema = madeNow()
    return [new WeakRef(schema), db.repository(schema)]
  }
  const [model, table] = tableOf()
  await table.get({ host: 'a', n: 1 })
  expect(await alive([model])).toBe(0)
  await table.get({ host: 'a', n: 1 })
  expect(asked).toBe(1)
})
