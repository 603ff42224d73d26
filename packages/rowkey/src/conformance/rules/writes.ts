// Tested by wrong.test.ts.
import type { Row } from '#store/adapter'
import { renameTable } from '#model'
import type { OpenTable } from '../suite/world.js'
import { check, refusalOf, refused, same } from '../check.js'
import { bucketSlice, rowsOf, strong, upTo } from '../suite/reading.js'
import { rule, type Rule } from '../suite/rule.js'
import { Numbers, Things } from '../suite/tables.js'

const Twin = renameTable(Numbers, 'twin_numbers')

const kinds = async (outcomes: ReturnType<OpenTable['write']>): Promise<readonly string[]> => (await outcomes).map(({ kind }) => kind)
const thing = (n: number, a: string | null, b: string | null = null): Row => ['web', n, a, b, null]
const rowOf = async ({ store }: OpenTable, n: number): Promise<Row | undefined> => (await store.get([['web', n]], strong))[0]

export const writes: readonly Rule[] = [
  rule('WRITE-2 WRITE-4: put replaces the whole row; delete removes it, and a delete of a missing row is applied too', async (world) => {
    const table = await world.open(Numbers)
    const { store } = table
    same(await kinds(table.write([{ kind: 'put', row: [1, 'x'] }])), ['applied'], 'outcome of a put')
    same(await store.get([[1]], strong), [[1, 'x']], 'the row after a put')
    await table.put([1, null])
    same(await store.get([[1]], strong), [[1, null]], 'the row after a put without the column')
    const both = [
      { kind: 'delete', row: [1] },
      { kind: 'delete', row: [2] },
    ] as const
    same(await kinds(table.write(both)), ['applied', 'applied'], 'outcomes of deletes, the second of an absent row')
    same(await store.get([[1]], strong), [undefined], 'the row after its delete')
    same(await rowsOf(store.scan(bucketSlice(0), strong)), [], 'a scan after the delete')
    await table.put([1, 'again'])
    same(await store.get([[1]], strong), [[1, 'again']], 'the row put again')
  }),

  rule(
    'WRITE-1: insert is a conflict if the row exists, and then changes nothing',
    async (world) => {
      const table = await world.open(Things)
      same(await kinds(table.write([{ kind: 'insert', row: thing(1, 'x') }])), ['applied'], 'outcome of the first insert')
      same(await kinds(table.write([{ kind: 'insert', row: thing(1, 'y', 'z') }])), ['conflict'], 'outcome of the second')
      same(await rowOf(table, 1), thing(1, 'x'), 'the row')
      await table.remove(['web', 1])
      same(await kinds(table.write([{ kind: 'insert', row: thing(1, 'y') }])), ['applied'], 'an insert after the delete')
      await table.put(thing(1, 'x', 'z'))
      await table.remove(['web', 1])
      await table.write([{ kind: 'insert', row: thing(1, 'y') }])
      same(await rowOf(table, 1), thing(1, 'y'), 'the row, which has nothing of the one that was deleted')
      const [clash] = await table.write([{ kind: 'insert', row: thing(1, 'other') }])
      if (clash?.kind === 'conflict' && clash.current !== undefined) same(clash.current, thing(1, 'y'), 'the row that a conflict tells of')
    },
    'conditions',
  ),

  rule(
    'WRITE-3: update changes the given columns of an existing row; if there is no row, it is missing and creates none',
    async (world) => {
      const table = await world.open(Things)
      const update = { kind: 'update', row: ['web', 1, 'ignored', 'new', null], set: [3, 4] } as const
      same(await kinds(table.write([update])), ['missing'], 'an update of an absent row')
      same(await rowOf(table, 1), undefined, 'the row after it')
      await table.put(['web', 1, 'x', 'y', 7])
      same(await kinds(table.write([update])), ['applied'], 'an update')
      same(await rowOf(table, 1), ['web', 1, 'x', 'new', null], 'the row after it: a kept, b set, c cleared')
      await table.put(thing(2, null))
      same(await kinds(table.write([{ ...update, row: ['web', 2, null, null, null] }])), ['applied'], 'an update of a row without values')
      await table.remove(['web', 1])
      same(await kinds(table.write([update])), ['missing'], 'an update of a deleted row')
      same(await rowOf(table, 1), undefined, 'a deleted row does not come back')
    },
    'conditions',
  ),

  rule(
    'WRITE-5 ADAPTER-6: outcome i is of mutation i, and a failure does not stop the others',
    async (world) => {
      const [table, other] = [await world.open(Things), await world.open(Numbers)]
      // Its rows have the same rowkeys as those of the other table.
      const { schema: twin, store: twins } = await world.open(Twin)
      await table.put(thing(1, 'old'), thing(4, 'old'))
      const { schema } = table
      const outcomes = await world.adapter.write(
        [
          { schema, kind: 'insert', row: thing(0, 'new') },
          { schema, kind: 'insert', row: thing(1, 'new') },
          { schema: other.schema, kind: 'put', row: [7, 'x'] },
          { schema: twin, kind: 'put', row: [7, 'of the twin'] },
          { schema, kind: 'update', row: thing(2, 'new'), set: [2] },
          { schema, kind: 'put', row: thing(3, 'new') },
          { schema, kind: 'delete', row: ['web', 4] },
          { schema, kind: 'delete', row: ['web', 5] },
        ],
        { now: world.clock.now },
      )
      same(
        outcomes.map(({ kind }) => kind),
        ['applied', 'conflict', 'applied', 'applied', 'missing', 'applied', 'applied', 'applied'],
        'outcomes of a batch over three tables',
      )
      same(await other.store.get([[7]], strong), [[7, 'x']], 'the row of the other table')
      same(await twins.get([[7]], strong), [[7, 'of the twin']], 'the row of the table with the same rowkeys')
      const keys = upTo(5).map((n) => ['web', n])
      same(await table.store.get(keys, strong), [thing(0, 'new'), thing(1, 'old'), undefined, thing(3, 'new'), undefined], 'rows after it')
      same(await other.store.get([[7]], strong), [[7, 'x']], 'the row of the other table')
    },
    'conditions',
  ),

  rule('WRITE-5: a batch of any size is applied, also an empty one', async (world) => {
    const table = await world.open(Numbers)
    same(await table.write([]), [], 'outcomes of an empty batch')
    const many = upTo(1200).map((n): Row => [n, 'x'.repeat(n % 90)])
    const outcomes = await table.write(many.map((row) => ({ kind: 'put', row }) as const))
    same(outcomes.length, 1200, 'the number of outcomes of 1,200 puts')
    same([...new Set(outcomes.map(({ kind }) => kind))], ['applied'], 'outcomes of 1,200 puts, each kind once')
    same(await rowsOf(table.store.scan(bucketSlice(0), strong), 500), many, 'the rows')
    const gone = many.filter((_, i) => i % 3 !== 0)
    await table.write(gone.map(([n]) => ({ kind: 'delete', row: [n as number] }) as const))
    same(
      await rowsOf(table.store.scan(bucketSlice(0), strong), 500),
      many.filter((_, i) => i % 3 === 0),
      'the rows that are left',
    )
  }),

  rule(
    'WRITE-1 WRITE-3 ERR-1: a failed condition is an error of rowkey in the repository',
    async (world) => {
      const table = await world.repository(Things)
      const row = { host: 'web', n: 1, a: 'x', b: null, c: null }
      await table.insert(row)
      const error = await refusalOf('a second insert', () => table.insert(row))
      check(error.code === 'ROW_EXISTS', `a second insert is ${error.code}`)
      same(error.details, { table: table.schema.name, key: { host: 'web', n: 1 } }, 'details of ROW_EXISTS')
      await refused('update() of an absent row', () => table.update({ host: 'web', n: 2 }, { a: 'y' }), 'ROW_NOT_FOUND')
      await table.update({ host: 'web', n: 1 }, { a: null, c: 5 })
      same(await table.get({ host: 'web', n: 1 }), { ...row, a: null, c: 5 }, 'the row after an update')
    },
    'conditions',
  ),

  rule(
    'WRITE-9: rows of the max size are written, larger ones are refused before anything is written',
    async (world) => {
      const table = await world.repository(Things)
      const { limits } = world.adapter.capabilities
      const max = Math.min(65_535, limits.valueBytes)
      const long = 'x'.repeat(max)
      await table.put({ host: 'web', n: 1, a: long, b: long, c: null })
      same((await table.getOrThrow({ host: 'web', n: 1 })).a?.length, max, 'length of the longest text')
      const host = 'h'.repeat(Math.min(900, limits.sortKeyBytes - 10))
      await table.put({ host, n: 2, a: 'a', b: null, c: null })
      same(
        (await table.scan({ host }).toArray()).map(({ n }) => n),
        [2],
        'a row with a long key',
      )
      await refused(
        'a text that is too long',
        () => table.put({ host: 'web', n: 3, a: 'x'.repeat(65_536), b: null, c: null }),
        'LIMIT_EXCEEDED',
      )
      same(await table.get({ host: 'web', n: 3 }), undefined, 'the row that was refused')
    },
    'conditions',
  ),
]
