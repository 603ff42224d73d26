import { int32, text } from '@rowkey/codec'
import { createMapper } from '@rowkey/mapper'
import { memory } from '@rowkey/memory'
import { defineTable, schemaFromJSON } from '@rowkey/model'
import { expect, test } from 'vitest'

const Notes = defineTable('notes', { columns: { id: text(), n: int32({ default: 0 }), m: int32({ default: 0 }) }, key: ['id'] })

async function open(rows: number) {
  const db = createMapper(memory())
  await db.ensureTables([Notes])
  const notes = db.repository(Notes)
  await notes.putMany(Array.from({ length: rows }, (_, n) => ({ id: `id-${n}`, n })))
  return notes
}

test('SCAN-8: toArray() of a full scan has every row once, with its select, filter and parts', async () => {
  const notes = await open(3000)
  const all = await notes.fullScan().toArray()
  expect(new Set(all.map(({ id }) => id)).size).toBe(3000)
  expect(all).toHaveLength(3000)
  const few = await notes.fullScan({ select: ['n'], filter: ({ n }) => n % 1000 === 7, parallel: 4 }).toArray()
  expect(few.map(({ n }) => n).sort((a, b) => a - b)).toEqual([7, 1007, 2007])
  expect(Object.keys(few[0] as object)).toEqual(['n'])
  const page = (await notes.fullScan().pages().next()).value
  expect(await notes.fullScan({ checkpoint: page?.checkpoint }).toArray()).toHaveLength(3000 - (page?.rows.length ?? 0))
  await expect(notes.fullScan({ deadline: 1 }).toArray()).rejects.toThrow(/^DEADLINE/)
  await expect(notes.fullScan({ select: ['nope'] as never }).toArray()).rejects.toThrow(/'nope'/)
})

test('a promise in place of a cursor or a checkpoint is told to be awaited', async () => {
  const notes = await open(3)
  const cursor = notes.scan({}, { allowFullScan: true }).cursorOf({ id: 'id-1' })
  await expect(notes.scan({}, { allowFullScan: true, cursor: cursor as never }).toArray()).rejects.toThrow(
    'CURSOR_INVALID: the cursor cannot be read: it is a promise, not text. Await it.',
  )
  await expect(notes.fullScan({ checkpoint: cursor as never }).toArray()).rejects.toThrow('it is a promise, not text. Await it.')
  expect(await notes.scan({}, { allowFullScan: true, cursor: await cursor }).count()).toBe(1)
})

test('an increment of a row that is missing says how it is created', async () => {
  const notes = await open(0)
  await expect(notes.increment({ id: 'x' }, { n: 1 })).rejects.toThrow('Give increment() { create: true }')
  await expect(notes.update({ id: 'x' }, { n: 1 })).rejects.toThrow('Use insert() or put() to create it.')
  await notes.increment({ id: 'x' }, { n: 1 }, { create: true })
  expect(await notes.get({ id: 'x' })).toEqual({ id: 'x', n: 1, m: 0 })
})

test('schemaFromJSON() takes the text too, and refuses what is no JSON', () => {
  const copy = schemaFromJSON(JSON.stringify(Notes))
  expect(JSON.stringify(copy)).toBe(JSON.stringify(Notes))
  expect(() => schemaFromJSON('{"format":1')).toThrow(/^INVALID_SCHEMA: .*it is no JSON/s)
  expect(() => schemaFromJSON('')).toThrow(/^INVALID_SCHEMA/)
  expect(() => schemaFromJSON('"text"')).toThrow(/^INVALID_SCHEMA/)
  expect(() => schemaFromJSON(' '.repeat(16_777_217))).toThrow('has 16777217 characters, and the maximum is 16777216')
})
