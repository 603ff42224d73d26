import { lmdb } from '@rowkey/lmdb'
import { createMapper, defineTable, text, uint32 } from 'rowkey'
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { afterAll, test } from 'vitest'
import { follow, refusalOf } from '../../../test/errors/follow.js'
import { gives } from '../../../test/errors/remedies.js'
import { scratchFolder } from '../../../test/kit/folder.js'

const folder = scratchFolder()
afterAll(folder.remove)

const Rows = defineTable('rows', { columns: { id: uint32(), a: text() }, key: ['id'] })

/** How many rows a store has, which is then closed. */
async function rowsOf(path: string, options = {}): Promise<number> {
  const db = createMapper(lmdb(path, options))
  await db.ensureTables([Rows])
  const count = await db.repository(Rows).readAll().count()
  await db.close()
  return count
}
async function stored(name: string): Promise<string> {
  const path = folder.path(name)
  const db = createMapper(lmdb(path))
  await db.ensureTables([Rows])
  await db.repository(Rows).putMany(Array.from({ length: 500 }, (_, id) => ({ id, a: 'x'.repeat(100) })))
  await db.close()
  return path
}
const elsewhere = (name: string) => gives(() => rowsOf(folder.path(name)), 0)

test('ERR-1: a folder in the place of the file', async () => {
  const path = folder.path('folder')
  mkdirSync(`${path}/data.mdb`, { recursive: true })
  await follow(await refusalOf('opening', () => lmdb(path)), {
    'give another folder': elsewhere('beside the folder'),
    'Remove it': gives(() => {
      rmSync(`${path}/data.mdb`, { recursive: true })
      return rowsOf(path)
    }, 0),
  })
})

test('ERR-1: a file that is not of LMDB', async () => {
  const path = await stored('other file')
  const before = readFileSync(`${path}/data.mdb`)
  writeFileSync(`${path}/data.mdb`, 'x'.repeat(10_000))
  await follow(await refusalOf('opening', () => lmdb(path)), {
    'Give another folder': elsewhere('beside the other file'),
    'restore the file': gives(() => {
      writeFileSync(`${path}/data.mdb`, before)
      return rowsOf(path)
    }, 500),
  })
})

test('ERR-1: a file that is cut off', async () => {
  const path = await stored('cut')
  const before = readFileSync(`${path}/data.mdb`)
  truncateSync(`${path}/data.mdb`, before.length >> 1)
  await follow(await refusalOf('opening', () => lmdb(path)), {
    'Restore the whole file from a backup': gives(() => {
      writeFileSync(`${path}/data.mdb`, before)
      return rowsOf(path)
    }, 500),
  })
})

test('ERR-1: a folder that cannot be made', async () => {
  writeFileSync(folder.path('file'), '')
  await follow(await refusalOf('opening', () => lmdb(folder.path('file/below'))), {
    'Give a folder that this process can read and write, or create': elsewhere('that can be made'),
  })
})

test('ERR-1: a store that is open with another option', async () => {
  const path = await stored('sync')
  const first = lmdb(path)
  await follow(await refusalOf('opening', () => lmdb(path, { sync: false })), {
    'Open it with the same option': gives(() => rowsOf(path, { sync: true }), 500),
    'close the other store first': gives(async () => {
      await first.close()
      return rowsOf(path, { sync: false })
    }, 500),
  })
})

test('ERR-1: a folder that was removed while it is open', async () => {
  const path = await stored('removed')
  const first = lmdb(path)
  rmSync(path, { recursive: true })
  await follow(await refusalOf('opening', () => lmdb(path)), {
    'Close the store there, then open it again': gives(async () => {
      await first.close()
      return rowsOf(path)
    }, 0),
  })
})

test('ERR-1: a store that is closed', async () => {
  const path = await stored('closed')
  const closed = lmdb(path)
  await closed.close()
  await follow(await refusalOf('a read', () => createMapper(closed).repository(Rows).get({ id: 1 })), {
    'Call lmdb() to open it again. Its rows are still there': gives(() => rowsOf(path), 500),
  })
})

test('ERR-1: options', async () => {
  for (const given of ['yes', 1])
    await follow(await refusalOf('opening', () => lmdb(folder.path('options'), { sync: given } as never)), {
      'Give true or false': gives(
        async () => [await rowsOf(folder.path('options'), { sync: true }), await rowsOf(folder.path('options'), { sync: false })],
        [0, 0],
      ),
    })
  await follow(await refusalOf('opening', () => lmdb(folder.path('options'), { fast: true } as never)), {
    "The only option is 'sync'": gives(() => rowsOf(folder.path('options'), { sync: true }), 0),
  })
})
