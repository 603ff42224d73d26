import { cassandra, type CassandraAdapter } from '@rowkey/cassandra'
import { Cancellation, type TableSchema } from 'rowkey/adapter'
import type { Client } from 'cassandra-driver'
import { createMapper, defineTable, isRowkeyError, nullable, text, type Mapper } from 'rowkey'
import { isLong } from '@rowkey/servers/scale'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { clientOf, connect, replaced, type Connected } from './connected.js'
import { build, race } from './race.js'

const columnsOfMany = ['c0', 'c1', 'c2', 'c3', 'd0', 'd1', 'd2', 'd3']

const grown = (name: string, ...values: readonly string[]): TableSchema =>
  defineTable(name, {
    columns: { k: text(), ...Object.fromEntries(values.map((value) => [value, nullable(text())])) },
    key: ['k'],
    // Nothing is renamed here: programs of several branches add columns.
    retired: ['a', 'a0', 'a1', 'b0', 'b1', ...columnsOfMany].filter((each) => !values.includes(each)),
  })

const errorOf = (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    () => undefined,
    (error: unknown) => error,
  )

withServer('cassandra', (connection) => {
  let server: Connected
  let clients: readonly Client[]
  let adapters: readonly CassandraAdapter[]
  let mappers: readonly Mapper[]
  beforeAll(async () => {
    server = await connect(connection)
    clients = [1, 2, 3, 4].map(() => clientOf(connection))
    await Promise.all(clients.map((client) => client.connect()))
    adapters = clients.map((client) => cassandra(client, { keyspace: server.keyspace }))
    mappers = adapters.map((adapter) => createMapper(adapter))
  })
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.shutdown()))
    await server.dispose()
  })
  const cql = (statement: string): Promise<{ rows: readonly object[] }> =>
    server.client.execute(statement.replaceAll('$', `${server.keyspace}.`))
  const locks = async (): Promise<readonly object[]> => (await cql(`SELECT catalog FROM $rk_catalog WHERE name = '#lock'`)).rows

  test('ADAPTER-7: a table that several clients make grow at once takes the puts of all of them, also when it was dropped before', async () => {
    for (let round = 0; round < 2; round++) {
      const model = (i: number): TableSchema => grown('many', `c${i}`, `d${(i + round) % 4}`)
      await Promise.all(mappers.map((db, i) => db.ensureTables([model(i)])))
      await Promise.all(mappers.map((db, i) => db.repository(model(i)).put({ k: `p${i}`, [`c${i}`]: 'v' })))
      const all = grown('many', ...columnsOfMany)
      const rows = (await server.client.execute(`SELECT * FROM ${server.keyspace}.many`)).rows
      const found = rows.map((row) => `${String(row['k'])} ${String(row[`c${String(row['k']).slice(1)}`])}`)
      expect(found.sort()).toEqual(['p0 v', 'p1 v', 'p2 v', 'p3 v'])
      expect((await server.adapter.describeTable('many'))?.valueColumns).toHaveLength(8)
      await (mappers[round] as Mapper).dropTables([all])
    }
    expect(await locks()).toEqual([])
  })

  test('ADAPTER-7: while some drop a table and make it anew, the calls of others work, or say truly why not', async () => {
    let isDone = false
    const seen: Record<string, number> = {}
    const bad: string[] = []
    // In the second round the table has the column of one writer only.
    const lacksColumn = /created it again with other columns|column 'a[01]': the model has nullable\(text\), the table has none/
    let written = 0
    const note = (error: unknown): void => {
      const code = error === undefined ? 'ok' : isRowkeyError(error) ? error.code : 'untyped'
      seen[code] = (seen[code] ?? 0) + 1
      const isTrue =
        ['ok', 'TABLE_NOT_FOUND', 'OUTCOME_UNKNOWN'].includes(code) ||
        (isRowkeyError(error, 'SCHEMA_MISMATCH') && lacksColumn.test(error.message)) ||
        (isRowkeyError(error, 'WRITE_FAILED') && error.details.repeatable) ||
        isRowkeyError(error, 'STORE_UNAVAILABLE')
      if (!isTrue || (error as Error | undefined)?.message.includes('DROP TABLE') === true) bad.push(String(error))
    }
    const writers = mappers.slice(0, 2).map(async (db, i) => {
      const model = grown('churned', `a${i}`)
      const rows = db.repository(model)
      while (!isDone) {
        const error = await errorOf(rows.put({ k: `k${i}`, [`a${i}`]: 'x' }))
        if (error === undefined) written++
        note(error)
        note(await errorOf(rows.get({ k: `k${i}` })))
      }
    })
    const makers = mappers.slice(2).map(async (db, i) => {
      // On a busy machine more rounds, until a put has come between two of them.
      for (let round = 0; round < 3 || (written === 0 && round < 50); round++) {
        note(await errorOf(db.ensureTables([grown('churned', ...(round === 1 ? [`a${i}`] : ['a0', 'a1', `b${i}`]))])))
        note(await errorOf(db.dropTables([grown('churned')])))
      }
    })
    await Promise.all(makers).finally(() => (isDone = true))
    await Promise.all(writers)
    expect(bad).toEqual([])
    expect(written).toBeGreaterThan(0)
    expect(seen['ok']).toBeGreaterThan(12)
    // When all is over, all works.
    const db = mappers[0] as Mapper
    const last = grown('churned', 'a0', 'a1')
    await db.ensureTables([last])
    for (const [i, each] of mappers.entries()) await each.repository(last).put({ k: `k${i}`, a0: 'last' })
    expect(await db.repository(last).scan({}, { unbounded: true }).toArray()).toHaveLength(4)
  })

  test('SCHEMA_MISMATCH, not a difference of keys: a table was made anew without a column that an open one has', async () => {
    const [db, other] = mappers as [Mapper, Mapper]
    const rows = db.repository(grown('narrow', 'a', 'b'))
    await db.ensureTables([grown('narrow', 'a', 'b')])
    await rows.put({ k: '1', a: 'x' })
    await other.dropTables([grown('narrow')])
    await other.ensureTables([grown('narrow', 'a')])
    for (const call of [() => rows.put({ k: '1', a: 'x' }), () => rows.get({ k: '1' }), () => rows.update({ k: '1' }, { b: 'x' })]) {
      const error = await errorOf(call())
      expect(error).toMatchObject({ code: 'SCHEMA_MISMATCH', details: { table: 'narrow', differences: ["column 'b' does not exist"] } })
      expect((error as Error).message).toContain('Call ensureTables([…]) again')
    }
    await db.ensureTables([grown('narrow', 'a', 'b')])
    await rows.put({ k: '1', b: 'x' })
    expect(await rows.get({ k: '1' })).toEqual({ k: '1', a: null, b: 'x' })
  })

  test('WRITE-8: a put that names a column which is gone from the table was not applied, and works when it is repeated', async () => {
    const client = clientOf(connection, { refreshSchemaDelay: 600_000 }) // it hears of changes too late
    const [mine, theirs] = [cassandra(client, { keyspace: server.keyspace }), server.adapter]
    const [narrow, wide] = [grown('stale', 'a'), grown('stale', 'a', 'gone')]
    await theirs.ensureTable(wide)
    mine.table(narrow, await mine.ensureTable(narrow))
    const put = async (): Promise<string | undefined> =>
      (await mine.write([{ schema: narrow, kind: 'put', row: ['1', 'x'] }], { now: Date.now() }))[0]?.kind
    expect(await put()).toBe('applied') // it clears the column that the other has added
    await theirs.dropTable('stale')
    await theirs.ensureTable(narrow)
    expect([await put(), await put()]).toEqual(['unprocessed', 'applied'])
    await client.shutdown()
  })

  test('TABLE-2: what is read while it is written is no difference: it is looked at again, and else others are at work', async () => {
    const schema = grown('half_read', 'a')
    await server.adapter.ensureTable(schema)
    const halves = (count: number, columns: (rows: readonly Row[]) => readonly Row[]): CassandraAdapter => {
      let left = count
      const half = replaced(server.client, (query, answer) =>
        query.includes('system_schema.columns') && left-- > 0 ? { ...answer, rows: columns(answer.rows) } : answer,
      )
      return cassandra(half, { keyspace: server.keyspace })
    }
    const withoutKey = (rows: readonly Row[]): readonly Row[] => rows.filter((row) => row['kind'] !== 'partition_key')
    const withoutAny = (): readonly Row[] => []
    for (const columns of [withoutKey, withoutAny]) {
      expect((await halves(3, columns).ensureTable(grown('half_read', 'a', 'b'))).valueColumns).toContain('b')
      const error = await errorOf(halves(Infinity, columns).ensureTable(grown('half_read', 'a', 'c')))
      expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE', details: { adapter: 'cassandra', reason: 'refused' } })
      expect((error as Error).message).toContain("other processes are changing table 'half_read'. Repeat the call")
    }
    // A type that is there for one look only.
    const other = (rows: readonly Row[]): readonly Row[] => rows.map((row) => (row['column_name'] === 'a' ? { ...row, type: 'int' } : row))
    expect((await halves(2, other).ensureTable(grown('half_read', 'a', 'd'))).valueColumns).toContain('d')
    await expect(halves(Infinity, other).ensureTable(grown('half_read', 'a', 'e'))).rejects.toMatchObject({
      code: 'SCHEMA_MISMATCH',
    })
    expect(await locks()).toEqual([])
  })

  test('ADAPTER-7: a lock that its holder left is taken over when its time is over, and nobody waits for it beyond a deadline', async () => {
    const take = (seconds: number): Promise<unknown> =>
      cql(`INSERT INTO $rk_catalog (name, catalog) VALUES ('#lock', 'gone') IF NOT EXISTS USING TTL ${seconds}`)
    await server.adapter.ensureTable(grown('locked', 'a'))
    await take(3)
    // What needs no change needs no lock.
    expect((await server.adapter.ensureTable(grown('locked', 'a'))).valueColumns).toEqual(['a'])
    expect(await locks()).toHaveLength(1)
    expect((await server.adapter.ensureTable(grown('locked', 'a', 'b'))).valueColumns).toEqual(['a', 'b'])
    expect(await locks()).toEqual([])
    await take(100)
    const db = mappers[0] as Mapper
    await expect(db.ensureTables([grown('locked', 'a', 'b', 'c')], { deadline: Date.now() + 300 })).rejects.toMatchObject({
      code: 'DEADLINE',
    })
    const cancellation = new Cancellation()
    const asked = [
      server.adapter.ensureTable(grown('locked', 'a', 'b', 'c'), { cancellation }),
      server.adapter.dropTable('locked', { cancellation }),
    ].map(errorOf)
    setTimeout(() => {
      cancellation.cancel(new Error('given up'))
    }, 200)
    for (const error of await Promise.all(asked)) expect(error).toMatchObject({ message: 'given up' })
    expect(await locks()).toEqual([{ catalog: 'gone' }].map((row) => expect.objectContaining(row) as object))
    await cql(`DELETE FROM $rk_catalog WHERE name = '#lock' IF EXISTS`)
    expect((await server.adapter.describeTable('locked'))?.valueColumns).toEqual(['a', 'b']) // who was given up has changed nothing
  })

  test('ADAPTER-7: who has lost the lock changes nothing more', async () => {
    await server.adapter.ensureTable(grown('lost', 'a'))
    const changed: string[] = []
    let isLost = false
    const client = replaced(server.client, async (query, answer) => {
      if (/^(CREATE|ALTER|DROP)/.test(query)) changed.push(query)
      if (!isLost && query.startsWith('INSERT') && query.includes('USING TTL')) {
        isLost = true
        await cql(`DELETE FROM $rk_catalog WHERE name = '#lock' IF EXISTS`)
        await cql(`INSERT INTO $rk_catalog (name, catalog) VALUES ('#lock', 'another') IF NOT EXISTS USING TTL 60`)
        late = 60_000
      }
      return answer
    })
    let late = 0
    const { now } = performance
    performance.now = () => now.call(performance) + late // as if the process had stood still
    try {
      const error = await errorOf(cassandra(client, { keyspace: server.keyspace }).ensureTable(grown('lost', 'a', 'b')))
      expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE' })
      expect((error as Error).message).toContain('another process has taken the lock')
    } finally {
      performance.now = now
    }
    expect(changed).toEqual([])
    expect(await locks()).toMatchObject([{ catalog: 'another' }]) // not its own to give back
    await cql(`DELETE FROM $rk_catalog WHERE name = '#lock' IF EXISTS`)
  })

  test('STORE_UNUSABLE: a table that a server has made twice is told with its cure', async () => {
    const client = replaced(server.client, (query, answer) => {
      if (!query.startsWith('CREATE TABLE')) return answer
      const message = 'Column family ID mismatch (found 5b…; expected 5c…)'
      throw Object.assign(new Error(message), { name: 'ResponseError', code: 0 })
    })
    const error = await errorOf(cassandra(client, { keyspace: server.keyspace }).ensureTable(grown('twice', 'a')))
    expect(error).toMatchObject({
      code: 'STORE_UNUSABLE',
      details: { adapter: 'cassandra', path: server.keyspace, reason: 'damaged' },
    })
    expect((error as Error).message).toContain(`execute ALTER TABLE ${server.keyspace}.<table> WITH comment = ''`)
  })

  test(
    'ADAPTER-7: processes that make a table, make it grow and drop it: what was ensured can be written, errors are true',
    { timeout: 3_600_000 },
    async () => {
      build()
      const [processes, rounds] = isLong ? [10, 20] : [3, 1]
      const { seen, bad } = await race({ ...connection, keyspace: server.keyspace }, processes, rounds)
      console.log(`${processes} processes, ${rounds} rounds: ${JSON.stringify(seen)}`)
      expect(bad).toEqual([])
      expect(await locks()).toEqual([])
    },
  )
})

/** What a look at the definitions gives, as the driver has it. */
type Row = Readonly<Record<string, unknown>>
