import { cassandra, microsecondTimestamps } from '@rowkey/cassandra'
import { policies } from 'cassandra-driver'
import { createMapper, type Mapper } from 'rowkey'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientOf, connect, delayed, type Connected } from './connected.js'
import { withServer } from '../../../test/setup/with-server.js'
import { Tables } from '../../../test/history/calls.js'
import { underFaults } from '../../../test/history/faults.js'
import { linearise } from '../../../test/history/linearise.js'
import type { Operation, Result } from '../../../test/history/register.js'

withServer('cassandra', (connection) => {
  const direct = Number((connection.contactPoints[0] as string).split(':')[1])
  let server: Connected
  beforeAll(async () => {
    server = await connect(connection)
  })
  afterAll(() => server.dispose())

  underFaults({
    name: 'cassandra',
    port: direct,
    // The driver has unhandled rejections where the connection by which it hears of the cluster is cut.
    survivesCuts: false,
    hasBatches: true,
    plainWrites: 'timestamps',
    async open(port) {
      const client = clientOf(
        { ...connection, contactPoints: [`127.0.0.1:${port}`] },
        {
          ...(port === direct ? {} : { socketOptions: { readTimeout: 250 } }),
          policies: {
            reconnection: new policies.reconnection.ConstantReconnectionPolicy(50),
            // The later timestamp wins. By the driver's own, of two puts by two clients within a millisecond the first one may win.
            timestampGeneration: microsecondTimestamps(policies),
          },
        },
      )
      await client.connect()
      return { adapter: cassandra(client, { keyspace: server.keyspace }), close: () => client.shutdown() }
    },
  })
  test('WRITE-8: a plain batch that comes too late for one of its rows takes effect in the other, as by the order of timestamps', async () => {
    const client = clientOf(connection, {
      socketOptions: { readTimeout: 120_000 }, // a busy server takes long to create a table
      policies: { timestampGeneration: microsecondTimestamps(policies) },
    })
    let arrive = (): void => undefined
    const arriving = new Promise<void>((resolve) => (arrive = resolve))
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    const slow = delayed(client, async (query) => {
      if (!query.startsWith('INSERT')) return
      arrive()
      await released
    })
    const mapperOf = (each: typeof client): Mapper => createMapper(cassandra(each, { keyspace: server.keyspace }))
    const [late, other] = [mapperOf(slow), mapperOf(client)]
    const history: Operation[] = []
    const timed = async (call: Operation['call'], run: (id: number) => Promise<Result>): Promise<void> => {
      const [id, begin] = [history.length + 1, performance.now()]
      const operation = { id, client: id, begin, end: Infinity, call, result: { kind: 'unknown' } } as const
      history.push(operation)
      const result = await run(id)
      history[id - 1] = { ...operation, end: performance.now(), result }
    }
    const put = (db: Mapper, rows: readonly (0 | 1)[]): Promise<void> =>
      timed({ kind: 'write', changes: rows.map((row) => ({ row, kind: 'put' })) }, async (a) => {
        const { ops } = db.repository(Tables.plain)
        await db.write(
          rows.map((row) => ops.put({ object: 'late', row, a })),
          { atomic: true },
        )
        return { kind: 'done' }
      })
    const get = (row: 0 | 1): Promise<void> =>
      timed({ kind: 'get', row }, async () => {
        const found = await other.repository(Tables.plain).get({ object: 'late', row })
        return { kind: 'done', seen: found && { a: found.a, b: found.b, n: found.n } }
      })
    try {
      await other.ensureTables([Tables.plain])
      const batch = put(late, [0, 1])
      await Promise.race([arriving, batch]) // its timestamp is chosen, and it is not sent yet
      await put(other, [1])
      await get(1)
      await get(0)
      release()
      await batch
      await get(0)
      await get(1)
    } finally {
      await client.shutdown()
    }
    const seen = history.flatMap(({ result }) => (result.kind === 'done' && 'seen' in result ? [result.seen?.a] : []))
    expect(seen).toEqual([2, undefined, 1, 2])
    expect(linearise(history)).toBe('impossible')
    expect(linearise(history, 'timestamps')).toBe('explained')
  })
})
