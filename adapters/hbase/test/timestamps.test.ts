import { hbase } from '@rowkey/hbase'
import { createMapper, defineTable, int32, nullable, text, type Mapper } from 'rowkey'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { RowTimestamps } from '../src/client/timestamps.js'
import { connect, type Connected } from './connected.js'
import { wrapped } from './wrapped.js'

const [a, b] = [Uint8Array.of(1), Uint8Array.of(2)]

test('a write after a delete of the same row is later than the delete, also within a millisecond, and however often', () => {
  const timestamps = new RowTimestamps(() => 1000)
  let before = 0n
  for (let i = 0; i < 1000; i++) {
    const deleted = timestamps.ofDelete(a)
    const put = timestamps.ofPut(a)
    expect(deleted).toBeGreaterThanOrEqual(before) // or it would leave what it deletes
    expect(put).toBeGreaterThan(deleted)
    before = put
  }
  expect(timestamps.ofPut(b)).toBe(1000n)
})

test('a clock that goes back does not put writes before a delete', () => {
  let now = 5000
  const timestamps = new RowTimestamps(() => now)
  const deleted = timestamps.ofDelete(a)
  now = 4000
  expect(timestamps.ofPut(a)).toBeGreaterThan(deleted)
})

test('what the clock has passed is forgotten', () => {
  let now = 0
  const timestamps = new RowTimestamps(() => now)
  for (let i = 0; i < 10_000; i++) timestamps.ofDelete(Uint8Array.of(i >> 8, i & 255))
  now = 10_000
  timestamps.ofDelete(a)
  expect((timestamps as unknown as { last: Map<string, number> }).last.size).toBe(1)
})

test('what is computed from a row is later than the row, also where this clock is behind', () => {
  const timestamps = new RowTimestamps(() => 1000)
  timestamps.saw(a, 5000n)
  expect(timestamps.ofPut(a)).toBe(5001n)
  timestamps.saw(b, 10n)
  expect(timestamps.ofPut(b)).toBe(1000n)
})

test('a clock that goes back behind what was forgotten does not put writes before a delete', () => {
  let now = 5000
  const timestamps = new RowTimestamps(() => now)
  const deleted = timestamps.ofDelete(a)
  now = 10_000
  timestamps.ofPut(b) // forgets the delete
  now = 4000
  expect(timestamps.ofPut(a)).toBeGreaterThan(deleted)
})

const Rows = defineTable('overtaken', { columns: { id: int32(), a: nullable(text()), n: int32() }, key: ['id'] })

withServer('hbase', (connection) => {
  let server: Connected
  let other: Mapper
  beforeAll(async () => {
    server = await connect(connection, 'http', { profile: 'lindorm', namespace: 'timestamps' })
    other = createMapper(server.adapter)
    await other.ensureTables([Rows])
  })
  afterAll(() => server.dispose())

  /** A client whose first write has its timestamp, and is overtaken on its way to the server. */
  const overtaken = (act: () => Promise<unknown>): Mapper => {
    let isFirst = true
    const client = wrapped(server.client, async (name, run, given) => {
      if (isFirst && /^(put|delete|mutate|checkAnd)/.test(name)) {
        isFirst = false
        await new Promise((resolve) => setTimeout(resolve, 5))
        await act()
      }
      return run(...given)
    })
    return createMapper(hbase(client, { profile: 'lindorm', namespace: 'timestamps' }))
  }

  test('profile lindorm: a put that a later write has overtaken is not hidden by it', async () => {
    const key = { id: 1 }
    await other.repository(Rows).put({ ...key, a: 'old', n: 0 })
    const db = overtaken(() => other.repository(Rows).increment(key, { n: 1 }))
    await db.repository(Rows).put({ ...key, a: 'new', n: 10 })
    expect(await other.repository(Rows).get(key)).toEqual({ ...key, a: 'new', n: 10 })
  })

  test('profile lindorm: a delete hides no insert that it has overtaken', async () => {
    const key = { id: 2 }
    await other.repository(Rows).put({ ...key, a: 'old', n: 0 })
    const db = overtaken(() => other.repository(Rows).delete(key))
    await db.repository(Rows).insert({ ...key, a: 'new', n: 0 })
    expect(await other.repository(Rows).get(key)).toEqual({ ...key, a: 'new', n: 0 })
  })

  test('profile lindorm: a delete that a later write has overtaken deletes that too, or comes before it', async () => {
    const key = { id: 3 }
    await other.repository(Rows).put({ ...key, a: 'old', n: 0 })
    const db = overtaken(() => other.repository(Rows).put({ ...key, a: 'new', n: 0 }))
    await db.repository(Rows).delete(key)
    expect(await other.repository(Rows).get(key)).toBeUndefined()
  })
})
