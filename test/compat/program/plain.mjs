import { Column, createMapper, KeyColumn, memory, Table, text } from 'rowkey'

// Decorators are functions: JavaScript without a compiler calls them.
class Note {}
KeyColumn(1, text())(Note.prototype, 'id')
Column(text())(Note.prototype, 'body')
Table('notes')(Note)

const db = createMapper(memory())
await db.ensureTables([Note])
await db.repository(Note).insert({ id: '1', body: 'plain' })
const row = await db.repository(Note).get({ id: '1' })
console.log(row instanceof Note, row.body)
