import { expect, test } from 'vitest'
import { KuduClient, type Operation } from '../src/index.js'
import { batchesOf, clientsOf, metrics, rowsOf } from './clients.js'
import { failureOf } from './cluster.js'
import { withKudu } from './with-kudu.js'

withKudu('kudu', () => {
  const { client, server } = clientsOf()

  test('rows are written, read, changed and deleted', async () => {
    const c = client()
    const t = await metrics(c, 3)
    await c.insert(t, { host: 'a', time: 1n, load: 0.5 })
    expect((await failureOf(c.insert(t, ['a', 1n, 0.7]))).code).toBe('ALREADY_PRESENT')
    expect(await c.get(t, { host: 'a', time: 1 })).toEqual({ host: 'a', time: 1n, load: 0.5, note: null })
    await c.update(t, { host: 'a', time: 1n, note: 'grüß' })
    expect((await failureOf(c.update(t, { host: 'b', time: 1n, note: 'x' }))).code).toBe('NOT_FOUND')
    await c.upsert(t, { host: 'b', time: 1n, load: 2 })
    await c.upsert(t, { host: 'a', time: 1n, load: null })
    expect(await c.get(t, ['a', 1n], { columns: ['note', 'load'] })).toEqual({ note: 'grüß', load: null })
    expect(await c.getMany(t, [['b', 1n], ['c', 1n], { host: 'a', time: 1n }, ['b', 1n]], { columns: ['load'] })).toEqual([
      { load: 2 },
      undefined,
      { load: null },
      { load: 2 },
    ])
    await c.delete(t, { host: 'a', time: 1n })
    const gone = await failureOf(c.delete(t, ['a', 1n]))
    expect(gone).toMatchObject({ code: 'NOT_FOUND', call: 'delete', isSent: false, status: 'NOT_FOUND' })
    expect(await c.get(t, ['a', 1n])).toBeUndefined()
  })

  test('of a batch each operation has its error, and those of one row are done in order', async () => {
    const c = client()
    const t = await metrics(c, 4)
    const operations: Operation[] = Array.from({ length: 1_000 }, (_, index) => ({
      type: 'insert',
      row: [`h${index % 50}`, index, index, null],
    }))
    expect((await c.write(t, operations)).errors).toEqual(Array.from({ length: 1_000 }))
    const key = { host: 'z', time: 0n }
    const { errors } = await c.write(t, [
      { type: 'insert', row: { ...key, load: 1 } },
      { type: 'delete', row: key },
      { type: 'insert', row: { ...key, load: 2 } },
      { type: 'update', row: { ...key, load: 3 } },
      { type: 'insert', row: { ...key, load: 4 } },
      { type: 'insertIgnore', row: { ...key, load: 5 } },
      { type: 'update', row: { host: 'y', time: 0n, load: 3 } },
      { type: 'deleteIgnore', row: { host: 'y', time: 0n } },
    ])
    expect(errors.map((error) => error?.code)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      'ALREADY_PRESENT',
      undefined,
      'NOT_FOUND',
      undefined,
    ])
    expect(await c.get(t, key)).toMatchObject({ load: 3 })
    const count = (await batchesOf(c.scan(t, { columns: [] }))).reduce((sum, { length }) => sum + length, 0)
    expect(count).toBe(1_001)
    expect(
      await c.getMany(
        t,
        operations.map(({ row }) => (row as (string | number)[]).slice(0, 2)),
      ),
    ).toEqual(operations.map((_, index) => ({ host: `h${index % 50}`, time: BigInt(index), load: index, note: null })))
  })

  test('more than the 50 MB of a request is divided, and the order of a row stays', async () => {
    const c = client()
    const t = await metrics(c)
    const note = 'x'.repeat(65_000)
    const operations = Array.from({ length: 900 }, (_, index): Operation => ({ type: 'upsert', row: ['a', index % 600, index, note] }))
    expect((await c.write(t, operations)).errors.every((error) => error === undefined)).toBe(true)
    const rows = await rowsOf(c.scan(t, { columns: ['load'], isOrdered: true }))
    expect(rows.map(({ load }) => load)).toEqual(Array.from({ length: 600 }, (_, key) => (key < 300 ? 600 + key : key)))
  })

  test('thousands of calls at the same time', async () => {
    const c = client()
    const t = await metrics(c, 4)
    await Promise.all(Array.from({ length: 3_000 }, (_, key) => c.insert(t, [`h${key}`, key, key])))
    const rows = await Promise.all(Array.from({ length: 3_000 }, (_, key) => c.get(t, [`h${key}`, key], { columns: ['load'] })))
    expect(rows.map((row) => row?.['load'])).toEqual(Array.from({ length: 3_000 }, (_, key) => key))
  })

  test('a scan has predicates, bounds, a limit, and an order within each tablet', async () => {
    const c = client()
    const t = await metrics(c)
    await c.write(
      t,
      Array.from({ length: 1_000 }, (_, index) => ({
        type: 'upsert',
        row: [`h${Math.floor(index / 100)}`, (index * 7) % 100, index, `${index}`],
      })),
    )
    const ordered = await batchesOf(c.scan(t, { isOrdered: true, batchBytes: 1 }))
    expect(ordered.length).toBeGreaterThan(5)
    const all = ordered.flatMap((batch) => batch.rows())
    expect(all.map(({ host, time }) => `${host as string} ${String(time).padStart(2, '0')}`)).toEqual(
      Array.from({ length: 1_000 }, (_, index) => `h${Math.floor(index / 100)} ${String(index % 100).padStart(2, '0')}`),
    )
    const some = await rowsOf(c.scan(t, { where: [{ column: 'load', from: 250, to: 260 }], columns: ['note'], isOrdered: true }))
    expect(new Set(some.map(({ note }) => note))).toEqual(new Set(Array.from({ length: 10 }, (_, index) => `${250 + index}`)))
    const page = await batchesOf(c.scan(t, { start: { host: 'h3' }, stop: { host: 'h5' }, limit: 150, isOrdered: true, columns: ['time'] }))
    expect(page.reduce((sum, { length }) => sum + length, 0)).toBe(150)
    const rest = await rowsOf(
      c.scan(t, { after: page.at(-1)?.lastKey as Uint8Array, stop: { host: 'h5' }, isOrdered: true, columns: ['time'] }),
    )
    expect(rest.map(({ time }) => time)).toEqual(Array.from({ length: 50 }, (_, index) => BigInt(50 + index)))
  })

  test('tablets and statistics', async () => {
    const c = client()
    const t = await metrics(c, 4)
    const tablets = await c.tablets(t)
    expect(tablets.map(({ buckets }) => buckets)).toEqual([[0], [1], [2], [3]])
    expect(tablets[0]?.replicas).toEqual([{ address: server().tabletServers[0]?.address, isLeader: true }])
    const [only] = await c.tablets(t, { where: [{ column: 'host', equals: 'a' }] })
    await c.upsert(t, ['a', 1n])
    expect(await rowsOf(c.scan(t, { tablet: only?.id as string }))).toHaveLength(1)
    expect((await failureOf(c.scan(t, { tablet: 'no' }).next())).code).toBe('NOT_FOUND')
    expect((await c.statistics(t)).tablets.map(({ id }) => id).sort()).toEqual(tablets.map(({ id }) => id).sort())
  })

  test('a closed client refuses', async () => {
    const c = new KuduClient({ masters: server().connection.masters })
    const t = await metrics(c)
    const scanner = c.scan(t)
    await c.close()
    expect((await failureOf(c.get(t, ['a', 1n]))).code).toBe('CLOSED')
    expect((await failureOf(scanner.next())).code).toBe('CLOSED')
  })

  test('what is no request is refused before anything is sent', async () => {
    const c = client()
    const t = await metrics(c)
    const refusal = async (call: unknown): Promise<string> => {
      const { code, message, isSent } = await failureOf(call as Promise<unknown>)
      expect([code, isSent]).toEqual(['INVALID_ARGUMENT', false])
      return message
    }
    expect(await refusal(c.insert('metrics' as never, ['a', 1]))).toBe('insert() was not sent: table is a string. Give an object.')
    expect(await refusal(c.write(t, 'x' as never))).toContain('operations is a string. Give an array')
    expect(
      await refusal(
        c.write(t, [
          { type: 'insert', row: ['a', 1] },
          { type: 'insert', row: ['a'] },
        ]),
      ),
    ).toContain('operations[1]')
    expect(await refusal(c.write(t, [{ type: 'insert', row: ['a', 1] }, undefined as never]))).toContain('operations[1]')
    expect(await refusal(c.upsert(t, { host: 'a', time: 1.5 }))).toContain('time is 1.5')
    expect(await refusal(c.upsert(t, { host: 'a', time: 1, lod: 1 }))).toContain('lod is no column')
    expect(await refusal(c.get(t, { host: 'a' }))).toContain('key.time is not set')
    expect(await refusal(c.get(t, { host: 'a', time: 1, load: 1 }))).toContain('key.load is set. A key has the columns of the key alone')
    expect(
      await refusal(
        c.getMany(t, [
          ['a', 1],
          ['a', 1, 2],
        ]),
      ),
    ).toContain('keys[1] has a value at 2')
    expect(await refusal(c.getMany(t, 5 as never))).toContain('keys is a number')
    expect(await refusal(c.get(t, ['a', 1], { column: ['load'] } as never))).toContain("'column' does not exist")
    expect(await refusal(c.get(t, ['a', 1], { timeout: 0 }))).toContain('options.timeout is 0. Give a whole number from 1')
    expect(await refusal(c.tablets(t, { limit: 1 } as never))).toContain("'limit' does not exist")
    expect(await rowsOf(c.scan(t))).toEqual([])
  })
})
