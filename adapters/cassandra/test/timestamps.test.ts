import { cassandra, microsecondTimestamps } from '@rowkey/cassandra'
import { policies, type Client } from 'cassandra-driver'
import { defineTable, nullable, text } from 'rowkey'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { clientOf, connect } from './connected.js'
import { open } from './tables.js'

type Generator = policies.timestampGeneration.TimestampGenerator

/** A client, as far as a generator uses it. */
const logged: string[] = []
const client = { log: (level: string) => logged.push(level) } as unknown as Client

describe('timestamps in microseconds', () => {
  afterEach(() => {
    vi.restoreAllMocks()
    logged.length = 0
  })

  /** Both clocks of the machine, moved by hand. */
  const clocks = (): { wall: number; elapsed: number } => {
    const at = { wall: Math.ceil(performance.timeOrigin) + 5000, elapsed: 0 }
    at.elapsed = at.wall - performance.timeOrigin
    vi.spyOn(Date, 'now').mockImplementation(() => Math.floor(at.wall))
    vi.spyOn(performance, 'now').mockImplementation(() => at.elapsed)
    return at
  }
  const pass = (at: { wall: number; elapsed: number }, ms: number): void => {
    at.wall += ms
    at.elapsed += ms
  }

  test('they are of the clock of the machine, and each is later than the one before', () => {
    const generator = microsecondTimestamps(policies)
    const before = Date.now() * 1000
    const all = Array.from({ length: 20_000 }, () => generator.next(client) as number)
    expect(all.every((timestamp, i) => Number.isInteger(timestamp) && (i === 0 || timestamp > (all[i - 1] as number)))).toBe(true)
    expect(all[0]).toBeGreaterThanOrEqual(before)
    expect(all.at(-1)).toBeLessThan((Date.now() + 20) * 1000) // at most one per microsecond ahead
  })

  test('of two generators the later call has the later timestamp, also within a millisecond, where those of the driver fail', () => {
    const at = clocks()
    /** Calls of two generators in turn that were not later than the call before. */
    const wrong = (make: () => Generator): number => {
      const [one, other] = [make(), make()]
      let [last, count] = [0, 0]
      for (let i = 0; i < 100; i++) {
        pass(at, 0.05)
        for (let more = i % 7; more > 0; more--) one.next(client)
        const timestamp = (i % 2 === 0 ? one : other).next(client) as number
        if (timestamp <= last) count++
        last = timestamp
      }
      return count
    }
    expect(wrong(() => microsecondTimestamps(policies))).toBe(0)
    expect(wrong(() => new policies.timestampGeneration.MonotonicTimestampGenerator(1000, 1000))).toBeGreaterThan(10)
  })

  test('they go on where the clock is set back, and the client warns', () => {
    const at = clocks()
    const generator = microsecondTimestamps(policies)
    const first = generator.next(client) as number
    at.wall -= 3_600_000
    expect(generator.next(client)).toBe(first + 1)
    expect(logged).toEqual(['warning'])
    pass(at, 3_600_001)
    expect(generator.next(client)).toBeGreaterThan(first + 500)
  })

  test('they follow a clock that is set forward, and a machine that slept', () => {
    const at = clocks()
    const generator = microsecondTimestamps(policies)
    generator.next(client)
    at.wall += 3_600_000.4
    expect(generator.next(client)).toBe(Math.floor(at.wall) * 1000)
    pass(at, 7.3)
    const lag = at.wall * 1000 - (generator.next(client) as number)
    expect(lag).toBeGreaterThan(-1)
    expect(lag).toBeLessThan(1000)
  })
})

withServer('cassandra', (connection) => {
  test('every plain write has one timestamp of the generator of its client', async () => {
    const server = await connect(connection)
    const schema = defineTable('written', {
      columns: { group: text(), k: text(), v: nullable(text()) },
      partition: ['group'],
      key: ['k'],
      writes: 'plain',
    })
    const timestampGeneration = microsecondTimestamps(policies)
    const own = clientOf(connection, { policies: { timestampGeneration } })
    try {
      const table = await open(cassandra(own, { keyspace: server.keyspace }), schema)
      const given = vi.spyOn(timestampGeneration, 'next')
      await table.put(['g', 'alone', 'x'])
      await table.put(['g', 'one', 'x'], ['g', 'other', 'x'])
      const { rows } = await own.execute(`SELECT k, writetime(v) AS at FROM ${server.keyspace}.written`)
      const [alone, together] = given.mock.results.map(({ value }) => Number(value))
      expect(given.mock.results.length).toBe(3) // the last is that of the SELECT
      expect(rows.map((row) => [String(row['k']), Number(row['at'])])).toEqual([
        ['alone', alone],
        ['one', together],
        ['other', together],
      ])
    } finally {
      await own.shutdown()
      await server.dispose()
    }
  })
})
