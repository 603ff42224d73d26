import { Column, defineTable, KeyColumn, Table, text, uint32 } from 'rowkey'

@Table('orders')
export class Order {
  @KeyColumn(1, text()) no!: string
  @Column(text()) buyer!: string
  @Column(uint32()) cents!: number
}

@Table('notes')
export class Note {
  @KeyColumn(1, text()) id!: string
  @Column(text()) body!: string
}

export const Tags = defineTable('tags', { columns: { name: text(), note: text() }, key: ['name', 'note'] })
