import 'reflect-metadata'
import { Column, createMapper, desc, KeyColumn, memory, Table } from 'rowkey'

// Types of columns by the types of fields: they come from the compiler's metadata.
@Table('events')
class Event {
  @KeyColumn(1) host!: string
  @KeyColumn(2, desc()) at!: Date
  @Column() count!: bigint
  @Column() isRead!: boolean
}

const db = createMapper(memory())
const events = db.repository(Event)
void db
  .ensureTables([Event])
  .then(() => events.insert({ host: 'web-1', at: new Date(0), count: 7n, isRead: true }))
  .then(() => events.scan({ host: 'web-1' }).toArray())
  .then(([row]) => {
    console.log(row instanceof Event, row?.at.toISOString(), row?.count, row?.isRead)
  })
