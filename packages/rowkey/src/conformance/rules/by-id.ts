// Tested by wrong.test.ts.
import type { OpenTable, World } from '../suite/world.js'
import { bucket, int32, nullable, text } from '#codec'
import { defineTable } from '#model'
import { check, refused, same } from '../check.js'
import { after, before, rowsOf, strong, upTo } from '../suite/reading.js'
import { rule, type Rule } from '../suite/rule.js'

// Tables all of whose key columns are in the partition.

const columns = { tenant: text(), id: int32(), v: nullable(text()) }
const Plain = defineTable('by_id', { columns, partition: ['tenant', 'id'], key: [], writes: 'plain' })
const Salted = defineTable('by_id_salted', {
  columns,
  partition: ['tenant', 'id'],
  key: [],
  salt: bucket({ of: 'id', count: 4 }),
  writes: 'plain',
})
const Kept = defineTable('by_id_kept', { columns, partition: ['tenant', 'id'], key: [] })
const Versioned = defineTable('by_id_versioned', { columns, partition: ['tenant', 'id'], key: [], ttl: '30d', version: 'rev' })

interface Id {
  readonly tenant: string
  readonly id: number
}

const tenant = 'a'

async function read(world: World, schema: typeof Plain): Promise<void> {
  const table = await world.repository(schema)
  const rows = ['a', 'b', ''].flatMap((of) => upTo(20).map((id) => ({ tenant: of, id: id - 5, v: id % 3 === 0 ? null : `${of}${id}` })))
  await table.putMany(rows)
  same(await table.get({ tenant, id: 3 }), { tenant, id: 3, v: 'a8' }, 'a get')
  same(await table.get({ tenant, id: 99 }), undefined, 'a get of no row')
  const asked = [{ tenant: 'b', id: 2 }, { tenant, id: 99 }, { tenant: '', id: -5 }] // prettier-ignore
  same(
    (await table.getMany(asked)).map((row) => row?.v),
    ['b7', undefined, null],
    'values of getMany()',
  )
  const where = { tenant: { in: ['b', 'a'] }, id: { in: [7, -2, 50] } }
  const found = [{ tenant: 'a', id: -2 }, { tenant: 'a', id: 7 }, { tenant: 'b', id: -2 }, { tenant: 'b', id: 7 }] // prettier-ignore
  const keysOf = (list: readonly Id[]): readonly Id[] => list.map((row) => ({ tenant: row.tenant, id: row.id }))
  same(keysOf(await table.scan(where).toArray()), found, 'a scan of some ids')
  const first = await table.scan(where).page({ size: 3 })
  const second = await table.scan(where).page({ size: 3, cursor: first.cursor })
  same(keysOf([...first.rows, ...second.rows]), found, 'the same in pages')
  check(table.scan({ tenant, id: 1 }).explain().kind === 'GET', 'a scan of one id is a GET')
  await refused('a scan that names no id', () => table.scan({ tenant } as never).toArray(), 'PARTITION_REQUIRED')
  await refused('a range of ids', () => table.scan({ tenant, id: { gte: 0 } } as never).toArray(), 'PARTITION_REQUIRED')
  const texts = (list: readonly object[]): readonly string[] => list.map((row) => JSON.stringify(row)).toSorted()
  same(texts(await table.readAll().toArray()), texts(rows), 'rows of a full scan')
  await table.delete({ tenant, id: 3 })
  same(await table.readAll().count(), rows.length - 1, 'rows after a delete')
}

/** A partition is a slice, which has one row or none. */
async function readSlices({ schema, store }: OpenTable): Promise<void> {
  for (const [id, wanted] of [
    [2, [[tenant, 2, 'x']]],
    [3, []],
  ] as const) {
    const slice = { bucket: schema.layout.bucketOf([tenant, id]), from: before(tenant, id), to: after(tenant, id) }
    for (const reverse of [false, true]) same(await rowsOf(store.scan({ ...slice, reverse }, strong), 1), wanted, `a slice of id ${id}`)
  }
}

export const byId: readonly Rule[] = [
  rule('TABLE-13: rows of a table by id are read by their ids, or all of them by a full scan', (world) => read(world, Plain)),
  rule('TABLE-13: the same with a salt', (world) => read(world, Salted)),
  rule(
    'TABLE-13 ADAPTER-2 ADAPTER-5: a slice of a table by id has one row, and a full scan goes on from each of its checkpoints',
    async (world) => {
      for (const schema of [Plain, Salted]) {
        const table = await world.open(schema)
        await table.put(...upTo(9).map((id) => [tenant, id === 3 ? 30 : id, 'x']))
        await readSlices(table)
        const ids: unknown[] = []
        let checkpoint: string | undefined
        for (let pages = 0; pages < 100; pages++) {
          const source = table.store.fullScan(checkpoint, strong)
          const page = await source.next(1)
          source.close()
          if (page === undefined) break
          ids.push(...page.rows.map((row) => row[1]))
          checkpoint = page.checkpoint
        }
        same(
          ids.toSorted((a, b) => Number(a) - Number(b)),
          [0, 1, 2, 4, 5, 6, 7, 8, 30],
          'ids of a full scan',
        )
      }
    },
  ),
  rule(
    'TABLE-13 WRITE-1 WRITE-2 WRITE-3 WRITE-4: conditional writes of a table by id',
    async (world) => {
      const table = await world.repository(Kept)
      const key = { tenant, id: 1 }
      await table.insert({ ...key, v: 'x' })
      await refused('a second insert', () => table.insert({ ...key, v: 'y' }), 'ROW_EXISTS')
      await table.put({ ...key, v: 'y' })
      await table.update(key, { v: 'z' })
      same(await table.get(key), { ...key, v: 'z' }, 'the row')
      await table.put({ ...key, v: null })
      same(await table.get(key), { ...key, v: null }, 'a row whose values are null')
      await table.delete(key)
      await table.delete(key)
      same(await table.get(key), undefined, 'the row after a delete')
      await refused('an update of no row', () => table.update(key, { v: 'x' }), 'ROW_NOT_FOUND')
      same(await table.readAll().count(), 0, 'rows that are left')
      await table.putMany(upTo(30).map((id) => ({ tenant, id, v: `${id}` })))
      same(await table.readAll().count(), 30, 'rows of a load')
    },
    'conditions',
  ),
  rule(
    'TABLE-13 WRITE-16 EXPIRY-2: versions and expiry of a table by id',
    async (world) => {
      const table = await world.repository(Versioned)
      const key = { tenant, id: 1 }
      const { version } = await table.insert({ ...key, v: 'x' }, { expires: new Date(world.clock.now + 1000) })
      const { version: second } = await table.update(key, { v: 'y' }, { if: { rev: version ?? '' } })
      await refused(
        'an update of the first version',
        () => table.update(key, { v: 'z' }, { if: { rev: version ?? '' } }),
        'VERSION_CONFLICT',
      )
      same((await table.get(key))?.rev, second, 'the version')
      await table.put({ tenant, id: 2, v: 'kept' }, { expires: null })
      world.clock.now += 1000
      same(await table.get(key), undefined, 'a row that has expired')
      await table.insert({ ...key, v: 'again' })
      same((await table.get(key))?.v, 'again', 'a row in place of an expired one')
      same(await table.readAll().count(), 2, 'rows')
    },
    'versions',
  ),
]
