const { createMapper, defineTable, memory, text } = require('rowkey')
const { keyLayout, toHex } = require('rowkey/codec')

const Notes = defineTable('notes', { columns: { id: text(), body: text() }, key: ['id'] })
const db = createMapper(memory())
db.ensureTables([Notes])
  .then(() => db.repository(Notes).insert({ id: '1', body: 'plain' }))
  .then(() => db.repository(Notes).get({ id: '1' }))
  .then((row) => console.log(row.body, toHex(keyLayout([['id', text()]]).encode({ id: row.id }))))
