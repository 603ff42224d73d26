import {
  copyTable,
  createMapper,
  defineTable,
  int32,
  isRowkeyError,
  nullable,
  renameTable,
  text,
  uuid,
  bytes,
  type TableSchema,
} from 'rowkey'
import { catalogOfJSON, parseObject } from 'rowkey/adapter'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { cassandra } from '@rowkey/cassandra'
import { clientOf, connect, type Connected } from './connected.js'
import { Events, firstForm, Stock, Users } from './first-form.js'

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

withServer('cassandra', (connection) => {
  let server: Connected
  beforeAll(async () => {
    server = await connect(connection)
  })
  afterAll(() => server.dispose())

  const cql = (statement: string): Promise<{ rows: readonly Readonly<Record<string, unknown>>[] }> =>
    server.client.execute(statement.replaceAll('$', `${server.keyspace}.`), [], { readTimeout: 120_000 })
  const columnsOf = async (table: string): Promise<Readonly<Record<string, string>>> => {
    const { rows } = await cql(`SELECT * FROM system_schema.columns WHERE keyspace_name = '${server.keyspace}' AND table_name = '${table}'`)
    return Object.fromEntries(rows.map(({ column_name: name, kind }) => [String(name), String(kind)] as const))
  }
  const catalogText = async (table: string): Promise<string> =>
    String((await cql(`SELECT catalog FROM $rk_catalog WHERE name = '${table}'`)).rows[0]?.['catalog'])
  const setCatalog = (table: string, text: string): Promise<unknown> =>
    server.client.execute(`INSERT INTO ${server.keyspace}.rk_catalog (name, catalog) VALUES (?, ?)`, [table, text])

  /** Makes a table as it was made before there was a second form. */
  const madeBefore = async (model: TableSchema): Promise<void> => {
    const { statement, catalog } = firstForm[model.name] ?? expect.fail(model.name)
    await cql('CREATE TABLE IF NOT EXISTS $rk_catalog (name text PRIMARY KEY, catalog text)')
    await cql(statement.replaceAll('KEYSPACE', `"${server.keyspace}"`))
    await setCatalog(model.name, catalog)
  }

  test.each(['first', 'second'] as const)(
    'a table that is created again in the other form than the %s is found again',
    async (form) => {
      const make = (which: string): Promise<unknown> =>
        which === 'first' ? madeBefore(Stock) : createMapper(server.adapter).ensureTables([Stock])
      const again = async (which: string): Promise<void> => {
        const client = clientOf(connection)
        const other = cassandra(client, { keyspace: server.keyspace })
        await other.dropTable(Stock.name)
        await (which === 'first' ? madeBefore(Stock) : createMapper(other).ensureTables([Stock]))
        await client.shutdown()
      }
      const stock = createMapper(server.adapter).repository(Stock)
      const row = { shop: 'a', item: 'x', left: 3, note: null }
      const calls: readonly (() => Promise<unknown>)[] = [
        () => stock.get(row),
        () => stock.getMany([row, { shop: 'b', item: 'x' }]),
        () => stock.put(row),
        () => stock.insert(row),
        () => stock.update(row, { left: 2 }),
        () => stock.put(row, { if: { left: 3 }, create: true }),
        () => stock.putMany([row, { ...row, item: 'y' }]),
        () => stock.delete(row),
        () => stock.scan({ shop: 'a' }).page(),
      ]
      await server.adapter.dropTable(Stock.name)
      await make(form)
      for (const [n, call] of calls.entries()) {
        await stock.putMany([row, { ...row, item: 'z' }])
        await again((n % 2 === 0) === (form === 'first') ? 'second' : 'first')
        const code = await call().then(
          () => 'done',
          (error: unknown) => (isRowkeyError(error) ? error.code : error),
        )
        expect(code, call.toString()).toBe('TABLE_NOT_FOUND')
        expect(await stock.exists({ shop: 'a', item: 'z' }), `after ${call.toString()}`).toBe(false)
      }
      // A read of the whole table names no column of its key: it finds the rows of the new table, or that the one it knew is gone.
      const all = () => stock.readAll().toArray()
      for (const which of ['first', 'second', 'first']) {
        await again(which)
        await createMapper(server.adapter).repository(Stock).put(row)
        const rows = await all().catch((error: unknown) =>
          isRowkeyError(error, 'TABLE_NOT_FOUND') ? all() : Promise.reject(error as Error),
        )
        expect(rows.map(({ item, left }) => [item, left])).toEqual([['x', 3]])
      }
      await server.adapter.dropTable(Stock.name)
    },
    300_000,
  )

  describe.each(['first', 'second'] as const)('the %s form', (form) => {
    const ensure = async (model: TableSchema): Promise<void> => {
      await server.adapter.dropTable(model.name)
      if (form === 'first') await madeBefore(model)
      const before = form === 'first' ? await catalogText(model.name) : undefined
      const db = createMapper(server.adapter)
      await db.ensureTables([model])
      await db.ensureTables([model])
      const there = await columnsOf(model.name)
      expect(there['rk_bucket'], model.name).toBe(form === 'first' ? 'partition_key' : undefined)
      expect('rk_guard' in there, model.name).toBe(model.writes === 'conditional')
      expect(await catalogText(model.name)).toBe(before ?? `${firstForm[model.name]?.catalog.slice(0, -1)},"form":2}`)
    }

    test('a plain table: put, get, getMany, scan, pages, readAll, parts, delete', async () => {
      await ensure(Events)
      const db = createMapper(server.adapter)
      const events = db.repository(Events)
      const row = (user: string, at: number, n: number | null = at) => ({ user, at: new Date(at), n })
      const all = ['ann', 'bob', ''].flatMap((user) => Array.from({ length: 25 }, (_, i) => row(user, i)))
      expect(await events.putMany(all)).toMatchObject({ rows: 75 })
      await events.put(row('ann', 3, null))
      expect(await events.get({ user: 'ann', at: new Date(3) })).toEqual(row('ann', 3, null))
      const keys = [row('bob', 24), row('nobody', 1), row('', 0), row('bob', 1)]
      expect(await events.getMany(keys)).toEqual([keys[0], undefined, keys[2], keys[3]])
      expect(await events.scan({ user: '' }, { limit: 2 }).toArray()).toEqual([row('', 24), row('', 23)])
      const range = { user: 'bob', at: { gte: new Date(5), lt: new Date(9) } }
      expect(await events.scan(range, { order: 'reverse' }).toArray()).toEqual([5, 6, 7, 8].map((at) => row('bob', at)))
      const paged: number[] = []
      for (let cursor: string | undefined; ;) {
        const page = await events.scan({ user: 'ann' }).page({ size: 10, ...(cursor === undefined ? {} : { cursor }) })
        paged.push(...page.rows.map(({ at }) => Number(at)))
        if (page.cursor === undefined) break
        cursor = page.cursor
      }
      expect(paged).toEqual(Array.from({ length: 25 }, (_, i) => 24 - i))
      const textsOf = (rows: readonly object[]): readonly string[] => rows.map((each) => JSON.stringify(each)).sort()
      const whole = textsOf(await events.readAll().toArray())
      expect(whole).toEqual(textsOf(all.map((each) => (each.user === 'ann' && each.n === 3 ? row('ann', 3, null) : each))))
      const parts = await events.parts(4)
      expect(parts).toHaveLength(4)
      const ofParts = await Promise.all(parts.map((checkpoint) => events.readAll({ checkpoint }).toArray()))
      expect(textsOf(ofParts.flat())).toEqual(whole)
      await events.deleteMany([row('bob', 1), row('', 0)])
      expect(await events.getMany([row('bob', 1), row('', 0), row('bob', 2)])).toEqual([undefined, undefined, row('bob', 2)])
    })

    test('a conditional table with versions and expiry: every write, an atomic one, and a purge', async () => {
      await ensure(Stock)
      let now = Date.now()
      const db = createMapper(server.adapter, { clock: () => now })
      const stock = db.repository(Stock)
      const key = { shop: 'a', item: 'x' }
      const { version } = await stock.insert({ ...key, left: 3, note: null })
      await expect(stock.insert({ ...key, left: 3, note: null })).rejects.toMatchObject({ code: 'ROW_EXISTS' })
      const changed = await stock.update(key, { note: 'n' }, { if: { rev: version as string } })
      await expect(stock.update(key, { note: 'm' }, { if: { rev: version as string } })).rejects.toMatchObject({ code: 'VERSION_CONFLICT' })
      await stock.increment(key, { left: 2 }, { if: { left: { gte: 3 } } })
      await expect(stock.increment(key, { left: -9 }, { if: { left: { gte: 9 } } })).rejects.toMatchObject({ code: 'CONDITION_FAILED' })
      await stock.modify(key, ({ left }) => ({ left: left * 2 }))
      await stock.upsert({ shop: 'a', item: 'y', left: 1, note: 'new' })
      expect(changed.version).not.toBe(version)
      await stock.putMany(Array.from({ length: 30 }, (_, i) => ({ shop: 'b', item: `i${i}`, left: i, note: null })))
      await db.write([stock.ops.put({ shop: 'a', item: 'z', left: 0, note: null }), stock.ops.delete({ shop: 'a', item: 'y' })], {
        atomic: true,
      })
      expect((await stock.scan({ shop: 'a' }).toArray()).map(({ item, left, note }) => [item, left, note])).toEqual([
        ['x', 10, 'n'],
        ['z', 0, null],
      ])
      await stock.put({ shop: 'b', item: 'kept', left: 1, note: null }, { expires: null })
      now += 2 * 86_400_000
      expect(await stock.get(key)).toBeUndefined()
      expect(await db.purgeExpired(Stock)).toBe(32)
      expect((await stock.readAll().toArray()).map(({ item }) => item)).toEqual(['kept'])
    })

    test('TABLE-13 a table by id: every operation, and it grows', async () => {
      await ensure(Users)
      const db = createMapper(server.adapter)
      const users = db.repository(Users)
      await users.insert({ id: id(1), name: 'ann' })
      await expect(users.insert({ id: id(1), name: 'ann' })).rejects.toMatchObject({ code: 'ROW_EXISTS' })
      await users.putMany(Array.from({ length: 20 }, (_, i) => ({ id: id(i + 2), name: null, hits: i })))
      await users.increment({ id: id(1) }, { hits: 5 })
      await users.update({ id: id(2) }, { name: 'bob' })
      await users.delete({ id: id(3) })
      expect(await users.getMany([{ id: id(1) }, { id: id(3) }, { id: id(2) }])).toEqual([
        { id: id(1), name: 'ann', hits: 5 },
        undefined,
        { id: id(2), name: 'bob', hits: 0 },
      ])
      expect(await users.scan({ id: { in: [id(1), id(4)] } }).toArray()).toHaveLength(2)
      const parts = await users.parts(3)
      expect((await Promise.all(parts.map((checkpoint) => users.readAll({ checkpoint }).toArray()))).flat()).toHaveLength(20)
      const Grown = defineTable('by_id', {
        columns: { id: uuid(), name: nullable(text()), hits: int32({ default: 0 }), mail: nullable(text()) },
        partition: ['id'],
        key: [],
      })
      await db.ensureTables([Grown])
      expect(await db.repository(Grown).get({ id: id(1) })).toEqual({ id: id(1), name: 'ann', hits: 5, mail: null })
      expect(parseObject(await catalogText('by_id'))).toHaveProperty('values', ['hits', 'name', 'mail'])
      expect('form' in (parseObject(await catalogText('by_id')) ?? {})).toBe(form === 'second')
      const { where, cql: statement } = await users.locate({ id: id(2) })
      expect(where).toEqual({ ...(form === 'first' ? { rk_bucket: '0' } : {}), id: id(2) })
      expect((await cql(statement)).rows).toMatchObject([{ name: 'bob' }])
    })

    test('rows are copied into a table of the other form, and back', async () => {
      await ensure(Events)
      const db = createMapper(server.adapter)
      const from = db.repository(Events)
      await from.putMany(Array.from({ length: 300 }, (_, i) => ({ user: `u${i % 7}`, at: new Date(i), n: i })))
      const New = renameTable(Events, `copy_of_${form}`)
      await db.ensureTables([New])
      expect(await copyTable(from, db.repository(New))).toMatchObject({ rows: 300 })
      await from.deleteMany(Array.from({ length: 300 }, (_, i) => ({ user: `u${i % 7}`, at: new Date(i) })))
      expect(await copyTable(db.repository(New), from)).toMatchObject({ rows: 300 })
    })
  })

  test('TABLE-6: a version that knows one form refuses a table in the second, and this one refuses a third', async () => {
    await server.adapter.dropTable('by_id')
    const db = createMapper(server.adapter)
    await db.ensureTables([Users])
    const stored = await catalogText('by_id')
    // What versions before have read from it: the core refuses fields that it does not know.
    const before = catalogOfJSON(parseObject(stored)) ?? expect.fail('no catalog')
    const refused = "the catalog of table 'by_id' cannot be read: its catalog has 'form', which is unknown to this version"
    const asBefore = Object.assign(Object.create(server.adapter) as typeof server.adapter, { describeTable: async () => before })
    for (const call of [
      () => createMapper(asBefore).ensureTables([Users]),
      () =>
        createMapper(asBefore)
          .repository(Users)
          .get({ id: id(1) }),
    ]) {
      await expect(call()).rejects.toThrow(refused)
    }
    await setCatalog('by_id', stored.replace('"form":2', '"form":3'))
    for (const call of [
      () => createMapper(server.adapter).ensureTables([Users]),
      () =>
        createMapper(server.adapter)
          .repository(Users)
          .get({ id: id(1) }),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'SCHEMA_MISMATCH' })
      await expect(call()).rejects.toThrow(refused)
    }
    await setCatalog('by_id', stored)
    expect(
      await createMapper(server.adapter)
        .repository(Users)
        .get({ id: id(1) }),
    ).toBeUndefined()
  })

  test('a table that a DBA has made is taken as it is, in both forms', async () => {
    for (const [name, key] of [
      ['dba_first', 'rk_bucket int, id uuid, PRIMARY KEY ((rk_bucket, id))'],
      ['dba_second', 'id uuid PRIMARY KEY'],
    ] as const) {
      await cql(`CREATE TABLE $${name} (name text, hits int, ${key})`)
      await cql(
        `INSERT INTO $${name} (id, name, hits${name === 'dba_first' ? ', rk_bucket' : ''}) VALUES (${id(1)}, 'theirs', 1${name === 'dba_first' ? ', 0' : ''})`,
      )
      const db = createMapper(server.adapter)
      const model = renameTable(Users, name)
      await db.ensureTables([model])
      const users = db.repository(model)
      expect(await users.get({ id: id(1) })).toEqual({ id: id(1), name: 'theirs', hits: 1 })
      await users.increment({ id: id(1) }, { hits: 1 })
      expect((await cql(`SELECT hits FROM $${name}`)).rows).toEqual([expect.objectContaining({ hits: 2 })])
    }
  })

  test('a table that was dropped and made again in the other form is gone, and the next call opens the new one', async () => {
    const db = createMapper(server.adapter)
    const events = db.repository(Events)
    const row = { user: 'ann', at: new Date(1), n: 1 }
    for (const call of [() => events.get(row), () => events.put(row), () => events.scan({ user: 'ann' }).toArray()]) {
      await server.adapter.dropTable('events')
      await madeBefore(Events)
      await events.put(row)
      expect(await events.get(row)).toEqual(row)
      await server.adapter.dropTable('events')
      await createMapper(server.adapter).ensureTables([Events])
      await expect(call()).rejects.toMatchObject({ code: 'TABLE_NOT_FOUND' })
      await events.put(row)
      expect(await events.get(row)).toEqual(row)
      await events.get(row)
      await server.adapter.dropTable('events')
      await expect(events.get(row)).rejects.toMatchObject({ code: 'TABLE_NOT_FOUND' })
    }
  })

  test('VAL-2: a partition key that is empty, or begins with its stand-in, is a key like others', async () => {
    const texts = ['', 'rk_empty', 'rk_emptyrk_empty', 'rk_empty1', 'rk_empt', 'a']
    for (const writes of ['plain', 'conditional'] as const) {
      const Texts = defineTable(`empty_texts_${writes}`, { columns: { k: text(), n: int32() }, partition: ['k'], key: [], writes })
      const Blobs = defineTable(`empty_blobs_${writes}`, {
        columns: { k: bytes(), m: text(), n: int32() },
        partition: ['k'],
        key: ['m'],
        writes,
      })
      const db = createMapper(server.adapter)
      await db.ensureTables([Texts, Blobs])
      const ofTexts = db.repository(Texts)
      const ofBlobs = db.repository(Blobs)
      for (const [n, k] of texts.entries()) {
        await ofTexts.put({ k, n })
        await ofBlobs.putMany([
          { k: Buffer.from(k), m: '', n },
          { k: Buffer.from(k), m: 'm', n: -n },
        ])
      }
      expect((await ofTexts.getMany(texts.map((k) => ({ k })))).map((row) => row?.n)).toEqual([0, 1, 2, 3, 4, 5])
      expect((await ofTexts.readAll().toArray()).map(({ k }) => k).sort()).toEqual(texts.toSorted())
      for (const [n, k] of texts.entries()) {
        const rows = await ofBlobs.scan({ k: Buffer.from(k) }).toArray()
        expect(rows.map(({ k: found, ...rest }) => [Buffer.from(found).toString(), rest.m, rest.n])).toEqual([
          [k, '', n],
          [k, 'm', n === 0 ? expect.anything() : -n],
        ])
      }
      const stored = (await cql(`SELECT k FROM $empty_texts_${writes}`)).rows.map(({ k }) => String(k)).sort()
      expect(stored).toEqual(['a', 'rk_empt', 'rk_empty', 'rk_emptyrk_empty', 'rk_emptyrk_empty1', 'rk_emptyrk_emptyrk_empty'])
      const { cql: statement } = await ofTexts.locate({ k: '' })
      expect(statement).toContain(`"k" = 'rk_empty'`)
      expect((await cql(statement)).rows).toMatchObject([{ n: 0 }])
    }
    await cql(`INSERT INTO $empty_texts_plain (k, n) VALUES ('rk_empty2', 1)`)
    const Texts = defineTable('empty_texts_plain', { columns: { k: text(), n: int32() }, partition: ['k'], key: [], writes: 'plain' })
    await expect(createMapper(server.adapter).repository(Texts).readAll().toArray()).rejects.toMatchObject({ code: 'UNREADABLE_ROW' })
  })
})
