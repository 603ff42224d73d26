import { redis } from '@rowkey/redis'
import { redis as server } from '@rowkey/servers'
import type { Mutation, Outcome, TableSchema } from 'rowkey/adapter'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createMapper, defineTable, text, uint32 } from 'rowkey'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { places } from './places.js'

const missing = server.missing()
const Rows = defineTable('rows', { columns: { id: uint32(), a: text() }, key: ['id'] })

describe.skipIf(missing !== undefined)('a server of its own', () => {
  const { open, client } = places()
  let running: Awaited<ReturnType<typeof server.start>>
  let url: string
  beforeAll(async () => {
    running = await server.start()
    url = running.connection.url
  })
  afterAll(() => running.stop())

  const setUp = async (name: string) => {
    const { adapter, client: own, prefix } = open(url)
    const schema: TableSchema = defineTable(`${prefix}${name}`, { columns: { id: uint32(), a: text() }, key: ['id'] })
    const store = adapter.table(schema, await adapter.ensureTable(schema))
    const write = async (...kinds: readonly ('put' | 'insert' | 'update' | 'delete')[]): Promise<readonly Outcome[]> => {
      const mutations = kinds.map((kind, id) => ({ kind, schema, row: [id, 'x'], ...(kind === 'update' ? { set: [1] } : {}) }) as Mutation)
      return adapter.write(mutations, { now: Date.now() })
    }
    return { adapter, own, schema, store, write, get: async () => (await store.get([[0]], { consistency: 'strong' }))[0] }
  }

  test('out of memory: nothing is applied, and the caller is told why', async () => {
    const { own, write, get } = await setUp('oom')
    await own.config('SET', 'maxmemory', '1')
    try {
      for (const kind of ['put', 'insert'] as const) {
        expect(await write(kind)).toEqual([{ kind: 'failed', cause: expect.objectContaining({ message: expect.stringMatching(/^OOM/) }) }])
      }
      expect(await get()).toBeUndefined()
    } finally {
      await own.config('SET', 'maxmemory', '0')
    }
    expect(await write('put')).toEqual([{ kind: 'applied' }])
  })

  test('too few replicas: nothing is applied, and it may be sent again', async () => {
    const { own, write, get } = await setUp('replicas')
    await own.config('SET', 'min-replicas-to-write', '1')
    try {
      expect(await write('put')).toEqual([{ kind: 'unprocessed' }])
      expect(await write('insert')).toEqual([{ kind: 'unprocessed' }])
      expect(await get()).toBeUndefined()
    } finally {
      await own.config('SET', 'min-replicas-to-write', '0')
    }
  })

  test('a disk that cannot be written: nothing is applied, and the caller is told why', async () => {
    const { own, write, get } = await setUp('misconf')
    await own.config('SET', 'save', '3600 1')
    const [, folder] = (await own.config('GET', 'dir')) as [string, string]
    // A save that cannot replace the file is what makes Redis refuse writes.
    mkdirSync(join(folder, 'dump.rdb', 'x'), { recursive: true })
    try {
      await own.bgsave().catch(() => undefined)
      for (let i = 0; i < 400 && !(await own.info('persistence')).includes('rdb_last_bgsave_status:err'); i++) {
        await new Promise((resolve) => setTimeout(resolve, 25))
      }
      expect(await write('put')).toEqual([
        { kind: 'failed', cause: expect.objectContaining({ message: expect.stringMatching(/^MISCONF/) }) },
      ])
      expect(await get()).toBeUndefined()
    } finally {
      rmSync(join(folder, 'dump.rdb'), { recursive: true })
      await own.config('SET', 'save', '')
    }
  })

  test('a busy server refuses, and nothing is applied', async () => {
    const { own, write, get } = await setUp('busy')
    await own.config('SET', 'busy-reply-threshold', '1')
    const other = client(url)
    const endless = other.eval('while true do end', 0).catch((error: unknown) => error)
    for (let i = 0; i < 400; i++) {
      const answer = await own.ping().catch((error: unknown) => (error as Error).message)
      if (answer.startsWith('BUSY')) break
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(await write('put')).toEqual([{ kind: 'unprocessed' }])
    await expect(get()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', details: { reason: 'refused' } })
    await own.script('KILL' as never)
    await endless
    expect(await get()).toBeUndefined()
  })

  test('a user without rights is told what he lacks, and nothing is applied', async () => {
    const { own, schema, adapter } = await setUp('acl')
    await own.acl('SETUSER', 'reader', 'on', '>secret', '~rk:*', '+@read', '+@connection', '+info')
    const { adapter: limited } = open(url.replace('redis://', 'redis://reader:secret@'))
    limited.table(schema, (await adapter.describeTable(schema.name)) as never)
    expect(await limited.describeTable(schema.name)).toBeDefined()
    const [outcome] = await limited.write([{ kind: 'put', schema, row: [0, 'x'] }], { now: 0 })
    expect(outcome).toMatchObject({ kind: 'failed', cause: { message: expect.stringMatching(/^NOPERM/) } })
  })

  test('a script that is stopped in its midst leaves the outcome open', async () => {
    const { own, schema, adapter } = await setUp('midst')
    await own.acl('SETUSER', 'half', 'on', '>secret', '~rk:*', '+@all', '-zadd')
    const { adapter: limited } = open(url.replace('redis://', 'redis://half:secret@'))
    limited.table(schema, (await adapter.describeTable(schema.name)) as never)
    const [outcome] = await limited.write([{ kind: 'put', schema, row: [0, 'x'] }], { now: 0 }) // HSET is allowed and comes first
    expect(outcome).toMatchObject({ kind: 'unknown', cause: { message: expect.stringContaining('script') } })
  })

  test('a replica refuses writes: nothing is applied, and it may be sent again', async () => {
    const { own, write, get } = await setUp('replica')
    await own.replicaof('127.0.0.1', 1) // of nobody: it keeps what it has
    try {
      for (const kind of ['put', 'insert', 'delete'] as const) expect(await write(kind)).toEqual([{ kind: 'unprocessed' }])
    } finally {
      await own.call('REPLICAOF', 'NO', 'ONE')
    }
    expect(await get()).toBeUndefined()
    expect(await write('put')).toEqual([{ kind: 'applied' }])
  })

  test('a server that may evict is warned of, once for a client; others are not', async () => {
    const warnings: Error[] = []
    const listen = (warning: Error): void => void warnings.push(warning)
    process.on('warning', listen)
    const own = client(url)
    const look = async (policy: string, maxmemory: string): Promise<number> => {
      await own.config('SET', 'maxmemory-policy', policy)
      await own.config('SET', 'maxmemory', maxmemory)
      const fresh = client(url)
      for (const adapter of [redis(fresh), redis(fresh)]) {
        await createMapper(adapter).ensureTables([Rows])
        await adapter.describeTable('none')
      }
      await new Promise((resolve) => setImmediate(resolve))
      return warnings.splice(0).filter((warning) => (warning as { code?: string }).code === 'ROWKEY_REDIS_EVICTION').length
    }
    try {
      expect(await look('allkeys-lru', '100mb')).toBe(1)
      expect(await look('allkeys-random', '100mb')).toBe(1)
      expect(await look('allkeys-lru', '0')).toBe(0)
      expect(await look('volatile-lru', '100mb')).toBe(0)
      expect(await look('noeviction', '100mb')).toBe(0)
    } finally {
      process.off('warning', listen)
      await own.config('SET', 'maxmemory', '0')
    }
  })
})
