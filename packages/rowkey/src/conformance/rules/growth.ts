// Tested by wrong.test.ts.
import type { World } from '../suite/world.js'
import { type ColumnType, decimal, dictionary, int32, int64, isRowkeyError, nullable, text, uint16, uint32, uint8 } from '#codec'
import { defineTable, type TableSchema } from '#model'
import { createMapper } from '#mapper'
import { check, refusalOf, refused, same, thrown } from '../check.js'
import { rule, type Rule } from '../suite/rule.js'

const few = { taobao: 'tb', tmall: 'tm' }
const more = { ...few, alibaba: 'al' }

const shops = (codes: Readonly<Record<string, string>>, value: Readonly<Record<string, ColumnType>>): TableSchema =>
  defineTable('growing', { columns: { shop: dictionary(codes), n: int32(), ...value }, key: ['shop', 'n'], writes: 'plain' })

/** What a value column was, what it can become, and a value of each. */
const widened: readonly [from: ColumnType, to: ColumnType, before: unknown, after: unknown][] = [
  [text(), nullable(text()), 'x', null],
  [uint8(), uint16(), 255, 65_535],
  [uint16(), int32(), 65_535, -1],
  [decimal(9, 2), decimal(12, 2), '9999999.99', '9999999999.99'],
  [dictionary(few), dictionary(more), 'tmall', 'alibaba'],
  [dictionary(few), text(), 'tmall', 'anything'],
  [nullable(uint16()), nullable(uint32()), null, 4_000_000_000],
]

/** What cannot become the other without a change of what is stored or of what it means. */
const refusedChanges: readonly [from: ColumnType, to: ColumnType][] = [
  [uint16(), text()],
  [int32(), uint32()],
  [int32(), int64()],
  [decimal(9, 2), decimal(9, 3)],
  [dictionary(few), dictionary({ taobao: 'tm', tmall: 'tb' })],
  [text({ default: 'x' }), nullable(text())],
]

const columnsOf = (types: readonly ColumnType[]): Readonly<Record<string, ColumnType>> =>
  Object.fromEntries(types.map((type, i) => [`v${i}`, type]))

/** One column after the other is widened, in one table, because tables are slow to make. */
async function widen(world: World): Promise<void> {
  const types = widened.map(([from]) => from)
  const before = { shop: 'taobao', n: 1, ...Object.fromEntries(widened.map(([, , value], i) => [`v${i}`, value])) }
  const after: Record<string, unknown> = { ...before, shop: 'tmall' }
  const narrowest = shops(few, columnsOf(types))
  const old = await world.repository(narrowest)
  await old.put(before)
  let some = 0
  for (const [i, [, to, , value]] of widened.entries()) {
    const narrow = shops(few, columnsOf(types))
    const wide = shops(few, columnsOf(types.with(i, to)))
    try {
      await world.db.ensureTables([wide])
    } catch (error) {
      // A store with typed columns may have to refuse. Then nothing has changed.
      check(isRowkeyError(error, 'SCHEMA_MISMATCH'), `case ${i} is refused as SCHEMA_MISMATCH`)
      await world.db.ensureTables([narrow])
      continue
    }
    some++
    types[i] = to
    after[`v${i}`] = value
    await world.db.ensureTables([narrow]) // a program of the deploy before starts again
  }
  check(some >= 4, `only ${some} of ${widened.length} columns can be widened`)
  const table = await world.repository(shops(few, columnsOf(types)))
  await table.put(after)
  const rows = await table.scan({ shop: { in: ['taobao', 'tmall'] } }).toArray()
  same(rows, [before, after], 'rows from before and after')
  // The first program still runs, and another one of its deploy starts: what they cannot hold is refused, and nothing else.
  const again = createMapper(world.adapter, { prefix: world.prefix, clock: () => world.clock.now })
  await again.ensureTables([narrowest])
  for (const [who, each] of [
    ['runs', old],
    ['starts', again.repository(narrowest)],
  ] as const) {
    same(await each.get({ shop: 'taobao', n: 1 }), before, `an old row for a program that ${who}`)
    const reads: readonly (readonly [what: string, read: () => Promise<unknown>])[] = [
      ['a get', () => each.get({ shop: 'tmall', n: 1 })],
      [
        'a list of gets',
        () =>
          each.getMany([
            { shop: 'taobao', n: 1 },
            { shop: 'tmall', n: 1 },
          ]),
      ],
      ['a scan', () => each.scan({ shop: 'tmall' }).toArray()],
      ['a full scan', () => each.readAll().toArray()],
    ]
    for (const [what, read] of reads) await newerRow(`${what} of a program that ${who}`, read)
    same(await each.scan({ shop: 'taobao' }).toArray(), [before], `a scan of old rows for a program that ${who}`)
  }
}

