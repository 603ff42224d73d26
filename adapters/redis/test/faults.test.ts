import { redis } from '@rowkey/redis'
import { bucket, createMapper, defineTable, text, uint32 } from 'rowkey'
import { afterEach, expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { refusalOf } from '../../../test/kit/refusal.js'
import { places } from './places.js'
import { openProxy, type Proxy } from '../../../test/setup/proxy.js'

const Rows = defineTable('rows', { columns: { id: uint32(), a: text() }, key: ['id'] })
const Versioned = defineTable('versioned', { columns: { id: uint32(), a: text() }, key: ['id'], version: 'rev' })
const Salted = defineTable('salted', { columns: { id: uint32(), a: text() }, key: ['id'], salt: bucket({ of: 'id', count: 4 }) })

const urlOf = ({ port }: Proxy): string => `redis://127.0.0.1:${port}`

withServer('redis', ({ url }) => {
  const { open, client } = places()
  const proxies: Proxy[] = []
  afterEach(async () => {
    for (const proxy of proxies.splice(0)) await proxy.close()
  })
  const proxied = async (options: object = {}) => {
    const proxy = await openProxy(Number(new URL(url).port))
    proxies.push(proxy)
    const db = open(urlOf(proxy), options)
    await db.ensureTables([Rows, Versioned, Salted])
    return { db, proxy, direct: createMapper(redis(client(url)), { prefix: db.prefix }) }
  }
  const many = Array.from({ length: 400 }, (_, id) => ({ id, a: 'x'.repeat(200) }))

  test.each([1, 100, 10_000, 40_000])('a connection cut after %i bytes of a page loses and repeats no row', async (bytes) => {
    const { db, proxy } = await proxied()
    const rows = db.repository(Salted)
    await rows.putMany(many)
    const found = []
    let cursor: string | undefined
    do {
      proxy.cutAfter(bytes)
      const page = await rows.scan({}, { unbounded: true }).page({ size: 150, cursor })
      found.push(...page.rows)
      cursor = page.cursor
    } while (cursor !== undefined)
    expect(found).toEqual(many)
  })

  test('a client that does not send again gives a typed error, and the next page goes on', async () => {
    const { db, proxy } = await proxied({ autoResendUnfulfilledCommands: false, commandTimeout: 500 })
    const rows = db.repository(Rows)
    await rows.putMany(many)
    proxy.cutAfter(5000)
    const cut = rows.scan({}, { unbounded: true }).toArray()
    await expect(cut).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', details: { adapter: 'redis', reason: 'unanswered' } })
    expect(await rows.scan({}, { unbounded: true }).toArray()).toHaveLength(400)
    proxy.cutAfter(0)
    await expect(rows.get({ id: 1 })).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
  })

  test.each([true, false])(
    'an insert whose answer is lost is unknown, and never a conflict with itself (sent again: %s)',
    async (again) => {
      const { db, proxy, direct } = await proxied(again ? {} : { autoResendUnfulfilledCommands: false, commandTimeout: 500 })
      const rows = db.repository(Rows)
      await rows.put({ id: 9, a: '' }) // the script is known to the server
      await rows.insert({ id: 8, a: '' })
      proxy.swallow(1)
      await expect(rows.insert({ id: 1, a: 'mine' })).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
      expect(await direct.repository(Rows).get({ id: 1 })).toEqual({ id: 1, a: 'mine' })
    },
  )

  test('an insert whose answer is lost is not done again by a server that has restarted and knows no script', async () => {
    const { db, proxy, direct } = await proxied()
    const rows = db.repository(Rows)
    const other = direct.repository(Rows)
    await rows.insert({ id: 8, a: '' })
    proxy.swallow(1)
    const insert = rows.insert({ id: 1, a: 'mine' }).catch((error: unknown) => error)
    for (let i = 0; i < 500 && (await other.get({ id: 1 })) === undefined; i++) await new Promise((resolve) => setTimeout(resolve, 1))
    await client(url).script('FLUSH')
    expect(await insert).toMatchObject({ code: 'OUTCOME_UNKNOWN' })
  })

  test('an update whose look at the row is not answered has written nothing, and may be sent again', async () => {
    const { db, proxy } = await proxied({ autoResendUnfulfilledCommands: false, commandTimeout: 500 })
    const { adapter, prefix } = db
    const schema = defineTable(`${prefix}looks`, { columns: { id: uint32(), a: text() }, key: ['id'] })
    adapter.table(schema, await adapter.ensureTable(schema))
    await adapter.write([{ kind: 'put', schema, row: [1, 'x'] }], { now: 0 })
    proxy.swallow(1)
    expect(await adapter.write([{ kind: 'update', schema, row: [1, 'y'], set: [1] }], { now: 0 })).toEqual([{ kind: 'unprocessed' }])
  })

  test('an update whose answer is lost is not done twice', async () => {
    const { db, proxy, direct } = await proxied()
    const rows = db.repository(Rows)
    const other = direct.repository(Rows)
    await rows.put({ id: 1, a: 'old' })
    await rows.update({ id: 1 }, { a: 'older' })
    proxy.swallow(2) // the look and the script
    const update = rows.update({ id: 1 }, { a: 'mine' }).catch((error: unknown) => error)
    for (let i = 0; i < 500 && (await other.get({ id: 1 }))?.a === 'older'; i++) await new Promise((resolve) => setTimeout(resolve, 1))
    await other.put({ id: 1, a: 'theirs' })
    await update
    expect(await other.get({ id: 1 })).toEqual({ id: 1, a: 'theirs' })
  })

  test('a version tells what became of a write whose answer was lost', async () => {
    const { db, proxy } = await proxied()
    const rows = db.repository(Versioned)
    await rows.insert({ id: 0, a: '' })
    proxy.swallow(1)
    await rows.insert({ id: 1, a: 'mine' })
    expect(await rows.get({ id: 1 })).toMatchObject({ a: 'mine' })
  })

  test('WRITE-11: puts whose answer is lost are told as unknown, and sent again only where that is allowed', async () => {
    const { db, proxy, direct } = await proxied()
    const rows = db.repository(Rows)
    await rows.put({ id: 0, a: '' })
    proxy.swallow(1)
    const { code, details } = await refusalOf(() => rows.putMany(many))
    expect(code).toBe('WRITE_INCOMPLETE')
    expect(new Set((details['outcomes'] as { kind: string }[]).map(({ kind }) => kind))).toEqual(new Set(['unknown']))
    const allowing = createMapper(db.adapter, { prefix: db.prefix, retry: { onUnknown: 'resend' } }).repository(Rows)
    await allowing.put({ id: 0, a: '' })
    proxy.swallow(1)
    await allowing.putMany(many)
    expect(await direct.repository(Rows).scan({}, { unbounded: true }).toArray()).toHaveLength(400)
  })

  test('WRITE-11: a put and a delete whose answers are lost do not undo what others have written since', async () => {
    const { db, proxy, direct } = await proxied({ maxRetriesPerRequest: 1 })
    const [mine, theirs] = [db.repository(Rows), direct.repository(Rows)]
    await mine.put({ id: 9, a: '' })
    await mine.delete({ id: 9 })
    const seen = async (id: number, a: string | undefined): Promise<void> => {
      for (let i = 0; i < 2000 && (await theirs.get({ id }))?.a !== a; i++) await new Promise((resolve) => setTimeout(resolve, 1))
      expect((await theirs.get({ id }))?.a).toBe(a)
    }
    proxy.holdAnswers(true)
    const put = refusalOf(() => mine.put({ id: 1, a: 'mine' }))
    await seen(1, 'mine')
    await theirs.put({ id: 1, a: 'theirs' })
    proxy.holdAnswers(false, true)
    expect((await put).code).toBe('OUTCOME_UNKNOWN')
    await mine.get({ id: 9 }) // the connection is back, and nothing waits in front of this
    proxy.holdAnswers(true)
    const remove = refusalOf(() => mine.delete({ id: 1 }))
    await seen(1, undefined)
    await theirs.insert({ id: 1, a: 'new' })
    proxy.holdAnswers(false, true)
    expect((await remove).code).toBe('OUTCOME_UNKNOWN')
    await mine.get({ id: 9 })
    expect(await theirs.get({ id: 1 })).toEqual({ id: 1, a: 'new' })
  })

  test('WRITE-10 ADAPTER-14: what still waits for its connection at the deadline, or at an abort, is never sent', async () => {
    const { db, proxy, direct } = await proxied({ maxRetriesPerRequest: null })
    const rows = db.repository(Rows)
    await rows.put({ id: 0, a: 'before' })
    await proxy.refuse(true)
    for (let i = 0; i < 1000 && db.client.status === 'ready'; i++) await new Promise((resolve) => setTimeout(resolve, 5))
    const late = (): { deadline: number } => ({ deadline: Date.now() + 50 })
    const given = [
      () => rows.put({ id: 0, a: 'late' }, late()),
      () => rows.insert({ id: 1, a: 'late' }, late()),
      () =>
        rows.putMany(
          Array.from({ length: 2000 }, (_, id) => ({ id, a: 'late' })),
          late(),
        ),
      () => db.write([rows.ops.put({ id: 4, a: 'late' })], { atomic: true, ...late() }),
    ]
    for (const write of given) {
      const { code, details } = await refusalOf(write)
      expect(code).toBe('DEADLINE')
      expect(new Set((details['outcomes'] as { kind: string }[]).map(({ kind }) => kind))).toEqual(new Set(['unprocessed']))
    }
    const reason = new Error('enough')
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 50)
    await expect(rows.put({ id: 5, a: 'late' }, { signal: controller.signal })).rejects.toBe(reason)
    await direct.repository(Rows).put({ id: 0, a: 'theirs' })
    await proxy.refuse(false)
    await rows.get({ id: 9 }) // behind what stood in the queue
    expect(await direct.repository(Rows).scan({}, { unbounded: true }).toArray()).toEqual([{ id: 0, a: 'theirs' }])
  })

  test('a server that is away: what was never sent is surely not written, also when the server comes back', async () => {
    const { db, proxy } = await proxied({ maxRetriesPerRequest: 1 })
    const { adapter, prefix } = db
    const schema = defineTable(`${prefix}direct`, { columns: { id: uint32(), a: text() }, key: ['id'] })
    const store = adapter.table(schema, await adapter.ensureTable(schema))
    await proxy.refuse(true)
    // The client has noticed that its connection is gone.
    for (let i = 0; i < 1000 && db.client.status === 'ready'; i++) await new Promise((resolve) => setTimeout(resolve, 5))
    const outcomes = await adapter.write([{ kind: 'insert', schema, row: [1, 'never'] }], { now: Date.now() })
    expect(outcomes).toEqual([{ kind: 'unprocessed' }])
    await expect(store.get([[1]], { consistency: 'strong' })).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    await proxy.refuse(false)
    expect(await store.get([[1]], { consistency: 'strong' })).toEqual([undefined])
  })

  test('a write whose caller was told that it was not sent is not done when the connection is back', async () => {
    const { db, proxy } = await proxied({ maxRetriesPerRequest: null, commandTimeout: 300 })
    const { adapter, prefix } = db
    const schema = defineTable(`${prefix}queued`, { columns: { id: uint32(), a: text() }, key: ['id'] })
    const store = adapter.table(schema, await adapter.ensureTable(schema))
    await proxy.refuse(true)
    for (let i = 0; i < 1000 && db.client.status === 'ready'; i++) await new Promise((resolve) => setTimeout(resolve, 5))
    const mutations = (['put', 'insert'] as const).map((kind, id) => ({ kind, schema, row: [id, 'never'] }))
    const outcomes = await Promise.all(mutations.map(async (mutation) => adapter.write([mutation], { now: Date.now() })))
    expect(outcomes.flat()).toEqual([{ kind: 'unprocessed' }, { kind: 'unprocessed' }])
    await proxy.refuse(false)
    for (let i = 0; i < 1000 && db.client.status !== 'ready'; i++) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await store.get([[0], [1]], { consistency: 'strong' })).toEqual([undefined, undefined]) // behind what stood in the queue
  })

  test('a deadline and an abort count while the client waits for its connection', async () => {
    const { db, proxy } = await proxied({ maxRetriesPerRequest: null })
    const rows = db.repository(Rows)
    await rows.put({ id: 0, a: '' })
    await db.repository(Versioned).put({ id: 0, a: '' })
    await proxy.refuse(true)
    await expect(rows.insert({ id: 1, a: '' }, { deadline: Date.now() + 200 })).rejects.toMatchObject({ code: 'DEADLINE' })
    const reason = new Error('enough')
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 100)
    const { signal } = controller
    await Promise.all([
      expect(rows.put({ id: 1, a: '' }, { signal })).rejects.toBe(reason),
      expect(rows.get({ id: 0 }, { signal })).rejects.toBe(reason),
      expect(rows.getMany([{ id: 0 }, { id: 1 }], { signal })).rejects.toBe(reason),
    ])
    // The outcome of this one would be settled by a read.
    const versioned = db.repository(Versioned).insert({ id: 1, a: '' }, { deadline: Date.now() + 200 })
    await expect(versioned).rejects.toMatchObject({ code: 'DEADLINE' })
  })

  // Before it is ready, ioredis forgets what it has sent: the INFO for the warning of eviction is the one command it sends then.
  test.each([1, 20, 1000])('a connection that is cut after %i bytes of its beginning holds up no call', async (bytes) => {
    const proxy = await openProxy(Number(new URL(url).port))
    proxies.push(proxy)
    proxy.cutAfter(bytes)
    const db = open(urlOf(proxy))
    await new Promise((resolve) => db.client.once('connect', resolve))
    await db.ensureTables([Rows])
    expect(await db.repository(Rows).get({ id: 1 })).toBeUndefined()
  })

  test('scripts that the server has forgotten are given to it again', async () => {
    const { db, direct } = await proxied()
    const rows = db.repository(Rows)
    await rows.putMany(many)
    await direct.adapter.describeTable('x')
    await db.client.script('FLUSH')
    await rows.insert({ id: 1000, a: '' })
    await db.client.script('FLUSH')
    expect(await rows.scan({}, { unbounded: true }).toArray()).toHaveLength(401)
  })
})
