import { lmdb } from '@rowkey/lmdb'
import { newCatalog, RecordFormat, type Value } from 'rowkey/adapter'
import { open } from 'lmdb'
import { createMapper, defineTable, int32, text } from 'rowkey'
import { afterAll, expect, test } from 'vitest'
import { scratchFolder } from '../../../test/kit/folder.js'

const scratch = scratchFolder()
afterAll(scratch.remove)
const Notes = defineTable('notes', { columns: { id: text(), n: int32() }, key: ['id'] })

test('ADAPTER-1: a row is where locate() says, for another program too', async () => {
  const folder = scratch.path('located')
  const db = createMapper(lmdb(folder))
  await db.ensureTables([Notes])
  const notes = db.repository(Notes)
  await notes.put({ id: 'a\0b', n: 7 })
  const { key } = await notes.locate({ id: 'a\0b' })
  await db.close()

  const other = open({ path: folder, keyEncoding: 'binary', encoding: 'binary' })
  const record = other.getBinary(Buffer.from(key)) as Uint8Array
  await other.close()
  const row: Value[] = ['a\0b', null]
  new RecordFormat(Notes, newCatalog(Notes)).reader().read(record, row)
  expect(row).toEqual(['a\0b', 7])
})