/** A row that a newer model has written: the error says so, and does not advise to write or delete the row. */
async function newerRow(what: string, read: () => Promise<unknown>): Promise<void> {
  const error = await refusalOf(what, read)
  check(isRowkeyError(error, 'UNREADABLE_ROW'), `${what} is refused with ${thrown(error)}`)
  check(error.message.includes('restart this program with'), `${what} says: ${error.message}`)
}

/** An integer column that every store can widen, and more, so that a row can be changed without it. */
const counted = (n: ColumnType, options: object = {}): TableSchema =>
  defineTable('counted_later', { columns: { id: text(), n, hits: int32(), note: nullable(text()) }, key: ['id'], ...options })

/** What a program of the first model does to rows that only a newer one can hold. */
async function changeNewerRows(world: World, options: object): Promise<void> {
  const old = await world.repository(counted(uint16(), options))
  const newer = await world.repository(counted(nullable(int32()), options))
  for (const n of [70_000, null]) {
    const [key, what] = [{ id: `n ${n}` }, `a row with ${n} that a newer model wrote:`]
    const row = { ...key, n, hits: 1, note: 'x' }
    const now = async (): Promise<unknown> => {
      const { hits, note } = (await newer.get(key)) as typeof row
      return [hits, note]
    }
    await newer.put(row)
    await refused(`${what} an insert`, () => old.insert({ ...row, n: 1 }), 'ROW_EXISTS')
    await old.update(key, { note: 'y' })
    same(await now(), [1, 'y'], `${what} an update of another column is applied`)
    await newer.put(row)
    // Stores differ in what they read for these. What is refused is not applied, and nothing is returned that the model cannot hold.
    const changes: readonly (readonly [string, () => Promise<unknown>, after: unknown])[] = [
      ['an update with if', () => old.update(key, { note: 'y' }, { if: { note: 'x' } }), [1, 'y']],
      ['an increment of another column', () => old.increment(key, { hits: 1 }), [2, 'x']],
      ['an update that returns it', () => old.update(key, { note: 'y' }, { returning: true }), [1, 'y']],
      ['an increment that returns it', () => old.increment(key, { hits: 1 }, { returning: true }), [2, 'x']],
    ]
    for (const [change, run, after] of changes) {
      const error = await run().then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      const isMade = error === undefined || (error instanceof Error && error.message.includes('The change was made'))
      check(error === undefined || isRowkeyError(error, 'UNREADABLE_ROW'), `${what} ${change} is refused with ${thrown(error)}`)
      check(error !== undefined || !change.includes('returns'), `${what} ${change} is returned`)
      same(await now(), isMade ? after : [1, 'x'], `${what} after ${change}, which was ${isMade ? 'made' : 'refused'}`)
      await newer.put(row)
    }
  }
  await newer.put({ id: 'big', n: 70_000, hits: 1, note: null })
  await newerRow('an increment of a value beyond the model', () => old.increment({ id: 'big' }, { n: 1 }))
  await newerRow('a condition on a value beyond the model', () => old.update({ id: 'big' }, { note: 'y' }, { if: { n: 1 } }))
}

