import { createMapper } from '#mapper'
import { memory } from '#memory'
import { defineTable } from '#model'
import { ulid, text } from '#codec'
import { expect, test } from 'vitest'
import { codeOf } from '../../../../test/kit/refusal.js'

const Notes = defineTable('notes', { columns: { id: ulid({ default: 'ulid' }), note: text() }, key: ['id'] })

async function open(clock: () => number) {
  const db = createMapper(memory(), { clock })
  await db.ensureTables([Notes])
  return db.repository(Notes)
}

const timeOf = (id: string): number =>
  Array.from(id.slice(0, 10)).reduce((time, digit) => time * 32 + '0123456789ABCDEFGHJKMNPQRSTVWXYZ'.indexOf(digit), 0)

test("ROW-3: default 'ulid' holds the clock, is told to the writer, and ascends within a millisecond", async () => {
  let now = Date.UTC(2026, 0, 1)
  const notes = await open(() => now)
  const ids: string[] = []
  for (let i = 0; i < 200; i++) {
    if (i % 50 === 49) now++
    ids.push((await notes.insert({ note: String(i) })).key.id)
  }
  expect(ids).toEqual([...ids].sort())
  expect(new Set(ids).size).toBe(200)
  expect([...new Set(ids.map(timeOf))]).toEqual([0, 1, 2, 3, 4].map((step) => Date.UTC(2026, 0, 1) + step))
  expect((await notes.scan({}, { unbounded: true }).toArray()).map(({ note }) => note)).toEqual(ids.map((_, i) => String(i)))
})

test('a clock that goes back is believed', async () => {
  let now = 1_000_000
  const notes = await open(() => now--)
  const first = (await notes.insert({ note: 'first' })).key.id
  expect(timeOf((await notes.insert({ note: 'second' })).key.id)).toBeLessThan(timeOf(first))
})

test.each([-1, 2 ** 48])('a time that no ULID holds is refused before anything is written: %d', async (now) => {
  const notes = await open(() => now)
  expect(await codeOf(() => notes.insert({ note: 'x' }))).toBe('INVALID_OPTION')
  await notes.insert({ id: '01ARZ3NDEKTSV4RRFFQ69G5FAV', note: 'given' })
  expect(await notes.scan({}, { unbounded: true }).count()).toBe(1)
})
