import { conformance } from 'rowkey/conformance'
import { cassandra40, type CassandraConnection } from '@rowkey/servers'
import { createMapper, bytes, defineTable, nullable, text } from 'rowkey'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect, overSilentWire } from '../connected.js'
import { build, race } from '../race.js'

describe('Cassandra 4.0', () => {
  let connection: CassandraConnection
  let stop: () => Promise<void>
  beforeAll(async () => {
    const server = await cassandra40.start()
    connection = server.connection
    stop = () => server.stop()
  })
  afterAll(() => stop())

  test('INVALID_OPTION: a compaction that came with 5.0', async () => {
    const { adapter, dispose } = await connect(connection)
    const model = defineTable('unified', { columns: { k: text() }, key: ['k'], stores: { cassandra: { compaction: 'Unified' } } })
    await expect(createMapper(adapter).ensureTables([model])).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringMatching(
        /the server is Cassandra 4\.0\.\d+, which does not have it\. Use 'SizeTiered'.*or Cassandra 5\.0/,
      ) as string,
      details: { option: 'stores.cassandra.compaction', value: 'Unified' },
    })
    await dispose()
  })

  test('WRITE-15: an atomic batch is either refused before it is sent or taken', async () => {
    const { adapter, dispose } = await connect(connection)
    const columns = { group: text(), k: text(), raw: nullable(bytes()) }
    for (const writes of ['plain', 'conditional'] as const) {
      const schema = defineTable(`heavy_${writes}`, { columns, partition: ['group'], key: ['k'], writes })
      adapter.table(schema, await adapter.ensureTable(schema))
      const put = (k: number, length: number) => ({ schema, kind: 'put', row: ['g', `k${k}`, new Uint8Array(length)] }) as const
      const full = [...Array.from({ length: 54 }, (_, k) => put(k, 300_000)), put(54, 16_515_072 - 54 * 300_000 - 55 * 400)]
      const outcomes = await adapter.write(full, { now: Date.now(), atomic: 'full' })
      expect(outcomes.map(({ kind }) => kind)).toEqual(full.map(() => 'applied'))
      const more = [...full, put(55, 300_000)]
      await expect(adapter.write(more, { now: Date.now(), atomic: 'more' })).rejects.toMatchObject({ code: 'ATOMIC_SCOPE' })
    }
    await dispose()
  })

  test('ADAPTER-7: processes that change a table at once', { timeout: 3_600_000 }, async () => {
    build()
    const { client, keyspace, dispose } = await connect(connection)
    const { seen, bad } = await race({ ...connection, keyspace }, 6, 3)
    console.log(`Cassandra 4.0: ${JSON.stringify(seen)}`)
    expect(bad).toEqual([])
    expect(client.getState().getConnectedHosts()).toHaveLength(1)
    await dispose()
  })

  conformance({
    test,
    afterAll,
    createAdapter: () => overSilentWire(connection),
    capabilities: { reverse: true, conditions: 'columns' },
  })
})