export const growth: readonly Rule[] = [
  rule('WRITE-22 TABLE-11: what a program changes in rows that its model cannot hold', (world) => changeNewerRows(world, {}), 'columns'),
  rule(
    'WRITE-22 TABLE-11: what a program changes in rows that its model cannot hold, with expiry and versions',
    (world) => changeNewerRows(world, { ttl: '30d', version: 'rev' }),
    'columns',
  ),
  rule(
    'WRITE-16 TABLE-7: in a condition, null is the version of a row from the time before its table had versions',
    async (world) => {
      const shape = { columns: { id: text(), n: int32() }, key: ['id'] } as const
      const old = await world.repository(defineTable('without_versions', shape))
      await old.put({ id: 'a', n: 1 })
      const table = await world.repository(defineTable('without_versions', { ...shape, version: 'rev' }))
      await refused('a value', () => table.update({ id: 'a' }, { n: 3 }, { if: { rev: null, n: 2 } }), 'CONDITION_FAILED')
      const { version = null } = await table.update({ id: 'a' }, { n: 2 }, { if: { rev: null, n: 1 } })
      await refused('a row with a version', () => table.put({ id: 'a', n: 3 }, { if: { rev: null } }), 'VERSION_CONFLICT')
      await refused('no row', () => table.delete({ id: 'b' }, { if: { rev: null } }), 'ROW_NOT_FOUND')
      same(await table.get({ id: 'a' }), { id: 'a', n: 2, rev: version }, 'the row')
    },
    'columns',
  ),
  rule(
    'WRITE-17: many calls of modify at once lose nothing in a table without versions',
    async (world) => {
      const table = await world.repository(
        defineTable('modified', { columns: { id: text(), n: int32(), note: nullable(text()) }, key: ['id'] }),
      )
      await table.put({ id: 'a', n: 0 })
      const add = ({ n }: { readonly n: number }): Promise<{ n: number }> => Promise.resolve({ n: n + 1 })
      await Promise.all(Array.from({ length: 4 }, () => table.modify({ id: 'a' }, add, { attempts: 100 })))
      same(await table.get({ id: 'a' }), { id: 'a', n: 4, note: null }, 'the row')
    },
    'columns',
  ),
  rule('TABLE-7 TABLE-11: value columns are widened where everything stored keeps its meaning', widen),
  rule('TABLE-7: what would change the meaning of stored values is refused', async (world) => {
    const types = refusedChanges.map(([from]) => from)
    await world.db.ensureTables([shops(few, columnsOf(types))])
    for (const [i, [, to]] of refusedChanges.entries()) {
      await refused(`change ${i}`, () => world.db.ensureTables([shops(few, columnsOf(types.with(i, to)))]), 'SCHEMA_MISMATCH')
    }
    await world.db.ensureTables([shops(few, columnsOf(types))])
  }),
  rule('TABLE-8 TABLE-11: a dictionary in a key gets more codes, and loses none', async (world) => {
    const [small, large] = [shops(few, {}), shops(more, {})]
    const old = await world.repository(small)
    await old.putMany([
      { shop: 'taobao', n: 1 },
      { shop: 'tmall', n: 2 },
    ])
    const table = await world.repository(large)
    await table.put({ shop: 'alibaba', n: 3 })
    const rows = await table.scan({ shop: { in: Object.keys(more) } }).toArray()
    same(
      rows,
      [
        { shop: 'alibaba', n: 3 },
        { shop: 'taobao', n: 1 },
        { shop: 'tmall', n: 2 },
      ],
      'rows from before and after',
    )
    same(await old.scan({ shop: { in: Object.keys(few) } }).count(), 2, 'rows that the older model holds')
    await newerRow('a full scan of the older model', () => old.readAll().count())
    await newerRow('a scan of all its keys', () => old.scan({}, { unbounded: true }).toArray())
    const changed = { ...more, tmall: 'tx' }
    await world.db.ensureTables([small])
    for (const codes of [changed, { ...more, taobao: 'tm', tmall: 'tb' }]) {
      await refused(`the codes ${JSON.stringify(codes)}`, () => world.db.ensureTables([shops(codes, {})]), 'SCHEMA_MISMATCH')
    }
    const error = await world.db.ensureTables([shops(changed, {})]).catch((thrown: unknown) => thrown)
    check(
      error instanceof Error && error.message.includes('"tmall" is "tm" in the table, "tx" in the model'),
      `the pair is named: ${thrown(error)}`,
    )
  }),
]
