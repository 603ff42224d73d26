import { bucket, int32, text } from '#codec'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { defineTable } from '#model'
import { expect, test } from 'vitest'

const Old = defineTable('rows', {
  columns: { host: text(), n: int32(), note: text() },
  key: ['host', 'n'],
  salt: bucket({ of: 'host', count: 4 }),
})
const New = defineTable('rows', {
  columns: { hostName: text({ name: 'host' }), count: int32({ name: 'n' }), remark: text({ name: 'note' }) },
  key: ['hostName', 'count'],
  salt: bucket({ of: 'hostName', count: 4 }),
})

test('TABLE-2 PAGE-3: properties may be renamed under their names in the store; rows and cursors stay good', async () => {
  const adapter = memory()
  const before = createMapper(adapter)
  await before.ensureTables([Old])
  const old = before.repository(Old)
  await old.putMany([1, 2, 3].map((n) => ({ host: 'web', n, note: `note ${n}` })))
  const { cursor = '' } = await old.scan({ host: 'web' }).page({ size: 1 })

  const after = createMapper(adapter)
  await after.ensureTables([New])
  const rows = after.repository(New)
  expect(await rows.get({ hostName: 'web', count: 2 })).toEqual({ hostName: 'web', count: 2, remark: 'note 2' })
  const next = await rows.scan({ hostName: 'web' }).page({ cursor })
  expect(next.rows.map(({ count }) => count)).toEqual([2, 3])
})
