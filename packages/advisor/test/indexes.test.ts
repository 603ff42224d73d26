import { defineTable, text, timestamp } from 'rowkey'
import { expect, test } from 'vitest'
import { advise } from '../src/index.js'

test('the entries of an index are judged as a table', () => {
  const Events = defineTable('events', {
    columns: { id: text(), host: text(), at: timestamp('ms') },
    key: ['id'],
    indexes: { byTime: { key: ['at'] }, byHost: { key: ['host', 'at'] } },
  })
  const found = advise(Events, { store: 'hbase', queries: [{ table: 'events_byHost', where: { host: '=' } }] }).findings
  expect(found.filter(({ code }) => code === 'monotonic-first').map(({ table }) => table)).toEqual(['events_byTime'])
})
