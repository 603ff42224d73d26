import { int32, nullable, text, timestamp } from '#codec'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { Column, defineTable, KeyColumn, RowKey, Table } from '#model'
import { describe, expect, test } from 'vitest'
import { codeOf, refusalOf } from '../../../../test/kit/refusal.js'

const Orders = defineTable('orders', {
  columns: { buyer: text(), at: timestamp('ms'), cents: int32(), note: nullable(text()) },
  key: ['buyer', 'at'],
  version: 'rev',
})

const key = { buyer: 'ann', at: new Date(5) }

async function open() {
  const db = createMapper(memory())
  await db.ensureTables([Orders])
  const orders = db.repository(Orders)
  await orders.put({ ...key, cents: 7 })
  return { db, orders, row: await orders.getOrThrow(key) }
}

describe('GET-1: a whole row is a key', () => {
  test('GET-1: every method takes the row as a read returned it', async () => {
    const { db, orders, row } = await open()
    expect(await orders.get(row)).toEqual(row)
    expect(await orders.exists(row)).toBe(true)
    expect(await orders.getMany([row, key])).toEqual([row, row])
    await orders.update(row, { cents: 8 })
    await orders.modify(row, ({ cents }) => ({ cents: cents + 1 }))
    expect((await orders.getOrThrow(row)).cents).toBe(9)
    expect(orders.encodeKey(row)).toEqual(orders.encodeKey(key))
    await db.write([orders.ops.update(row, { note: 'x' })])
    const { rev: _, ...withoutVersion } = row
    await orders.deleteMany([withoutVersion])
    expect(await orders.exists(row)).toBe(false)
    await orders.put(row)
    await orders.delete({ ...row })
    expect(await orders.exists(row)).toBe(false)
  })

  test('GET-1: a key with some other columns is refused, because they would not be looked at', async () => {
    const { orders, row } = await open()
    const { note: _, ...part } = row
    for (const given of [{ ...key, cents: 7 }, part, { ...row, nope: 1 }]) {
      const methods = [
        () => orders.get(given),
        () => orders.update(given, { cents: 0 }),
        () => orders.delete(given),
        () => orders.deleteMany([given]),
      ]
      for (const method of methods) expect(await codeOf(method)).toBe('UNKNOWN_COLUMN')
    }
    expect((await refusalOf(() => orders.get({ ...key, cents: 7 } as never))).message).toContain('or a whole row as a read returned it')
    expect((await orders.getOrThrow(key)).cents).toBe(7)
  })

  test('GET-1: keyOf takes the key columns of any object', async () => {
    const { orders, row } = await open()
    expect(orders.keyOf(row)).toEqual(key)
    expect(orders.keyOf({ ...key, anything: 1 } as never)).toEqual(key)
    expect(await codeOf(() => orders.keyOf({ buyer: 'ann' } as never))).toBe('INVALID_VALUE')
    expect(await codeOf(() => orders.keyOf(undefined as never))).toBe('INVALID_VALUE')
  })

  test('GET-1: instances of a class are keys, with fields that are not columns', async () => {
    @Table('notes')
    class Note {
      declare [RowKey]?: 'id'
      @KeyColumn(1, text()) id!: string
      @Column(nullable(text())) body!: string | null
      seen = false
    }
    const db = createMapper(memory())
    await db.ensureTables([Note])
    const notes = db.repository(Note)
    await notes.put({ id: '1', body: 'x', seen: true })
    const note = await notes.getOrThrow({ id: '1' })
    note.seen = true
    expect(await notes.get(note)).toEqual(await notes.get({ id: '1' }))
    expect(await notes.exists({ ...note })).toBe(true)
    await notes.delete(note)
    expect(await notes.exists({ id: '1' })).toBe(false)
  })
})

describe('WRITE-3: patches', () => {
  test('WRITE-3: undefined leaves a column as it is, null clears it', async () => {
    const { orders, row } = await open()
    await orders.update(key, { note: 'x' })
    await orders.update(key, { cents: 8, note: undefined })
    await orders.update(key, { cents: undefined, rev: undefined, buyer: undefined } as never)
    const { rev: one, ...changed } = await orders.getOrThrow(key)
    expect(changed).toEqual({ ...key, cents: 8, note: 'x' })
    expect(one).not.toBe(row.rev)
    await orders.modify(key, () => ({ note: undefined }))
    expect((await orders.getOrThrow(key)).note).toBe('x')
    await orders.update(key, { note: null })
    expect((await orders.getOrThrow(key)).note).toBeNull()
    expect(await codeOf(() => orders.update(key, { nope: undefined } as never))).toBe('UNKNOWN_COLUMN')
  })
})

test('GET-1: a row of an index class, which has the key too, is a key; an object with its columns is not', async () => {
  @Table('numbers')
  class Numbered {
    @KeyColumn(1, text()) no!: string
    @Column(text()) buyer!: string
    @Column(int32()) cents!: number
  }
  @Table('by_buyer')
  class ByBuyer {
    @KeyColumn(1, text()) buyer!: string
    @KeyColumn(2, text()) no!: string
  }
  const db = createMapper(memory())
  await db.ensureTables([Numbered, ByBuyer])
  const [numbered, byBuyer] = [db.repository(Numbered), db.repository(ByBuyer)]
  await numbered.put({ no: '1', buyer: 'ann', cents: 5 })
  await byBuyer.put({ no: '1', buyer: 'ann' })
  const entries = await byBuyer.scan({ buyer: 'ann' }).toArray()
  expect(await numbered.getMany(entries)).toEqual([{ no: '1', buyer: 'ann', cents: 5 }])
  expect(await codeOf(() => numbered.get({ no: '1', ...entries[0] }))).toBe('UNKNOWN_COLUMN')
})
