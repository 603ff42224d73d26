import { beforeAll, expect, test } from 'vitest'
import type { Column, KuduTable, TableDefinition } from '../src/index.js'
import { getTableLocations } from '../src/proto/messages.js'
import { clusterOf, failureOf, type Parts } from './cluster.js'
import { withKudu } from './with-kudu.js'

withKudu('kudu', () => {
  const { parts } = clusterOf({ tabletServers: 1 })
  let { tables, masters, during }: Parts = {} as Parts
  beforeAll(() => {
    ;({ tables, masters, during } = parts())
  })

  const tabletsOf = async ({ id: tableId }: KuduTable) => {
    const request = { table: { tableId }, maxReturnedLocations: 1_000, internTsInfosInResponse: true }
    return (await during((waiting) => masters.call(getTableLocations, request, waiting))).tabletLocations
  }

  const id: Column = { name: 'id', type: 'INT64', isKey: true }

  /** Each type with each encoding and compression that it may have. */
  const everything: readonly Column[] = [
    { name: 'host', type: 'STRING', isKey: true, encoding: 'prefix', comment: 'who says it' },
    { name: 'at', type: 'UNIXTIME_MICROS', isKey: true, encoding: 'bitshuffle', compression: 'lz4' },
    { name: 'day', type: 'DATE', isKey: true, encoding: 'runLength' },
    { name: 'short', type: 'INT8', isKey: false, isNullable: true, compression: 'zlib', blockSize: 8_192 },
    { name: 'middle', type: 'INT16', isKey: false, defaultValue: -2, compression: 'snappy' },
    { name: 'long', type: 'INT32', isKey: false, encoding: 'plain', compression: 'none', defaultValue: 70_000 },
    { name: 'wide', type: 'INT64', isKey: false, isNullable: true, defaultValue: -(2n ** 63n) },
    { name: 'price', type: 'DECIMAL', isKey: false, precision: 9, scale: 2, defaultValue: -150n },
    { name: 'sum', type: 'DECIMAL', isKey: false, isNullable: true, precision: 18, scale: 18 },
    { name: 'total', type: 'DECIMAL', isKey: false, isNullable: true, precision: 38, scale: 0, defaultValue: 10n ** 38n - 1n },
    { name: 'text', type: 'STRING', isKey: false, defaultValue: 'grüß', encoding: 'dictionary' },
    { name: 'cut', type: 'VARCHAR', isKey: false, length: 5, isNullable: true, defaultValue: '' },
    { name: 'raw', type: 'BINARY', isKey: false, isNullable: true, defaultValue: Buffer.from([0, 255]) },
    { name: 'yes', type: 'BOOL', isKey: false, isNullable: true, defaultValue: true },
    { name: 'half', type: 'FLOAT', isKey: false, isNullable: true, defaultValue: 0.5 },
    { name: 'exact', type: 'DOUBLE', isKey: false, isNullable: true, defaultValue: -0.1 },
  ]

  test('all types, encodings, compressions and defaults come back as they were given', async () => {
    const definition: TableDefinition = { name: 'everything', columns: everything, comment: 'all of it', owner: 'me', replicas: 1 }
    const table = await during((waiting) => tables.create(definition, waiting))
    expect(table).toMatchObject({ name: 'everything', keyColumns: 3, replicas: 1, comment: 'all of it', owner: 'me', hash: [], range: [] })
    table.columns.forEach((column, index) => {
      const given = everything[index] as Column
      expect(column).toEqual({ id: index, encoding: 'auto', compression: 'default', isNullable: false, ...given })
    })
    expect(await during((waiting) => tables.open('everything', waiting))).toEqual(table)
  })

  test('hash levels, ranges and splits', async () => {
    const columns: readonly Column[] = [
      { name: 'a', type: 'INT32', isKey: true },
      { name: 'b', type: 'STRING', isKey: true },
      { name: 'c', type: 'INT16', isKey: true },
    ]
    const definition: TableDefinition = {
      name: 'parts',
      columns,
      hash: [
        { columns: ['c', 'a'], buckets: 3, seed: 7 },
        { columns: ['b'], buckets: 2 },
      ],
      range: ['c', 'b'],
      ranges: [{ to: { c: 0 } }, { from: { c: 10 }, to: { c: 20, b: 'x' } }],
      splits: [{ c: -5 }],
    }
    const table = await during((waiting) => tables.create(definition, waiting))
    expect(table).toMatchObject({
      hash: [
        { columns: [0, 2], buckets: 3, seed: 7 },
        { columns: [1], buckets: 2, seed: 0 },
      ],
      range: [2, 1],
      customRanges: [],
    })
    expect(await tabletsOf(table)).toHaveLength(18)
  })

  test('ranges with hash levels of their own', async () => {
    const definition: TableDefinition = {
      name: 'custom',
      columns: [
        { name: 'a', type: 'INT32', isKey: true },
        { name: 'b', type: 'STRING', isKey: true },
      ],
      hash: [{ columns: ['b'], buckets: 2 }],
      range: ['a'],
      ranges: [{ to: { a: 0 } }, { from: { a: 0 }, to: { a: 10 }, hash: [{ columns: ['b'], buckets: 5, seed: 3 }] }],
    }
    const table = await during((waiting) => tables.create(definition, waiting))
    const { customRanges, hash } = table
    expect(hash).toEqual([{ columns: [1], buckets: 2, seed: 0 }])
    expect(
      customRanges.map(({ from, to, hash: levels }) => [Buffer.from(from).toString('hex'), Buffer.from(to).toString('hex'), levels]),
    ).toEqual([['80000000', '8000000a', [{ columns: [1], buckets: 5, seed: 3 }]]])
    expect(await tabletsOf(table)).toHaveLength(7)
  })

  test('tables are listed, found, renamed and deleted', async () => {
    for (const name of ['list.b', 'list.a', 'other.list.']) await during((waiting) => tables.create({ name, columns: [id] }, waiting))
    expect(await during((waiting) => tables.list('list.', waiting))).toEqual(['list.a', 'list.b'])
    expect(await during((waiting) => tables.list('', waiting))).toContain('other.list.')
    expect(await during((waiting) => tables.exists('list.a', waiting))).toBe(true)
    const renamed = await during((waiting) => tables.alter('list.a', [{ renameTable: 'list.c' }], waiting))
    expect(renamed.name).toBe('list.c')
    await during((waiting) => tables.delete('list.b', waiting))
    expect(await during((waiting) => tables.list('list.', waiting))).toEqual(['list.c'])
    expect(await during((waiting) => tables.exists('list.a', waiting))).toBe(false)
  })

  test('what the master refuses is a typed error', async () => {
    await during((waiting) => tables.create({ name: 'there', columns: [id] }, waiting))
    const again = await failureOf(during((waiting) => tables.create({ name: 'there', columns: [id] }, waiting)))
    expect(again).toMatchObject({ code: 'ALREADY_PRESENT', status: 'TABLE_ALREADY_PRESENT', isSent: false, call: 'test' })
    expect(await failureOf(during((waiting) => tables.open('none', waiting)))).toMatchObject({
      code: 'NOT_FOUND',
      status: 'TABLE_NOT_FOUND',
    })
    expect(await failureOf(during((waiting) => tables.delete('none', waiting)))).toMatchObject({ code: 'NOT_FOUND' })
    const replicas = await failureOf(during((waiting) => tables.create({ name: 'r', columns: [id], replicas: 3 }, waiting)))
    expect(replicas).toMatchObject({ code: 'SERVER', status: 'REPLICATION_FACTOR_TOO_HIGH', isSent: false })
    const wrong: Column = { name: 'x', type: 'STRING', isKey: false, encoding: 'bitshuffle' }
    const encoding = await failureOf(during((waiting) => tables.create({ name: 'e', columns: [id, wrong] }, waiting)))
    expect(encoding).toMatchObject({ code: 'SERVER', status: 'INVALID_SCHEMA', isSent: false })
    const overlap = { name: 'o', columns: [id], range: ['id'], ranges: [{ to: { id: 5 } }, { from: { id: 4 }, to: { id: 9 } }] }
    const refused = await failureOf(during((waiting) => tables.create(overlap, waiting)))
    expect(refused).toMatchObject({ code: 'SERVER', status: 'INVALID_ARGUMENT', isSent: false })
  })
})
