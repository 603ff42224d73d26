import { redis } from '@rowkey/redis'
import type { TableStore } from 'rowkey/adapter'
import { Catalogs } from '../src/catalogs.js'
import type { Commands } from '../src/client/commands.js'
import { IoredisCommands } from '../src/client/ioredis.js'
import { prepareScript } from '../src/scripts/tables.js'
import { bucket, createMapper, defineTable, nullable, type TableSchema, text, uint32 } from 'rowkey'
import { expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { places } from './places.js'

const strong = { consistency: 'strong' } as const
const now = Date.now()

withServer('redis', ({ url }) => {
  const { open, client } = places()
  const model = (name: string, extra: Record<string, unknown> = {}): TableSchema =>
    defineTable(name, {
      columns: { id: uint32(), a: text(), ...extra } as never,
      key: ['id'],
      salt: bucket({ of: 'id', count: 8 }),
    })
  const keysOf = async (name: string): Promise<string[]> => (await client(url).keys(`rk:{${name}*`)).sort()

  test('a table has four kinds of keys and no other; dropping it removes them all', async () => {
    const { prefix, adapter } = open(url)
    const schema = model(`${prefix}kinds`)
    const store = adapter.table(schema, await adapter.ensureTable(schema))
    await adapter.write(
      Array.from({ length: 50 }, (_, id) => ({ kind: 'put' as const, schema, row: [id, 'x'] })),
      { now },
    )
    expect(await store.get([[7]], strong)).toEqual([[7, 'x']])
    const shards = ['00', '01', '02', '03', '04', '05', '06', '07']
    expect(await keysOf(schema.name)).toEqual(
      [
        `rk:{${schema.name}}:catalog`,
        ...shards.flatMap((hex) => ['h', 'x', 'z'].map((kind) => `rk:{${schema.name}.${hex}}:${kind}`)),
      ].sort(),
    )
    await adapter.dropTable(schema.name)
    await adapter.dropTable(schema.name)
    expect(await keysOf(schema.name)).toEqual([])
  })

  test('ten that create, grow and drop at once end with a table that is whole, or with nothing', async () => {
    const { prefix } = open(url)
    for (let round = 0; round < 15; round++) {
      const name = `${prefix}race${round}`
      const adapters = Array.from({ length: 5 }, () => redis(client(url)))
      await Promise.all(
        adapters.flatMap((adapter, i) => [
          adapter.ensureTable(model(name, { [`c${i}`]: nullable(text()) })),
          i % 2 === 0 ? adapter.dropTable(name) : adapter.ensureTable(model(name)),
        ]),
      )
      const schema = model(name)
      const [adapter] = adapters as [(typeof adapters)[0]]
      const catalog = await adapter.ensureTable(schema)
      const store = adapter.table(schema, catalog)
      const rows = Array.from({ length: 40 }, (_, id) => [id, 'x'])
      const outcomes = await adapter.write(
        rows.map((row) => ({ kind: 'insert' as const, schema, row })),
        { now },
      )
      expect(outcomes.every(({ kind }) => kind === 'applied')).toBe(true)
      expect(await store.get(rows, strong)).toEqual(rows)
      await adapter.dropTable(name)
      expect(await keysOf(name)).toEqual([])
    }
  })

  test('who opened a table before it was dropped and made anew neither reads nor writes the new one', async () => {
    const { prefix, adapter } = open(url)
    const schema = model(`${prefix}anew`)
    const old = adapter.table(schema, await adapter.ensureTable(schema))
    await adapter.write([{ kind: 'put', schema, row: [1, 'old'] }], { now })
    const other = redis(client(url))
    await other.dropTable(schema.name)
    const again = model(`${prefix}anew`)
    const anew = other.table(again, await other.ensureTable(again))
    await other.write([{ kind: 'put', schema: again, row: [2, 'new'] }], { now })

    for (const kind of ['put', 'insert', 'delete'] as const) {
      const [outcome] = await adapter.write([{ kind, schema, row: [2, 'stale'] }], { now })
      expect(outcome).toMatchObject({ kind: 'failed', cause: { code: 'TABLE_NOT_FOUND' } })
    }
    const [update] = await adapter.write([{ kind: 'update', schema, row: [2, 'stale'], set: [1] }], { now })
    expect(update).toMatchObject({ kind: 'failed', cause: { code: 'TABLE_NOT_FOUND' } })
    await expect(old.get([[2]], strong)).rejects.toMatchObject({ code: 'TABLE_NOT_FOUND' })
    await expect(async () => old.fullScan(undefined, strong).next(10)).rejects.toMatchObject({ code: 'TABLE_NOT_FOUND' })
    expect(await anew.get([[1], [2]], strong)).toEqual([undefined, [2, 'new']])
  })

  test('what a process left behind that ended while it made or dropped a table is finished by the next one', async () => {
    const { prefix, adapter, client: own } = open(url)
    const schema = model(`${prefix}crashed`)
    const key = `rk:{${schema.name}}:catalog`
    await adapter.ensureTable(schema)
    const stored = JSON.parse((await own.get(key)) as string) as { store: { id: string } }

    await own.set(key, JSON.stringify({ ...stored, state: 'creating' }))
    await own.unlink(`rk:{${schema.name}.03}:h`, `rk:{${schema.name}.03}:z`, `rk:{${schema.name}.03}:x`)
    expect(await adapter.describeTable(schema.name)).toBeUndefined()
    expect((await adapter.ensureTable(schema)).store).toEqual(stored.store)
    expect(await own.hget(`rk:{${schema.name}.03}:h`, '')).toBe(stored.store.id)

    adapter.table(schema, (await adapter.describeTable(schema.name)) as never)
    await adapter.write([{ kind: 'put', schema, row: [1, 'x'] }], { now })
    await own.set(key, JSON.stringify({ ...stored, state: 'dropping' }))
    expect(await adapter.describeTable(schema.name)).toBeUndefined()
    const made = await adapter.ensureTable(schema)
    expect(made.store?.['id']).not.toBe(stored.store.id)
    expect(await adapter.table(schema, made).get([[1]], strong)).toEqual([undefined])
    await own.set(key, JSON.stringify({ ...stored, store: made.store, state: 'dropping' }))
    await adapter.dropTable(schema.name)
    expect(await keysOf(schema.name)).toEqual([])
  })

  test('who is late with dropping a table does not touch the one that was made anew', async () => {
    const { prefix, adapter, client: own } = open(url)
    const schema = model(`${prefix}late`)
    const key = `rk:{${schema.name}}:catalog`
    await adapter.ensureTable(schema)
    const dropped = JSON.parse((await own.get(key)) as string) as object
    await adapter.dropTable(schema.name)
    const store = adapter.table(schema, await adapter.ensureTable(schema))
    await adapter.write([{ kind: 'put', schema, row: [1, 'new'] }], { now })
    const living = (await own.get(key)) as string

    await own.set(key, JSON.stringify({ ...dropped, state: 'dropping' })) // as it was read before
    await redis(client(url)).dropTable(schema.name)
    await own.set(key, living)
    expect(await store.get([[1]], strong)).toEqual([[1, 'new']])
  })

  test('who is late with creating a table does not touch the one that was made meanwhile', async () => {
    const { prefix, adapter } = open(url)
    const schema = model(`${prefix}stalled`)
    const commands = new IoredisCommands(client(url))
    const store = { made: undefined as TableStore | undefined }
    const stalled: Commands = {
      get: (key) => commands.get(key),
      hashFields: (key, fields) => commands.hashFields(key, fields),
      info: (section) => commands.info(section),
      runOnce: (script, keys, args, caller) => commands.runOnce(script, keys, args, caller),
      async run(script, keys, args) {
        if (script === prepareScript && store.made === undefined) {
          store.made = {} as TableStore
          await adapter.dropTable(schema.name)
          store.made = adapter.table(schema, await adapter.ensureTable(schema))
          await adapter.write(
            Array.from({ length: 40 }, (_, id) => ({ kind: 'put' as const, schema, row: [id, 'new'] })),
            { now },
          )
        }
        while (store.made?.get === undefined && script === prepareScript) await new Promise((resolve) => setTimeout(resolve, 5))
        return commands.run(script, keys, args)
      },
    }
    const catalog = await new Catalogs(stalled, 64).ensure(schema)
    expect(catalog).toEqual(await adapter.describeTable(schema.name))
    const page = await store.made?.fullScan(undefined, strong).next(100)
    expect(page?.rows.length).toBeGreaterThan(0)
    expect((await store.made?.get(Array.from({ length: 40 }, (_, id) => [id]), strong))?.filter((row) => row !== undefined)).toHaveLength(40) // prettier-ignore
  })

  test('who is late with creating a table leaves no keys of it, where the one made meanwhile has fewer', async () => {
    const { prefix, adapter } = open(url, {}, { shards: 2 })
    const columns = { owner: text(), id: uint32() }
    const schema: TableSchema = defineTable(`${prefix}fewer`, { columns, partition: ['owner'], key: ['id'] })
    const commands = new IoredisCommands(client(url))
    let meanwhile: Promise<unknown> | undefined
    const stalled: Commands = {
      get: (key) => commands.get(key),
      hashFields: (key, fields) => commands.hashFields(key, fields),
      info: (section) => commands.info(section),
      runOnce: (script, keys, args, caller) => commands.runOnce(script, keys, args, caller),
      async run(script, keys, args) {
        if (script === prepareScript) await (meanwhile ??= adapter.dropTable(schema.name).then(() => adapter.ensureTable(schema)))
        return commands.run(script, keys, args)
      },
    }
    expect((await new Catalogs(stalled, 8).ensure(schema)).store).toMatchObject({ shards: 2 })
    expect(await keysOf(schema.name)).toHaveLength(1 + 2 * 3)
  })

  test('rows of a table that is no more, left by a catalog that was lost, never show in a new one', async () => {
    const { prefix, adapter, client: own } = open(url)
    const schema = model(`${prefix}orphans`)
    adapter.table(schema, await adapter.ensureTable(schema))
    await adapter.write(
      Array.from({ length: 20 }, (_, id) => ({ kind: 'put' as const, schema, row: [id, 'old'] })),
      { now },
    )
    await own.del(`rk:{${schema.name}}:catalog`)
    const store = adapter.table(schema, await adapter.ensureTable(schema))
    expect(await store.fullScan(undefined, strong).next(100)).toBeUndefined()
  })

  test.each(['nonsense', '{}', '[]', 'null', '{"format":2,"values":[]}', '{"format":1,"schema":{},"values":[],"state":"ready"}'])(
    'a catalog that reads %j is STORE_UNUSABLE',
    async (text) => {
      const { prefix, adapter, client: own } = open(url)
      await own.set(`rk:{${prefix}odd}:catalog`, text)
      await expect(adapter.describeTable(`${prefix}odd`)).rejects.toMatchObject({ code: 'STORE_UNUSABLE', details: { adapter: 'redis' } })
      await expect(adapter.dropTable(`${prefix}odd`)).rejects.toMatchObject({ code: 'STORE_UNUSABLE' })
    },
  )

  test('a table keeps the number of shards it was made with', async () => {
    const few = open(url, {}, { shards: 3 })
    const Owned = defineTable('owned', { columns: { owner: text(), id: uint32() }, partition: ['owner'], key: ['id'] })
    await few.ensureTables([Owned])
    const many = createMapper(redis(client(url), { shards: 300 }), { prefix: few.prefix })
    await many.ensureTables([Owned])
    const rows = many.repository(Owned)
    const all = Array.from({ length: 60 }, (_, i) => ({ owner: `o${i % 20}`, id: i }))
    await rows.putMany(all)
    expect(await few.repository(Owned).getMany(all)).toEqual(all)
    const places = await Promise.all(all.map((row) => rows.locate(row)))
    expect([...new Set(places.map(({ values }) => values.replace(/^.*\.(..)}:h$/, '$1')))].sort()).toEqual(['00', '01', '02'])
  })
  test('a checkpoint is good for a table with as many shards, and refused for any other', async () => {
    const Owned = defineTable('owned', { columns: { owner: text(), id: uint32() }, partition: ['owner'], key: ['id'] })
    const all = Array.from({ length: 60 }, (_, i) => ({ owner: `o${i}`, id: i }))
    const { prefix } = open(url)
    const make = async (shards: number) => {
      const db = createMapper(redis(client(url), { shards }), { prefix })
      await db.ensureTables([Owned])
      await db.repository(Owned).putMany(all)
      return db
    }
    const rest = async (db: Awaited<ReturnType<typeof make>>, checkpoint?: string): Promise<string[]> => {
      const checkpoints: string[] = []
      for await (const page of db
        .repository(Owned)
        .readAll(checkpoint === undefined ? {} : { checkpoint })
        .pages()) {
        checkpoints.push(page.checkpoint)
      }
      return checkpoints
    }
    const first = await make(16)
    const [, second, ...others] = await rest(first)
    await first.dropTables([Owned])
    expect(await rest(await make(16), second)).toHaveLength(others.length)
    await first.dropTables([Owned])
    await expect(rest(await make(3), second)).rejects.toMatchObject({
      code: 'CURSOR_INVALID',
      message: expect.stringContaining('16 shards'),
    })
    const schema = model(`${prefix}plain`)
    const { adapter } = open(url)
    const store = adapter.table(schema, await adapter.ensureTable(schema))
    for (const checkpoint of ['', '1', '8.1', '8.8.AAAA', '8.x.AAAA', '-1.-1.AAAA']) {
      expect(() => store.fullScan(checkpoint, strong)).toThrow(expect.objectContaining({ code: 'CURSOR_INVALID' }))
    }
  })
})
