import { expect, test } from 'vitest'
import { clusterOf } from './cluster.js'
import { withKudu } from './with-kudu.js'

withKudu('kudu', () => {
  const { parts, server } = clusterOf({ tabletServers: 2 })

  test('each tablet is told, in the order of their partitions, and a server that is gone is passed over', async () => {
    const { tables, during } = parts()
    const columns = [
      { name: 'id', type: 'INT64', isKey: true },
      { name: 'at', type: 'INT32', isKey: true },
    ] as const
    const ranges = Array.from({ length: 8 }, (_, index) => ({ from: { at: index * 10 }, to: { at: index * 10 + 5 } }))
    const definition = { name: 'sizes', columns, hash: [{ columns: ['id'], buckets: 3 }], range: ['at'], ranges }
    const table = await during((waiting) => tables.create(definition, waiting))
    let told = await during((waiting) => tables.statistics(table, waiting))
    // Servers tell their master from time to time.
    while (told.rows === undefined) told = await during((waiting) => tables.statistics(table, waiting))
    const { rows, bytes, tablets } = told
    expect(rows).toBe(0)
    expect(bytes).toBeGreaterThanOrEqual(0)
    expect(tablets).toHaveLength(24)
    expect(new Set(tablets.map(({ id }) => id)).size).toBe(24)
    for (const tablet of tablets) expect(tablet.bytes).toBeGreaterThan(0)
    await server().tabletServers[0]?.kill()
    const after = await during((waiting) => tables.statistics(table, waiting))
    expect(after.tablets.map(({ id }) => id)).toEqual(tablets.map(({ id }) => id))
    expect(after.tablets.filter(({ bytes: size }) => size === undefined).length).toBeGreaterThan(0)
    expect(after.tablets.filter(({ bytes: size }) => size !== undefined).length).toBeGreaterThan(0)
  })
})
