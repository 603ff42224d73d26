import { kudu, kuduStore } from '@rowkey/kudu'
import { KuduClient, type TableDefinition } from '@rowkey/kudu-client'
import { createMapper, defineTable, int32, isRowkeyError, json, kuduHash, nullable, text, type Repository, type TableSchema } from 'rowkey'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { refusalOf } from '../../../test/kit/refusal.js'
import { withServer } from '../../../test/setup/with-server.js'
import { connect, type Connected } from './connected.js'

const salt = kuduHash({ of: 'k', count: 3 })
const modelOf = (name: string, values: readonly string[] = ['a']): TableSchema =>
  defineTable(name, {
    columns: { k: int32(), ...Object.fromEntries(values.map((value) => [value, nullable(text())])) },
    key: ['k'],
    salt,
  } as never)

afterEach(() => vi.restoreAllMocks())

/** From here on no adapter believes a list of columns that it has read before. */
function later(): void {
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 1500)
}

withServer('kudu', (connection) => {
  let server: Connected
  const closing: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    server = await connect(connection)
  })
  afterAll(async () => {
    for (const close of closing) await close()
    await server.dispose()
  })

  /** Another program with tables of the same database. */
  const another = (change: (client: KuduClient) => void = () => undefined) => {
    const client = new KuduClient({ masters: [...connection.masters] })
    change(client)
    closing.push(() => client.close())
    return kudu(client, { database: server.database, hash: 2 })
  }
  const nameOf = (table: string): string => `${server.database}.${table}`

  /** The rows of a catalog as they are stored. */
  async function revisionsOf(
    name: string,
  ): Promise<readonly { readonly revision: number; readonly part: number; readonly catalog: string }[]> {
    const table = await server.client.openTable(nameOf('rk_catalog'))
    const rows: object[] = []
    for await (const batch of server.client.scan(table, { where: [{ column: 'name', equals: name }] })) rows.push(...batch.rows())
    return (rows as { readonly revision: number; readonly part: number; readonly catalog: string }[]).toSorted(
      (a, b) => a.revision - b.revision || a.part - b.part,
    )
  }

  test('ADAPTER-7: programs that create a table, and make it grow, at the same time all see the columns of all', async () => {
    const adapters = [server.adapter, another(), another(), another()]
    for (let round = 0; round < 4; round++) {
      const name = `raced_${round}`
      await Promise.all(adapters.map((adapter, i) => adapter.ensureTable(modelOf(name, [['b'], ['m'], ['b', 'z'], ['y']][i]))))
      const catalog = await server.adapter.describeTable(name)
      expect(catalog?.valueColumns.toSorted()).toEqual(['b', 'm', 'y', 'z'])
      const table = await server.client.openTable(nameOf(name))
      expect(catalog?.store).toEqual({ id: table.id })
      expect(table.columns.map((column) => column.name).toSorted()).toEqual(['b', 'k', 'm', 'y', 'z'])
    }
  })

  test('ADAPTER-7: a program that was slow inserts no revision which others have inserted, replaced and deleted', async () => {
    const fast = another()
    await fast.ensureTable(modelOf('slow'))
    let arrive = (): void => undefined
    const arriving = new Promise<void>((resolve) => (arrive = resolve))
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    const slow = another((client) => {
      const write = client.write.bind(client)
      client.write = async (...given) => {
        arrive()
        await released
        return write(...given)
      }
    })
    const grown = slow.ensureTable(modelOf('slow', ['a', 'z']))
    await arriving
    for (const values of [
      ['a', 'b'],
      ['a', 'c'],
      ['a', 'd'],
      ['a', 'e'],
    ])
      await fast.ensureTable(modelOf('slow', values))
    release()
    expect((await grown).valueColumns.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'z'])
    expect((await fast.describeTable('slow'))?.valueColumns.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'z'])
  })

  test('TABLE-2: programs that create and drop a table at the same time leave it whole or gone', async () => {
    const adapters = [server.adapter, another(), another()]
    const model = modelOf('restless')
    for (let round = 0; round < 8; round++) {
      const calls = adapters.map((adapter, i) => ((round + i) % 3 === 0 ? adapter.dropTable('restless') : adapter.ensureTable(model)))
      for (const ended of await Promise.allSettled(calls)) {
        if (ended.status === 'rejected')
          expect(['SCHEMA_MISMATCH', 'STORE_UNAVAILABLE']).toContain((ended.reason as { code?: string }).code)
      }
      const [catalog, isThere] = [await server.adapter.describeTable('restless'), await server.client.tableExists(nameOf('restless'))]
      if (catalog !== undefined) expect(isThere).toBe(true)
      await server.adapter.ensureTable(model)
      const rows = createMapper(another()).repository(model)
      await rows.put({ k: round, a: 'x' })
      expect(await rows.get({ k: round })).toEqual({ k: round, a: 'x' })
    }
    await server.adapter.dropTable('restless')
    expect(await server.adapter.describeTable('restless')).toBeUndefined()
    expect(await server.client.tableExists(nameOf('restless'))).toBe(false)
    await server.adapter.dropTable('restless') // what does not exist is dropped
  })

  test('a table made by hand from ddl() is taken as it is, and one of which the creation was interrupted is finished', async () => {
    const model = modelOf('by_hand')
    for (const definition of kuduStore.ddl(model, { database: server.database }).statements) {
      if (!(await server.client.tableExists(definition.name))) await server.client.createTable(definition)
    }
    const table = await server.client.openTable(nameOf('by_hand'))
    await server.client.insert(table, { k: 1, a: 'by hand' })
    expect(await server.adapter.describeTable('by_hand')).toBeUndefined()
    await expect(server.adapter.dropTable('by_hand')).rejects.toMatchObject({ code: 'SCHEMA_MISMATCH' })
    const catalog = await server.adapter.ensureTable(model)
    expect(catalog.store).toEqual({ id: table.id })
    expect(await createMapper(server.adapter).repository(model).get({ k: 1 })).toEqual({ k: 1, a: 'by hand' })
  })

  const good: TableDefinition = { ...(kuduStore.ddl(modelOf('foreign')).statements[1] as TableDefinition) }
  const [key, value] = good.columns as [TableDefinition['columns'][number], TableDefinition['columns'][number]]
  test.each([
    ['another key', { ...good, columns: [{ ...key, type: 'INT64' }, value] }, 'the primary key is (k BIGINT), but the model needs (k INT)'],
    ['another key column', { ...good, columns: [key, { ...key, name: 'l' }, value] }, 'the primary key is (k INT, l INT)'],
    [
      'a value of another type',
      { ...good, columns: [key, { ...value, type: 'BINARY' }] },
      "column 'a' is BINARY, but the model needs STRING",
    ],
    ['a value that cannot be null', { ...good, columns: [key, { ...value, isNullable: false }] }, "column 'a' is STRING NOT NULL"],
    ['other hash partitions', { ...good, hash: [{ columns: ['k'], buckets: 4 }] }, 'HASH (k) PARTITIONS 4'],
    ['another seed', { ...good, hash: [{ columns: ['k'], buckets: 3, seed: 1 }] }, 'HASH (k) PARTITIONS 3 SEED 1'],
    ['no hash partitions', { ...good, hash: [], range: ['k'] }, 'HASH (k) PARTITIONS 3'],
  ] as const)('TABLE-2: a table of others with %s is SCHEMA_MISMATCH, and stays', async (_, definition, message) => {
    const made = await server.client.createTable({ ...(definition as TableDefinition), name: nameOf('foreign') })
    const refused = await refusalOf(() => server.adapter.ensureTable(modelOf('foreign')))
    expect(refused).toMatchObject({ code: 'SCHEMA_MISMATCH', details: { table: 'foreign' } })
    expect((refused as Error).message).toContain(message)
    await expect(server.adapter.dropTable('foreign')).rejects.toThrow('so it was not dropped')
    const found = await server.client.openTable(nameOf('foreign'))
    expect([found.id, found.columns]).toEqual([made.id, made.columns])
    await server.client.deleteTable(found)
  })

  test('TABLE-2: a model whose hash levels the table does not have is SCHEMA_MISMATCH in a program that never calls ensureTables', async () => {
    await server.adapter.ensureTable(modelOf('levels'))
    await createMapper(server.adapter).repository(modelOf('levels')).put({ k: 1, a: 'x' })
    for (const other of [kuduHash({ of: 'k', count: 4 }), kuduHash({ of: 'k', count: 3, seed: 1 }), []]) {
      const model = defineTable('levels', { columns: { k: int32(), a: nullable(text()) }, key: ['k'], salt: other } as never)
      const rows = createMapper(another()).repository(model) as unknown as Repository<ReturnType<typeof modelOf>>
      for (const run of [() => rows.get({ k: 1 }), () => rows.put({ k: 2, a: 'y' }), () => rows.scan({}, { unbounded: true }).toArray()]) {
        await expect(run()).rejects.toMatchObject({ code: 'SCHEMA_MISMATCH' })
      }
    }
  })

  test('TABLE-2: a range that another program gave hash levels of its own is SCHEMA_MISMATCH, and hides no rows', async () => {
    const model = defineTable('custom', {
      columns: { k: int32(), a: nullable(text()) },
      key: ['k'],
      salt: kuduHash({ of: 'k', count: 3 }),
      stores: { kudu: { range: { of: 'k', bounds: [[0, 100]] } } },
    })
    const db = createMapper(another())
    await db.ensureTables([model])
    await db.repository(model).put({ k: 1, a: 'x' })
    const hash = [{ columns: ['k'], buckets: 2 }]
    await server.client.alterTable(nameOf('custom'), [{ addRange: { from: { k: 100 }, to: { k: 200 }, hash } }])
    const fresh = createMapper(another()).repository(model)
    for (const run of [() => fresh.get({ k: 101 }), () => fresh.put({ k: 101, a: 'y' }), () => fresh.readAll().toArray()]) {
      await expect(run()).rejects.toMatchObject({
        code: 'SCHEMA_MISMATCH',
        message: expect.stringContaining('hash levels of their own') as string,
      })
    }
    later()
    await expect(db.repository(model).put({ k: 101, a: 'y' })).rejects.toMatchObject({ code: 'SCHEMA_MISMATCH' })
  })

  test('a catalog of more than 64 KiB is in several rows, also with texts of any script', async () => {
    const values = Array.from({ length: 240 }, (_, i) => `${'long_'.repeat(24)}${i}`)
    const wide = (names: readonly string[]): TableSchema => {
      const columns = { k: int32(), ...Object.fromEntries(names.map((name) => [name, nullable(text({ default: 'ä漢😀' }))])) }
      return defineTable('wide', { columns, key: ['k'], salt } as never)
    }
    await server.adapter.ensureTable(wide(values))
    const rows = await revisionsOf('wide')
    expect(rows.length).toBeGreaterThan(1)
    expect(rows.map(({ part }) => part)).toEqual(rows.map((_, i) => i))
    expect((await another().describeTable('wide'))?.valueColumns).toEqual(values.toSorted())
    const first = values[1] as string
    await createMapper(another())
      .repository(wide(values.slice(0, 3)))
      .put({ k: 1, [first]: 'x' })
    const found = await createMapper(another()).repository(wide(values)).get({ k: 1 })
    expect(found).toMatchObject({ k: 1, [first]: 'x', [values[0] as string]: 'ä漢😀', [values[239] as string]: null })
  })

  test('old revisions are deleted; parts that a slower program left are no part of a catalog', async () => {
    for (let count = 1; count < 6; count++)
      await server.adapter.ensureTable(modelOf('revised', ['a', 'b', 'c', 'd', 'e', 'f'].slice(0, count)))
    const rows = await revisionsOf('revised')
    expect(rows.map(({ revision }) => revision)).toEqual([3, 4])
    const table = await server.client.openTable(nameOf('rk_catalog'))
    await server.client.insert(table, { name: 'revised', revision: 4, part: 1, parts: 2, catalog: '"}' })
    expect((await server.adapter.describeTable('revised'))?.valueColumns).toEqual(['a', 'b', 'c', 'd', 'e'])
    await server.adapter.dropTable('revised')
    expect((await revisionsOf('revised')).at(-1)).toMatchObject({ revision: 5, catalog: '{}' })
    await server.adapter.ensureTable(modelOf('revised'))
    expect((await revisionsOf('revised')).map(({ revision }) => revision)).toEqual([5, 6])
  })

  test.each([
    ['a part is missing', { part: 0, parts: 2, catalog: '{"format":1' }],
    ['the first part is missing', { part: 1, parts: 2, catalog: '}' }],
    ['it is not JSON', { part: 0, parts: 1, catalog: 'nothing' }],
    ['it is of a later version', { part: 0, parts: 1, catalog: '{"format":2}' }],
    ['it names no table', { part: 0, parts: 1, catalog: '{"format":1,"schema":{},"valueColumns":[]}' }],
  ])('TABLE-8: a catalog is CORRUPT_ROW if %s, and nothing is dropped or created over it', async (what, row) => {
    const name = `corrupt_${what.replaceAll(/\W/g, '_')}`
    await server.adapter.ensureTable(modelOf(name))
    const table = await server.client.openTable(nameOf('rk_catalog'))
    await server.client.insert(table, { name, revision: 1, ...row })
    for (const run of [
      () => server.adapter.describeTable(name),
      () => server.adapter.ensureTable(modelOf(name)),
      () => server.adapter.dropTable(name),
    ]) {
      await expect(run()).rejects.toMatchObject({ code: 'CORRUPT_ROW', details: { table: name } })
    }
    expect(await server.client.tableExists(nameOf(name))).toBe(true)
  })

  test('WRITE-2: a put clears the columns that another program has added, a second later', async () => {
    const [old, grown] = [createMapper(server.adapter), createMapper(another())]
    const [few, many] = [modelOf('added', ['b']), modelOf('added', ['a', 'b'])]
    await old.ensureTables([few])
    await old.repository(few).put({ k: 0, b: 'x' })
    await grown.ensureTables([many])
    await grown.repository(many).put({ k: 1, a: 'a', b: 'b' })
    later()
    await old.repository(few).put({ k: 1, b: 'put' })
    expect(await grown.repository(many).get({ k: 1 })).toEqual({ k: 1, a: null, b: 'put' })
  })

  test('WRITE-2: it also clears one that was added in place of another', async () => {
    const db = createMapper(server.adapter)
    const model = modelOf('swapped', ['b'])
    await db.ensureTables([model])
    const native = await server.client.openTable(nameOf('swapped'))
    const column = { type: 'STRING', isKey: false, isNullable: true } as const
    await server.client.alterTable(native, [{ addColumn: { name: 'x', ...column } }])
    later()
    await db.repository(model).put({ k: 1, b: 'b' })
    await server.client.alterTable(native, [{ dropColumn: 'x' }, { addColumn: { name: 'y', ...column } }])
    const changed = await server.client.openTable(nameOf('swapped'))
    await server.client.upsert(changed, { k: 1, b: 'b', y: 'theirs' })
    vi.restoreAllMocks()
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000)
    await db.repository(model).put({ k: 1, b: 'put' })
    expect(await server.client.get(changed, { k: 1 })).toEqual({ k: 1, b: 'put', y: null })
  })

  test('TABLE-1: under an open mapper, a table that was dropped is TABLE_NOT_FOUND, and one created again is found', async () => {
    const model = modelOf('again')
    const db = createMapper(another(), { retry: { attempts: 1 } })
    await db.ensureTables([model])
    await db.repository(model).put({ k: 1, a: 'old' })
    await server.adapter.dropTable('again')
    for (const run of [
      () => db.repository(model).get({ k: 1 }),
      () => db.repository(model).scan({ k: 1 }).toArray(),
      () => db.repository(model).put({ k: 1, a: 'x' }),
      () => db.repository(model).readAll().toArray(),
    ]) {
      // The servers delete tablets a moment after the table.
      await vi.waitFor(() => expect(run()).rejects.toMatchObject({ code: 'TABLE_NOT_FOUND' }), 60_000)
    }
    const other = defineTable('again', { columns: { k: text(), doc: nullable(json()) }, key: ['k'] })
    await server.adapter.ensureTable(other)
    const fresh = createMapper(another()).repository(other)
    await fresh.put({ k: 'one', doc: { a: [1] } })
    expect(await fresh.get({ k: 'one' })).toEqual({ k: 'one', doc: { a: [1] } })
    expect(isRowkeyError(await refusalOf(() => db.repository(model).get({ k: 1 })))).toBe(true)
  })
})
