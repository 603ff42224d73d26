import { expect, test } from 'vitest'
import type { KuduClient, KuduTable, Operation, RangePartition } from '../src/index.js'
import { clientsOf, metricColumns, rowsOf } from './clients.js'
import { failureOf } from './cluster.js'
import { withKudu } from './with-kudu.js'

withKudu('kudu', () => {
  const { client } = clientsOf()

  const range = (from: number, to: number): RangePartition => ({ from: { time: from }, to: { time: to } })
  let tables = 0

  /** A table with gaps before 0, from 100 to 200, and from 300 on. */
  const withGaps = (c: KuduClient, buckets = 2): Promise<KuduTable> =>
    c.createTable({
      name: `ranges${++tables}`,
      columns: metricColumns,
      hash: buckets === 0 ? [] : [{ columns: ['host'], buckets }],
      range: ['time'],
      ranges: [range(0, 100), range(200, 300)],
    })

  /** Repeats a call until it fails. */
  async function ending(call: () => Promise<unknown>): Promise<void> {
    let isOver = false
    while (!isOver) await call().catch(() => (isOver = true))
  }

  test('what no range takes is refused for itself, and read as nothing', async () => {
    const c = client()
    for (const buckets of [0, 2]) {
      const t = await withGaps(c, buckets)
      const times = [-1, 0, 99, 100, 199, 200, 299, 300]
      const { errors } = await c.write(
        t,
        times.map((time): Operation => ({ type: 'insert', row: [`h${time}`, time] })),
      )
      expect(errors.map((error) => error?.code)).toEqual(
        times.map((time) => ([-1, 100, 199, 300].includes(time) ? 'NO_PARTITION' : undefined)),
      )
      expect(errors[0]).toMatchObject({ isSent: false, call: 'write', message: expect.stringContaining('alterTable()') as string })
      expect((await failureOf(c.upsert(t, ['a', 150]))).code).toBe('NO_PARTITION')
      expect((await rowsOf(c.scan(t, { isOrdered: true }))).map(({ time }) => time).sort()).toEqual([0n, 200n, 299n, 99n])
      expect(await rowsOf(c.scan(t, { where: [{ column: 'time', from: 100, to: 200 }] }))).toEqual([])
      expect(await c.get(t, ['a', 150])).toBeUndefined()
      const read = await c.getMany(
        t,
        times.map((time) => [`h${time}`, time]),
      )
      expect(read.map((row) => row?.['time'])).toEqual([undefined, 0n, 99n, undefined, undefined, 200n, 299n, undefined])
      expect((await c.tablets(t, { where: [{ column: 'time', from: 50, to: 250 }] })).length).toBe(buckets === 0 ? 2 : 4)
      expect((await c.tablets(t, { where: [{ column: 'time', from: 100, to: 200 }] })).length).toBe(0)
    }
  })

  test('a range that another client adds is found by the next call', async () => {
    const [c, other] = [client(), client()]
    const t = await withGaps(c)
    expect((await failureOf(c.insert(t, ['a', 150]))).code).toBe('NO_PARTITION')
    expect(await rowsOf(c.scan(t))).toEqual([])
    await other.alterTable(t.name, [{ addRange: range(100, 200) }])
    await c.insert(t, ['a', 150])
    await other.alterTable(t.name, [{ addRange: range(300, 400) }])
    await other.insert(t, ['b', 350])
    expect((await rowsOf(c.scan(t))).map(({ time }) => time).sort()).toEqual([150n, 350n])
  })

  test('a range that was dropped and added again has new tablets, which the next calls find', async () => {
    const [c, other] = [client(), client()]
    const t = await withGaps(c)
    await c.insert(t, ['a', 50])
    await c.insert(t, ['a', 250])
    const scanner = c.scan(t, { isOrdered: true })
    expect((await scanner.next())?.length).toBe(1)
    await c.alterTable(t.name, [{ dropRange: range(0, 100) }])
    expect((await failureOf(c.upsert(t, ['a', 50]))).code).toBe('NO_PARTITION')
    expect(await c.get(t, ['a', 50])).toBeUndefined()
    await other.alterTable(t.name, [{ dropRange: range(200, 300) }])
    // The server goes on with the tablet for a moment.
    await ending(() => c.upsert(t, ['a', 250]))
    await other.alterTable(t.name, [{ addRange: range(200, 250) }, { addRange: range(250, 300) }])
    const operations = Array.from({ length: 20 }, (_, index): Operation => ({ type: 'insert', row: [`h${index}`, 240 + index] }))
    expect((await c.write(t, operations)).errors.filter((error) => error !== undefined)).toEqual([])
    expect(await rowsOf(c.scan(t))).toHaveLength(20)
    // Its own rows are gone with their tablets, and the new ones came after its snapshot.
    while ((await scanner.next()) !== undefined) expect.unreachable()
  })

  test('a table that is gone is an error that says so', async () => {
    const c = client()
    const t = await withGaps(c)
    await c.insert(t, ['a', 50])
    await client().deleteTable(t.name)
    await ending(() => c.upsert(t, ['a', 51]))
    for (const call of [() => c.insert(t, ['a', 51]), () => c.get(t, ['a', 50]), () => c.scan(t).next(), () => c.tablets(t)]) {
      expect((await failureOf(call())).code).toBe('NOT_FOUND')
    }
  })

  test('ranges with hash levels of their own', async () => {
    const c = client()
    const hash = (buckets: number) => [{ columns: ['host'], buckets }]
    const t = await c.createTable({
      name: 'custom',
      columns: metricColumns,
      hash: hash(2),
      range: ['time'],
      ranges: [range(0, 100), { ...range(100, 200), hash: hash(5) }],
    })
    await c.alterTable('custom', [{ addRange: { ...range(300, 400), hash: hash(3) } }])
    const opened = await c.openTable('custom')
    const keys = Array.from({ length: 600 }, (_, index) => [`h${index % 13}`, index % 400] as const)
    const operations = keys.map((key): Operation => ({ type: 'upsert', row: [...key, 1] }))
    const { errors } = await c.write(opened, operations)
    keys.forEach(([, time], index) => expect(errors[index]?.code).toBe(time >= 200 && time < 300 ? 'NO_PARTITION' : undefined))
    expect(await c.tablets(opened)).toHaveLength(10)
    const expected = new Set(keys.filter(([, time]) => time < 200 || time >= 300).map((key) => key.join()))
    expect(new Set((await rowsOf(c.scan(opened))).map(({ host, time }) => [host, time].join()))).toEqual(expected)
    expect((await c.getMany(opened, keys)).filter((row) => row !== undefined)).toHaveLength(
      keys.filter((key) => expected.has(key.join())).length,
    )
    expect(t.hash).toHaveLength(1)
  })
})
