import { cassandra } from '@rowkey/cassandra'
import { createMapper, defineTable, desc, int32, nullable, text, timestamp, type TableSchema } from 'rowkey'
import type { Mutation } from 'rowkey/adapter'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { clientOf, connect, interrupted, type Connected } from './connected.js'
import { kinds, open, opened, type Change } from './tables.js'

const kept = (values: readonly string[], name = 'kept', writes: 'plain' | 'conditional' = 'conditional'): TableSchema =>
  defineTable(name, {
    columns: { k: int32(), ...Object.fromEntries(values.map((value) => [value, nullable(text())])) },
    key: ['k'],
    writes,
  })

withServer('cassandra', (connection) => {
  let server: Connected
  beforeAll(async () => {
    server = await connect(connection)
  })
  afterAll(() => server.dispose())
  const cql = (statement: string): Promise<{ rows: readonly object[] }> =>
    server.client.execute(statement.replaceAll('$', `${server.keyspace}.`))

  test('ensureTable executes what ddl() says, and a table made by hand from it is taken as it is', async () => {
    const schema = kept(['a', 'b'], 'by_hand')
    for (const statement of server.adapter.ddl(schema).statements) await server.client.execute(statement)
    await cql(`INSERT INTO $by_hand (rk_bucket, k, a) VALUES (0, 1, 'x')`)
    expect(await server.adapter.describeTable('by_hand')).toBeUndefined()
    const table = await open(server.adapter, schema)
    expect(await table.get(1)).toEqual([1, 'x', null])
  })

  test('TABLE-2: another table by that name is SCHEMA_MISMATCH with what would mend it, and stays as it is', async () => {
    const schema = defineTable('foreign', {
      columns: { host: text(), at: desc(timestamp('ms')), n: nullable(int32()) },
      partition: ['host'],
      key: ['at'],
    })
    const key = 'host text, at timestamp'
    const others: readonly (readonly [string, string])[] = [
      [`${key}, n int, PRIMARY KEY (host, at)`, 'the primary key is ((host text), at timestamp ASC), but the model needs ((host text), at timestamp DESC)'],
      [`rk_bucket int, ${key}, n int, PRIMARY KEY ((rk_bucket, host), at)`, 'at timestamp ASC), but the model needs'],
      [`rk_bucket int, host blob, at timestamp, PRIMARY KEY ((rk_bucket, host), at)) WITH CLUSTERING ORDER BY (at DESC`, 'host blob'],
      [`rk_bucket int, ${key}, n text, PRIMARY KEY ((rk_bucket, host), at)) WITH CLUSTERING ORDER BY (at DESC`, `column 'n' is regular text, but the model needs regular int; give the column another name with { name }`],
      [`rk_bucket int, ${key}, rk_guard boolean, PRIMARY KEY ((rk_bucket, host), at)) WITH CLUSTERING ORDER BY (at DESC`, `column 'rk_guard' is regular boolean, but the model needs static boolean`],
    ] // prettier-ignore
    /** What the message says to do instead of it, whose values may be somebody's. */
    const instead = (message: string) =>
      message.includes('{ name }')
        ? defineTable('foreign', {
            columns: { host: text(), at: desc(timestamp('ms')), n: nullable(int32({ name: 'n_of_rows' })) },
            partition: ['host'],
            key: ['at'],
          })
        : defineTable('foreign_other', {
            columns: { host: text(), at: desc(timestamp('ms')), n: nullable(int32()) },
            partition: ['host'],
            key: ['at'],
          })
    for (const [columns, message] of others) {
      await cql(`CREATE TABLE $foreign (${columns})`)
      const before = (
        await cql(`SELECT * FROM system_schema.columns WHERE keyspace_name = '${server.keyspace}' AND table_name = 'foreign'`)
      ).rows
      await expect(server.adapter.ensureTable(schema)).rejects.toThrow(message)
      await expect(server.adapter.ensureTable(schema)).rejects.toMatchObject({
        code: 'SCHEMA_MISMATCH',
        details: { table: 'foreign' },
      })
      const after = (await cql(`SELECT * FROM system_schema.columns WHERE keyspace_name = '${server.keyspace}' AND table_name = 'foreign'`))
        .rows
      expect(after).toEqual(before)
      expect(await server.adapter.describeTable('foreign')).toBeUndefined()
      // Nobody is told to drop what belongs to others, and it is not dropped.
      await expect(server.adapter.ensureTable(schema)).rejects.not.toThrow('DROP')
      const dropped = server.adapter.dropTable('foreign')
      await expect(dropped).rejects.toMatchObject({ code: 'SCHEMA_MISMATCH', details: { table: 'foreign' } })
      await expect(dropped).rejects.toThrow('so it was not dropped. It belongs to another program.')
      expect((await cql('SELECT * FROM $foreign')).rows).toEqual([])
      const other = instead(message)
      expect(await server.adapter.ensureTable(other)).toBeDefined()
      expect(await server.adapter.describeTable(other.name)).toBeDefined()
      await server.adapter.dropTable(other.name)
      await cql('DROP TABLE IF EXISTS $foreign')
    }
  })

  test('ADAPTER-7: clients that make a table, and make it grow, at once', async () => {
    const clients = [1, 2, 3].map(() => clientOf(connection))
    const adapters = clients.map((client) => cassandra(client, { keyspace: server.keyspace }))
    try {
      for (let round = 0; round < 3; round++) {
        const models = [['b'], ['m'], ['b', 'z']].map((values) => kept(values, `raced_${round}`))
        await Promise.all(adapters.map((adapter, i) => adapter.ensureTable(models[i] as TableSchema)))
        const catalog = await server.adapter.describeTable(`raced_${round}`)
        expect(catalog?.valueColumns.toSorted()).toEqual(['b', 'm', 'z'])
        const whole = await open(server.adapter, kept(['b', 'm', 'z'], `raced_${round}`))
        await whole.put([1, 'b', 'm', 'z'])
        expect(await whole.get(1)).toEqual([1, 'b', 'm', 'z'])
      }
    } finally {
      await Promise.all(clients.map((client) => client.shutdown()))
    }
  })

  test('WRITE-2: a put clears the columns that another client has added, once this one has heard of them', async () => {
    const client = clientOf(connection)
    const theirs = cassandra(client, { keyspace: server.keyspace })
    // By itself the driver waits for a second without any change of tables, which other tests on this server may not leave it.
    const heard = (): Promise<void> => server.client.metadata.refreshKeyspace(server.keyspace)
    try {
      for (const writes of ['plain', 'conditional'] as const) {
        const name = `added_${writes}`
        const old = await open(server.adapter, kept(['b'], name, writes))
        await old.put([0, 'x'])
        const grown = await open(theirs, kept(['a', 'b'], name, writes))
        await grown.put([1, 'a', 'b'])
        await heard()
        await old.put([1, 'put'])
        expect(await grown.get(1)).toEqual([1, null, 'put'])
      }
      // Under a condition too, which replaces a row in another way.
      const like = (values: readonly string[]): TableSchema =>
        defineTable('added_versions', {
          columns: { k: int32(), ...Object.fromEntries(values.map((value) => [value, nullable(text())])) },
          key: ['k'],
          version: 'rev',
        })
      const old = await open(server.adapter, like(['b']))
      const grown = await open(theirs, like(['a', 'b']))
      await grown.put([1, 'a', 'b', 'v1'])
      await heard()
      expect(kinds(await old.write([{ kind: 'put', row: [1, 'put', 'v2'], version: 'v1' }]))).toEqual(['applied'])
      expect(await grown.get(1)).toEqual([1, null, 'put', 'v2'])
    } finally {
      await client.shutdown()
    }
  })

  test('TABLE-1: a table dropped and made anew with other types under an open client reads and writes the new types', async () => {
    const texts = defineTable('anew', { columns: { k: text(), v: nullable(int32()) }, key: ['k'] })
    const numbers = defineTable('anew', { columns: { k: int32(), v: nullable(text()) }, key: ['k'] })
    const table = await open(server.adapter, texts)
    await table.put(['x', 7])
    expect(await table.get('x')).toEqual(['x', 7])
    await server.adapter.dropTable('anew')
    await expect(table.get('x')).rejects.toMatchObject({ code: 'TABLE_NOT_FOUND' })
    // Of its own rows only: a batch may have those of other tables.
    expect(await table.write([{ kind: 'put', row: ['x', 7] }])).toMatchObject([{ kind: 'failed', cause: { code: 'TABLE_NOT_FOUND' } }])
    const again = await open(server.adapter, numbers)
    expect(await again.scan()).toEqual([])
    await again.put([7, 'x'])
    expect(await again.get(7)).toEqual([7, 'x'])
    expect(await again.scan()).toEqual([[7, 'x']])
  })

  test('a table that was dropped by hand, or by somebody who ended in between, is made anew', async () => {
    const schema = kept(['a'], 'half')
    const table = await open(server.adapter, schema)
    await table.put([1, 'x'])
    await cql('DROP TABLE $half')
    expect((await server.adapter.describeTable('half'))?.valueColumns).toEqual(['a']) // its catalog is still there
    await expect(table.scan()).rejects.toMatchObject({ code: 'TABLE_NOT_FOUND' })
    const again = await open(server.adapter, kept(['a', 'b'], 'half'))
    await again.put([1, 'x', 'y'])
    expect(await again.scan()).toEqual([[1, 'x', 'y']])
    // The other half: the table is made, its catalog is not.
    await cql(`DELETE FROM $rk_catalog WHERE name = 'half'`)
    expect(await (await open(server.adapter, kept(['a', 'b', 'c'], 'half'))).scan()).toEqual([[1, 'x', 'y', null]])
  })

  test('a catalog that cannot be read is SCHEMA_MISMATCH, and nothing is made of it', async () => {
    await open(server.adapter, kept([], 'damaged'))
    for (const catalog of ['', '{', 'null', '7', '{"values":1}']) {
      await server.client.execute(`UPDATE ${server.keyspace}.rk_catalog SET catalog = ? WHERE name = 'damaged'`, [catalog])
      await expect(server.adapter.describeTable('damaged')).rejects.toMatchObject({ code: 'SCHEMA_MISMATCH' })
    }
  })

  test('ERR-1: a keyspace that does not exist is INVALID_OPTION with the statement that makes it', async () => {
    const adapter = cassandra(server.client, { keyspace: 'nowhere' })
    const message = "keyspace cannot be 'nowhere', which does not exist. Create it with the replication you want"
    await expect(adapter.describeTable('kept')).rejects.toThrow(message)
    await expect(adapter.ensureTable(kept([]))).rejects.toThrow(message)
    await expect(createMapper(adapter).repository(kept([])).get({ k: 1 })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })

  test('ADAPTER-6: no row of a batch is taken for written where the table is gone', async () => {
    for (const writes of ['plain', 'conditional'] as const) {
      const table = await open(server.adapter, kept(['a'], `gone_${writes}`, writes))
      await table.put([1, 'x'])
      await server.adapter.dropTable(table.schema.name)
      const changes = [2, 3].map((k): Change => ({ kind: 'put', row: [k, 'x'] }))
      for (const options of [{}, { atomic: 'x' }]) {
        const failed = { kind: 'failed', cause: { code: 'TABLE_NOT_FOUND' } }
        expect(await table.write(changes, options)).toMatchObject([failed, failed])
      }
      // What another table took is said.
      const other = await open(server.adapter, kept(['a'], `there_${writes}`, writes))
      const both = [table, other].map(({ schema }): Mutation => ({ kind: 'put', schema, row: [1, 'x'] }))
      expect(kinds(await server.adapter.write(both, { now: Date.now() }))).toEqual(['failed', 'applied'])
      await expect(createMapper(server.adapter).repository(table.schema).put({ k: 1 })).rejects.toMatchObject({ code: 'TABLE_NOT_FOUND' })
    }
  })

  test('ADAPTER-7: who drops a table, and loses the lock meanwhile, does not drop the catalog of the next one by that name', async () => {
    await open(server.adapter, kept(['a'], 'dropped'))
    let isDone = false
    const client = interrupted(server.client, async (query) => {
      if (isDone || !query.startsWith('DROP TABLE')) return
      isDone = true
      await cql(`DELETE FROM $rk_catalog WHERE name = '#lock'`) // its time is over
      await server.adapter.ensureTable(kept(['b'], 'dropped'))
    })
    await cassandra(client, { keyspace: server.keyspace }).dropTable('dropped')
    expect(isDone).toBe(true)
    expect((await server.adapter.describeTable('dropped'))?.valueColumns).toEqual(['b'])
  })

  test('ADAPTER-5: partitions of many rows and many partitions of a row: every row once, from every checkpoint', async () => {
    const schema = defineTable('spread', { columns: { group: text(), k: int32() }, partition: ['group'], key: ['k'], writes: 'plain' })
    const table = await open(server.adapter, schema)
    const rows = [
      ...Array.from({ length: 40 }, (_, k) => ['big', k] as const),
      ...Array.from({ length: 30 }, (_, i) => [`small ${i}`, i] as const),
    ]
    await table.put(...rows)
    const names = (given: readonly (readonly unknown[])[]): readonly string[] => given.map((row) => row.join(' ')).sort()
    for (const want of [1, 7, 33, 1000]) {
      const seen: (readonly unknown[])[] = []
      let checkpoint: string | undefined
      for (let pages = 0; pages < 200; pages++) {
        // Each page by another source.
        const page = await table.store.fullScan(checkpoint, { consistency: 'strong' }).next(want)
        if (page === undefined) break
        seen.push(...page.rows)
        checkpoint = page.checkpoint
      }
      expect(names(seen)).toEqual(names(rows))
      const source = table.store.fullScan(undefined, { consistency: 'eventual' })
      const whole: (readonly unknown[])[] = []
      for (let page = await source.next(want); page !== undefined; page = await source.next(want)) whole.push(...page.rows)
      expect(names(whole)).toEqual(names(rows))
    }
    for (const checkpoint of ['!', 'AAAA', 'YmlnAAA']) {
      expect(() => table.store.fullScan(checkpoint, { consistency: 'strong' })).toThrow('CURSOR_INVALID: the checkpoint cannot be used')
    }
  })

  test('ADAPTER-13: after close() the client is still the caller’s', async () => {
    const adapter = cassandra(server.client, { keyspace: server.keyspace })
    const table = await open(adapter, kept(['a'], 'closing'))
    const puts = table.write(Array.from({ length: 20 }, (_, k): Change => ({ kind: 'put', row: [k, 'x'] })))
    const closing = adapter.close()
    expect(new Set(kinds(await puts))).toEqual(new Set(['applied']))
    await closing
    await expect(table.get(1)).rejects.toMatchObject({ code: 'CLOSED' })
    expect((await cql('SELECT * FROM $closing')).rows).toHaveLength(20)
    expect(await opened(server.adapter, kept(['a'], 'closing')).scan()).toHaveLength(20)
  })
})
