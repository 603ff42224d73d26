import { cassandra } from '@rowkey/cassandra'
import { bucket, bytes, createMapper, defineTable, int32, nullable, text } from 'rowkey'
import { Cancellation, type Outcome, type Row } from 'rowkey/adapter'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { clientOf, connect, interrupted, type Connected } from './connected.js'
import { kinds, open, opened, type Change, type Opened } from './tables.js'

const columns = { group: text(), k: int32(), a: nullable(text()), b: nullable(text()) }
const Things = defineTable('things', { columns, partition: ['group'], key: ['k'] })
const Versioned = defineTable('versioned', { columns, partition: ['group'], key: ['k'], version: 'rev' })
const Blobs = defineTable('blobs', { columns: { group: text(), k: int32(), raw: nullable(bytes()) }, partition: ['group'], key: ['k'] })
const Expiring = defineTable('expiring', { columns, partition: ['group'], key: ['k'], ttl: '1h', version: 'rev' })
const Plain = defineTable('plain_things', {
  columns: { ...columns, raw: nullable(bytes()) },
  partition: ['group'],
  key: ['k'],
  writes: 'plain',
})
const Salted = defineTable('salted_things', {
  columns,
  partition: ['group'],
  key: ['k'],
  writes: 'plain',
  salt: bucket({ of: 'k', count: 2 }),
})

const until = (ms: number): Cancellation => new Cancellation({ deadline: Date.now() + ms })

