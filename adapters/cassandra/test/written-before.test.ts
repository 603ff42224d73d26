import { cassandra } from '@rowkey/cassandra'
import { test } from 'vitest'
import { connect, interrupted } from './connected.js'
import { withServer } from '../../../test/setup/with-server.js'
import { dump, restore, type CassandraKeyspace } from '../../../test/written-before/cassandra.js'
import { expectUsable, golden, type KeptCheckpoint } from '../../../test/written-before/kept.js'
import { expectSameBytes, writeRows } from '../../../test/written-before/write.js'

withServer('cassandra', (connection) => {
  test('rows of Cassandra that were written before: tables, rows, order, cursors, checkpoints, and they can be written to', async () => {
    const { checkpoints, ...tables } = golden<CassandraKeyspace & { readonly checkpoints: readonly KeptCheckpoint[] }>('cassandra')
    const { client, keyspace, adapter, dispose } = await connect(connection)
    await restore(client, keyspace, tables)
    await expectUsable(adapter, checkpoints)
    await dispose()
  })

  test('what is written to Cassandra today is what was written before, cell by cell, in the same tables', async () => {
    const { client, keyspace, dispose } = await connect(connection)
    const statements: string[] = []
    const said = interrupted(client, async (query) => {
      if (/^(CREATE|ALTER) TABLE/.test(query)) statements.push(query)
    })
    await writeRows(cassandra(said, { keyspace }))
    const { checkpoints: _, ...before } = golden<CassandraKeyspace & { readonly checkpoints: unknown }>('cassandra')
    expectSameBytes(withoutTimes(await dump(client, keyspace, statements)), withoutTimes(before))
    await dispose()
  })
})

/** Without when its cells were written, and with their time to live in hours. */
const withoutTimes = ({ statements, tables }: CassandraKeyspace): object => ({
  statements,
  tables: tables.map(({ name, columns, rows }) => ({
    ...{ name, columns },
    rows: rows.map(({ cells, ttl }) => ({ cells, ttl: ttl === undefined ? undefined : Math.round(ttl / 3600) })),
  })),
})
