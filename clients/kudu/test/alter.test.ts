import { beforeAll, expect, test } from 'vitest'
import type { Column, KuduTable, TableChange } from '../src/index.js'
import { getTableLocations } from '../src/proto/messages.js'
import { clusterOf, failureOf, type Parts } from './cluster.js'
import { withKudu } from './with-kudu.js'

withKudu('kudu', () => {
  const { parts } = clusterOf()
  let { tables, masters, during }: Parts = {} as Parts
  beforeAll(() => {
    ;({ tables, masters, during } = parts())
  })

  const columns: readonly Column[] = [
    { name: 'host', type: 'STRING', isKey: true },
    { name: 'day', type: 'DATE', isKey: true },
    { name: 'value', type: 'DOUBLE', isKey: false, isNullable: true },
    { name: 'price', type: 'DECIMAL', isKey: false, precision: 18, scale: 2, defaultValue: 1n },
  ]

  const created = (name: string) =>
    during((waiting) =>
      tables.create(
        {
          name,
          columns,
          hash: [{ columns: ['host'], buckets: 2 }],
          range: ['day'],
          ranges: [{ from: { day: 0 }, to: { day: 10 } }],
        },
        waiting,
      ),
    )
  const alter = (name: string, ...changes: readonly TableChange[]) => during((waiting) => tables.alter(name, changes, waiting))
  const countTablets = async ({ id: tableId }: KuduTable): Promise<number> => {
    const request = { table: { tableId }, maxReturnedLocations: 1_000 }
    return (await during((waiting) => masters.call(getTableLocations, request, waiting))).tabletLocations.length
  }

  test('all sorts of changes in one call', async () => {
    const before = await created('all')
    const after = await alter(
      'all',
      { addColumn: { name: 'note', type: 'VARCHAR', length: 10, isKey: false, defaultValue: 'none', compression: 'lz4', comment: 'c' } },
      { dropColumn: 'value' },
      { renameColumn: 'price', to: 'cost' },
      { addRange: { from: { day: 10 }, to: { day: 20 } } },
      { addRange: { from: { day: 20 } } },
      { dropRange: { from: { day: 0 }, to: { day: 10 } } },
      { renameTable: 'all.after' },
    )
    expect(after).toMatchObject({ id: before.id, name: 'all.after' })
    expect(after.columns.map(({ id, name }) => [id, name])).toEqual([
      [0, 'host'],
      [1, 'day'],
      [3, 'cost'],
      [4, 'note'],
    ])
    expect(after.columns[3]).toMatchObject({ type: 'VARCHAR', length: 10, defaultValue: 'none', compression: 'lz4', comment: 'c' })
    expect(await countTablets(after)).toBe(2 + 2)
  })

  test('a range with hash levels of its own, with all changes but those that Kudu cannot make together with it', async () => {
    await created('levels')
    const addRange: TableChange = { addRange: { from: { day: 20 }, hash: [{ columns: ['host'], buckets: 4, seed: 1 }] } }
    for (const change of [{ dropColumn: 'value' }, { addColumn: { name: 'n', type: 'INT8', isKey: false, isNullable: true } }] as const) {
      const error = await failureOf(alter('levels', change, addRange))
      expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', isSent: false })
      expect(error.message).toContain('Make two calls')
    }
    const after = await alter('levels', { renameColumn: 'price', to: 'cost' }, addRange, {
      dropRange: { from: { day: 0 }, to: { day: 10 } },
    })
    const custom = [{ from: Buffer.from('80000014', 'hex'), to: Buffer.from([]), hash: [{ columns: [0], buckets: 4, seed: 1 }] }]
    expect(after.customRanges).toMatchObject(custom)
    expect(await countTablets(after)).toBe(4)
    expect((await alter('levels', { dropColumn: 'value' })).customRanges).toMatchObject(custom)
    expect((await alter('levels', { dropRange: { from: { day: 20 } } })).customRanges).toEqual([])
  })

  test('a column keeps what a change leaves out', async () => {
    await created('column')
    const set = await alter('column', {
      alterColumn: 'price',
      encoding: 'plain',
      compression: 'zlib',
      blockSize: 4_096,
      defaultValue: -5n,
      comment: 'in cents',
    })
    const price = { encoding: 'plain', compression: 'zlib', blockSize: 4_096, defaultValue: -5n, comment: 'in cents' }
    expect(set.columns[3]).toMatchObject(price)
    const again = await alter('column', { alterColumn: 'price', encoding: 'bitshuffle' })
    expect(again.columns[3]).toMatchObject({ ...price, encoding: 'bitshuffle' })
    const without = await alter('column', { alterColumn: 'price', defaultValue: null })
    expect(without.columns[3]).not.toHaveProperty('defaultValue')
  })

  test('of changes that cannot all be made, none is', async () => {
    const before = await created('none')
    const error = await failureOf(
      alter('none', { renameColumn: 'value', to: 'other' }, { addRange: { from: { day: 5 }, to: { day: 15 } } }),
    )
    expect(error).toMatchObject({ code: 'SERVER', isSent: false })
    expect(error.serverMessage).toContain('conflicts with existing')
    expect(await during((waiting) => tables.open('none', waiting))).toEqual(before)
  })

  test.each<[string, TableChange, string]>([
    ['a range that is not there', { dropRange: { from: { day: 1 }, to: { day: 2 } } }, 'INVALID_ARGUMENT'],
    ['a column that is not there', { dropColumn: 'nothing' }, 'INVALID_SCHEMA'],
    ['a column of the key', { dropColumn: 'host' }, 'INVALID_SCHEMA'],
    ['a name that is taken', { renameColumn: 'value', to: 'price' }, 'INVALID_SCHEMA'],
    ['a column that is there', { addColumn: { name: 'value', type: 'INT8', isKey: false, isNullable: true } }, 'INVALID_SCHEMA'],
  ])('the master refuses %s', async (what, change, status) => {
    const name = `refused.${what}`
    await created(name)
    expect(await failureOf(alter(name, change))).toMatchObject({ code: 'SERVER', status, isSent: false, call: 'test' })
  })

  test('a table that is not there', async () => {
    expect(await failureOf(alter('missing', { dropColumn: 'x' }))).toMatchObject({ code: 'NOT_FOUND', isSent: false })
  })

  test.each<[string, readonly unknown[], RegExp]>([
    ['none', [], /changes is empty/],
    ['what is none', [{ addColum: {} }], /changes\[0\] is none of addColumn/],
    ['two in one', [{ dropColumn: 'a', renameTable: 'b' }], /changes\[0\] is dropColumn and renameTable at once/],
    ['a misspelt property', [{ renameColumn: 'value', too: 'b' }], /changes\[0\]\.'too' does not exist/],
    ['a key', [{ addColumn: { name: 'k', type: 'INT8', isKey: true } }], /changes\[0\]\.addColumn\.isKey is true/],
    ['no default', [{ addColumn: { name: 'k', type: 'INT8', isKey: false } }], /no default value/],
    ['bounds of another column', [{ addRange: { from: { host: 'a' } } }], /host is no column of the range/],
    ['a default of another type', [{ alterColumn: 'value', defaultValue: 'x' }], /value is a string/],
    ['hash levels of another number', [{ addRange: { from: { day: 90 }, hash: [] } }], /hash has 0 levels/],
    ['two names', [{ renameTable: 'a' }, { renameTable: 'b' }], /renameTable is there twice/],
  ])('changes are refused before they are sent: %s', async (_, changes, expected) => {
    if (!(await during((waiting) => tables.exists('checked', waiting)))) await created('checked')
    const error = await failureOf(during((waiting) => tables.alter('checked', changes as readonly TableChange[], waiting)))
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', isSent: false })
    expect(error.message).toMatch(expected)
  })
})