withServer('cassandra', (connection) => {
  let server: Connected
  beforeAll(async () => {
    server = await connect(connection)
  })
  afterAll(() => server.dispose())

  const rowsOf = async (table: string): Promise<number> =>
    (await server.client.execute(`SELECT * FROM ${server.keyspace}.${table}`)).rowLength

  test('WRITE-2: a row without values is a row, whatever wrote it, and stays one', async () => {
    const table = await open(server.adapter, Things)
    await table.put(['g', 1, null, null], ['g', 2, 'x', null])
    expect(kinds(await table.write([{ kind: 'insert', row: ['g', 3, null, null] }]))).toEqual(['applied'])
    expect(kinds(await table.write([{ kind: 'update', row: ['g', 2, null, null], set: [2] }]))).toEqual(['applied'])
    await table.put(['g', 4, 'x', 'y'])
    await table.put(['g', 4, null, null])
    expect(await table.scan({ partition: ['g'] })).toEqual([1, 2, 3, 4].map((k) => ['g', k, null, null]))
  })

  test('WRITE-3 ADAPTER-10: a condition on a row that is not there makes none, not even one on null', async () => {
    for (const schema of [Things, Versioned, Expiring]) {
      const table = await open(server.adapter, schema)
      const rest = schema === Things ? [] : schema === Versioned ? ['v2'] : [null, 'v2']
      const row: Row = ['none', 1, 'x', null, ...rest]
      const changes: readonly Change[] = [
        { kind: 'update', row, set: [2] },
        ...(schema === Things ? [] : (['put', 'delete'] as const).map((kind): Change => ({ kind, row, version: 'v1' }))),
        ...(schema === Things ? [] : [{ kind: 'update', row, set: [2, row.length - 1], version: 'v1' } as const]),
      ]
      for (const change of changes) {
        expect(kinds(await table.write([change]))).toEqual(['missing'])
        expect(kinds(await table.write([change], { atomic: 'token' }))).toEqual(['missing'])
        expect(await rowsOf(schema.name)).toBe(schema === Things ? 4 : 0)
      }
      expect(kinds(await table.write([{ kind: 'delete', row }]))).toEqual(['applied'])
    }
  })

  test('WRITE-1 WRITE-3: writers of several clients: one insert wins, no update is lost, no acknowledged put is hidden', async () => {
    const clients = Array.from({ length: 3 }, () => clientOf(connection))
    const adapters = clients.map((client) => cassandra(client, { keyspace: server.keyspace }))
    try {
      await open(server.adapter, Versioned)
      const tables = await Promise.all(adapters.map((adapter) => open(adapter, Versioned)))
      for (let round = 0; round < 3; round++) {
        const insert = async (table: Opened, i: number): Promise<Outcome['kind']> => {
          for (;;) {
            const [outcome] = await table.write([{ kind: 'insert', row: ['race', round, `by ${i}`, null, `v${i}`] }])
            if (outcome !== undefined && outcome.kind !== 'unprocessed') return outcome.kind
          }
        }
        const outcomes = await Promise.all(tables.map(insert))
        expect(outcomes.filter((kind) => kind === 'applied')).toHaveLength(1)
        expect(outcomes.every((kind) => kind === 'applied' || kind === 'conflict')).toBe(true)
      }
      // A counter by compare-and-set.
      const [first] = tables as [Opened]
      await first.put(['count', 1, '0', null, 'n0'])
      const increment = async (table: Opened, by: number): Promise<void> => {
        for (let done = 0; done < 5;) {
          const row = (await table.get('count', 1)) as Row
          const next: Row = ['count', 1, String(Number(row[2]) + 1), null, `${by} ${done} ${Math.random()}`]
          const [outcome] = await table.write([{ kind: 'put', row: next, version: row[4] as string }])
          if (outcome?.kind === 'applied') done++
          else expect(['conflict', 'unprocessed']).toContain(outcome?.kind)
        }
      }
      await Promise.all(tables.map(increment))
      expect((await first.get('count', 1))?.[2]).toBe('15')
      // Puts and deletes are transactions too: what was acknowledged last is what is there.
      for (let i = 0; i < 20; i++) {
        const table = tables[i % 3] as Opened
        await table.put(['last', 1, String(i), null, `v${i}`])
        expect((await first.get('last', 1))?.[2]).toBe(String(i))
        if (i % 4 !== 3) continue
        await table.write([{ kind: 'delete', row: ['last', 1] }])
        expect(await first.get('last', 1)).toBeUndefined()
      }
    } finally {
      await Promise.all(clients.map((client) => client.shutdown()))
    }
  })

  test('ADAPTER-8 ADAPTER-11: over an expired row an atomic batch inserts, and a live one refuses it', async () => {
    const table = await open(server.adapter, Expiring)
    const now = Date.now()
    await table.put(['batch', 1, 'dead', 'dead', now - 1, 'v1'], ['batch', 2, 'alive', null, now + 60_000, 'v1'])
    const refused = await table.write(
      [
        { kind: 'insert', row: ['batch', 1, 'new', null, null, 'n'] },
        { kind: 'insert', row: ['batch', 2, 'new', null, null, 'n'] },
        { kind: 'put', row: ['batch', 3, 'new', null, null, 'n'] },
      ],
      { atomic: 'a' },
    )
    expect(kinds(refused)).toEqual(['unprocessed', 'conflict', 'unprocessed'])
    const good = await table.write(
      [
        { kind: 'insert', row: ['batch', 1, 'new', null, null, 'n1'] },
        { kind: 'update', row: ['batch', 2, null, 'B', null, 'n2'], set: [3, 5], version: 'v1' },
        { kind: 'put', row: ['batch', 3, 'new', null, null, 'n3'] },
        { kind: 'delete', row: ['batch', 4] },
      ],
      { atomic: 'b' },
    )
    expect(kinds(good)).toEqual(['applied', 'applied', 'applied', 'applied'])
    expect(await table.scan({ partition: ['batch'] })).toEqual([
      ['batch', 1, 'new', null, null, 'n1'],
      ['batch', 2, 'alive', 'B', now + 60_000, 'n2'],
      ['batch', 3, 'new', null, null, 'n3'],
    ])
  })

  test('ADAPTER-11: an update of nothing holds its batch to its row being there, also if it goes after the look at it', async () => {
    for (const schema of [Things, defineTable('empties', { columns, partition: ['group'], key: ['k'], ttl: '1h' })]) {
      const table = await open(server.adapter, schema)
      const rest = schema.columns.slice(2).map(() => null)
      const batch = [
        { kind: 'update', row: ['empty', 1, ...rest], set: [] },
        { kind: 'put', row: ['empty', 2, ...rest] },
      ] as const
      expect(kinds(await table.write(batch, { atomic: 'a' }))).toEqual(['missing', 'unprocessed'])
      await table.put(['empty', 1, ...rest])
      expect(kinds(await table.write(batch, { atomic: 'b' }))).toEqual(['applied', 'applied'])
      expect(await table.scan({ partition: ['empty'] })).toEqual([1, 2].map((k) => ['empty', k, ...rest]))
      await table.write([{ kind: 'delete', row: ['empty', 2] }])
      let isDone = false
      const client = interrupted(server.client, async (query) => {
        if (isDone || !query.startsWith('SELECT')) return
        isDone = true
        await table.write([{ kind: 'delete', row: ['empty', 1] }])
      })
      const late = opened(cassandra(client, { keyspace: server.keyspace }), schema, await server.adapter.describeTable(schema.name))
      expect(kinds(await late.write(batch, { atomic: 'c' }))).toEqual(['missing', 'unprocessed'])
      expect(isDone).toBe(true)
      expect(await table.scan({ partition: ['empty'] })).toEqual([])
    }
  })

  test('WRITE-7: a table of plain writes takes no condition from anybody: it would not go with the others', async () => {
    const table = await open(server.adapter, Plain)
    const row: Row = ['g', 1, 'x', null, null]
    for (const change of [
      { kind: 'insert', row },
      { kind: 'update', row, set: [2] },
      { kind: 'put', row, version: 'v' },
    ] as readonly Change[]) {
      const [outcome] = await table.write([change])
      expect(outcome).toMatchObject({ kind: 'failed', cause: { code: 'PLAIN_WRITES_ONLY' } })
    }
    expect(await rowsOf('plain_things')).toBe(0)
  })

  test('ADAPTER-6: one row that the server refuses takes no other of its batch along', async () => {
    const columns = { group: text(), k: text(), a: nullable(text()) }
    const table = await open(server.adapter, defineTable('long_keys', { columns, partition: ['group'], key: ['k'], writes: 'plain' }))
    const changes = ['a', 'b', 'x'.repeat(70_000), 'c'].map((k): Change => ({ kind: 'put', row: ['g', k, 'v'] }))
    const outcomes = await table.write(changes)
    expect(kinds(outcomes)).toEqual(['applied', 'applied', 'failed', 'applied'])
    expect(String((outcomes[2] as { cause?: unknown }).cause)).toContain('Key length of 70000 is longer')
    expect((await table.scan({ partition: ['g'] })).map(([, k]) => k)).toEqual(['a', 'b', 'c'])
    // All or none: then none.
    expect(kinds(await table.write(changes.slice(2), { atomic: 'all' }))).toEqual(['failed', 'failed'])
  })

  test('plain writes of one partition go as one batch, also where others come in between, and no batch has two partitions', async () => {
    let batches: string[][] = []
    const client = new Proxy(server.client, {
      get(target, property) {
        const own: unknown = Reflect.get(target, property)
        if (property !== 'batch') return typeof own === 'function' ? (own.bind(target) as unknown) : own
        return (statements: readonly { readonly params: readonly [Buffer, Buffer] }[], options: object) => {
          const partitionOf = ([first, second]: readonly [Buffer, Buffer]): string =>
            first.length === 4 ? `${first.readInt32BE()} ${String(second)}` : String(first)
          batches.push(statements.map(({ params }) => partitionOf(params)))
          return target.batch(statements as never, options)
        }
      },
    })
    const adapter = cassandra(client, { keyspace: server.keyspace })
    const groups = ['p', 'p', 'q', 'q', 'p', 'q']
    const table = await open(adapter, Plain)
    await table.put(...groups.map((group, k): Row => [group, k, 'v', null, null]))
    expect(batches.sort()).toEqual([Array(3).fill('p'), Array(3).fill('q')])
    // With a salt a partition is a bucket and its columns: the rows of a group come in turn for both of its buckets.
    batches = []
    const salted = await open(adapter, Salted)
    const rows = groups.flatMap((group) => Array.from({ length: 4 }, (_, k): Row => [group, k, 'v', null]))
    const distinct = rows.map(([group, , ...rest], k): Row => [group as string, k, ...rest])
    await salted.put(...distinct)
    const bucketOf = (row: Row): string => `${Salted.layout.bucketOf(row)} ${String(row[0])}`
    const wanted = [...new Set(distinct.map(bucketOf))].map((pair) => distinct.map(bucketOf).filter((other) => other === pair))
    expect(wanted).toHaveLength(4)
    expect(batches.sort()).toEqual(wanted.sort())
    expect(await salted.get('p', 0)).toEqual(distinct[0])
  })

  test('WRITE-15: an atomic batch that is too large for the server is ATOMIC_SCOPE, and nothing is sent', async () => {
    for (const [schema, row] of [
      [Plain, (k: number, bytes: Uint8Array): Row => ['heavy', k, null, null, bytes]],
      [Blobs, (k: number, bytes: Uint8Array): Row => ['heavy', k, bytes]],
    ] as const) {
      const table = await open(server.adapter, schema)
      const heavy = new Uint8Array(300_000)
      const batch = Array.from({ length: 60 }, (_, k): Change => ({ kind: 'put', row: row(k, heavy) }))
      await expect(table.write(batch, { atomic: 'heavy' })).rejects.toMatchObject({
        code: 'ATOMIC_SCOPE',
        message: expect.stringContaining('more than 16515072. Nothing was written. Write less in one call.') as string,
        details: { adapter: 'cassandra', scope: 'partition', max: 100, writes: 60 },
      })
      expect(await table.scan({ partition: ['heavy'] })).toEqual([])
      expect(new Set(kinds(await table.write(batch)))).toEqual(new Set(['applied'])) // in parts
      // What is just not refused is taken.
      const full = batch.slice(0, 54).map((_, k): Change => ({ kind: 'put', row: row(k, heavy) }))
      const last = new Uint8Array(16_515_072 - 54 * 300_000 - 55 * 400)
      full.push({ kind: 'put', row: row(54, last) })
      expect(new Set(kinds(await table.write(full, { atomic: 'full' })))).toEqual(new Set(['applied']))
    }
  })

  test('WRITE-10: a write whose time is over, or that was given up, is not sent', async () => {
    for (const schema of [Plain, Things]) {
      const table = await open(server.adapter, schema)
      const row: Row = schema === Plain ? ['late', 1, 'x', null, null] : ['late', 1, 'x', null]
      const put: Change = { kind: 'put', row }
      expect(kinds(await table.write([put], { cancellation: until(-1) }))).toEqual(['unprocessed'])
      expect(kinds(await table.write([put], { cancellation: new Cancellation({ signal: AbortSignal.abort() }) }))).toEqual(['unprocessed'])
      expect(kinds(await table.write([put], { atomic: 'late', cancellation: until(-1) }))).toEqual(['unprocessed'])
      expect(await table.get('late', 1)).toBeUndefined()
    }
  })

  test('WRITE-10: a write that is given up while its row is looked at is not sent', async () => {
    const table = await open(server.adapter, Expiring)
    const row: Row = ['given up', 1, 'before', null, null, 'v1']
    await table.put(row)
    const controller = new AbortController()
    const client = interrupted(server.client, async (query) => {
      if (query.startsWith('SELECT')) controller.abort()
    })
    const slow = opened(cassandra(client, { keyspace: server.keyspace }), Expiring, await server.adapter.describeTable(Expiring.name))
    const update: Change = { kind: 'update', row: ['given up', 1, 'after', null, null, 'v2'], set: [2, 5] }
    expect(kinds(await slow.write([update], { cancellation: new Cancellation({ signal: controller.signal }) }))).toEqual(['unprocessed'])
    expect(controller.signal.aborted).toBe(true)
    expect((await table.get('given up', 1))?.[2]).toBe('before')
  })

  test('WRITE-11: a plain put or delete that is sent again is the same write: what others have written since stays', async () => {
    const theirs = await open(server.adapter, Plain)
    for (const kind of ['put', 'delete'] as const) {
      const partition = `again ${kind}`
      let losses = 0
      const client = interrupted(server.client, async (query) => {
        if (!/^(INSERT|DELETE)/.test(query) || losses++ > 0) return
        await theirs.write([{ kind: 'put', row: [partition, 1, 'theirs', null, null] }]) // acknowledged after ours was applied
        throw Object.assign(new Error('no reply before the time-out'), { name: 'OperationTimedOutError' })
      })
      const db = createMapper(cassandra(client, { keyspace: server.keyspace }))
      const mine = db.repository(Plain) as never as { put(row: object): Promise<unknown>; delete(key: object): Promise<void> }
      const [p, k] = Plain.columns.slice(0, 2).map(({ name }) => name) as [string, string]
      await (kind === 'put' ? mine.put({ [p]: partition, [k]: 1 }) : mine.delete({ [p]: partition, [k]: 1 }))
      expect(losses).toBe(2) // it was sent twice, and is known to be applied
      expect((await theirs.get(partition, 1))?.[2]).toBe('theirs')
    }
  })

  test.each([false, true])('WRITE-11: so are the rows of a plain batch that is sent again, atomic: %s', async (atomic) => {
    const theirs = await open(server.adapter, Plain)
    const group = `batch again ${atomic}`
    const sent: string[] = []
    const client = interrupted(server.client, async (query) => {
      if (!/^(INSERT|DELETE)/.test(query)) return
      sent.push(query)
      if (sent.length > 1) return
      expect((await theirs.get(group, 2))?.[2]).toBe('ours') // it was applied; they write over one row of it, and are acknowledged
      await theirs.put([group, 2, 'theirs', null, null])
      throw Object.assign(new Error('no reply before the time-out'), { name: 'OperationTimedOutError' })
    })
    const db = createMapper(cassandra(client, { keyspace: server.keyspace }))
    const { ops } = db.repository(Plain)
    await theirs.put([group, 3, 'before', null, null])
    const rows = [1, 2].map((k) => ops.put({ group, k, a: 'ours' }))
    await db.write([...rows, ops.delete({ group, k: 3 })], { atomic })
    expect(sent.length).toBe(atomic ? 2 : 4) // again: as one batch, or row by row
    expect((await theirs.scan({ partition: [group] })).map(([, k, a]) => [k, a])).toEqual([
      [1, 'ours'],
      [2, 'theirs'],
    ])
  })

  test('WRITE-10: nobody waits longer than its deadline, or after an abort, for others that write the same partition', async () => {
    const table = await open(server.adapter, Things)
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    const client = interrupted(server.client, (query) => (query.startsWith('INSERT') ? held : Promise.resolve()))
    const slow = opened(cassandra(client, { keyspace: server.keyspace }), Things)
    const insert = (k: number): Change => ({ kind: 'insert', row: ['turns', k, null, null] })
    const first = slow.write([insert(1)])
    expect(kinds(await slow.write([insert(2)], { cancellation: until(50) }))).toEqual(['unprocessed'])
    expect(
      kinds(await slow.write([insert(2)], { cancellation: new Cancellation({ signal: AbortSignal.timeout(50) }), atomic: 'token' })),
    ).toEqual(['unprocessed'])
    const last = slow.write([insert(2)])
    release()
    expect([await first, await last].map(kinds)).toEqual([['applied'], ['applied']])
    expect((await table.scan({ partition: ['turns'] })).length).toBe(2)
  })
})
