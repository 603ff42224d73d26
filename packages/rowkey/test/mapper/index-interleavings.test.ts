import { createMapper, defineTable, nullable, text, uint32, type Adapter, type Mapper } from 'rowkey'
import type { Mutation } from 'rowkey/adapter'
import { isShort, scaled } from '@rowkey/servers/scale'
import { expect, test } from 'vitest'
import { allWays, runSteps, type Actor, type Pick, type Steps } from './index-steps.js'

// What the model checker of the design shows for its protocol is shown here for the code: whatever calls follow each other, and wherever a program dies, a
// row has its entry at every moment, and a scan returns no row with other values.

const Items = defineTable('items', {
  columns: { id: uint32(), tag: nullable(text()) },
  key: ['id'],
  version: 'rev',
  indexes: { byTag: { key: ['tag'] } },
})
const [byTag] = Items.indexes
const began = Date.parse('2026-03-01')
const dayMs = 86_400_000

type Op = 'A' | 'B' | 'delete' | 'update B' | 'modify A'

async function perform(db: Mapper, op: Op): Promise<void> {
  const items = db.repository(Items)
  try {
    if (op === 'delete') await items.delete({ id: 1 })
    else if (op === 'update B') await items.update({ id: 1 }, { tag: 'B' })
    else if (op === 'modify A') await items.modify({ id: 1 }, () => ({ tag: 'A' }))
    else await items.put({ id: 1, tag: op })
  } catch (error) {
    if (!/ROW_NOT_FOUND|VERSION_CONFLICT|WRITE_FAILED/.test(String(error))) throw error
  }
}

const writer = (name: string, ...ops: readonly Op[]): Actor => ({
  name,
  mayDie: true,
  async run(adapter) {
    const db = createMapper(adapter, { clock: () => began })
    for (const op of ops) await perform(db, op)
  },
})

const reader = (tag: string): Actor => ({
  name: `read ${tag}`,
  mayDie: false,
  async run(adapter) {
    const rows = await createMapper(adapter, { clock: () => began })
      .repository(Items)
      .scan({ tag }, { index: 'byTag' })
      .toArray()
    expect(rows.map((row) => row.tag)).toEqual(rows.length === 0 ? [] : [tag])
  },
})

/** By a clock that is so much later than that of the writers. */
const scrubber = (later: number): Actor => ({
  name: 'scrub',
  mayDie: true,
  async run(adapter) {
    await createMapper(adapter, { clock: () => began + later }).verifyIndex(Items, 'byTag', { repair: true })
  },
})

async function begin(adapter: Adapter): Promise<void> {
  const db = createMapper(adapter, { clock: () => began })
  await db.ensureTables([Items])
  await db.repository(Items).put({ id: 1, tag: 'A' })
}

async function rowAndEntry(adapter: Adapter): Promise<{ readonly tag: unknown; readonly hasEntry: boolean }> {
  const read = { consistency: 'strong' } as const
  const [row] = await adapter.table(Items, (await adapter.describeTable('items')) as never).get([[1]], read)
  if (row === undefined) return { tag: undefined, hasEntry: true }
  const schema = byTag?.schema as never
  const [entry] = await adapter.table(schema, (await adapter.describeTable('items_byTag')) as never).get([[row[1] ?? null, 1]], read)
  return { tag: row[1], hasEntry: entry !== undefined }
}

async function check(adapter: Adapter, hasEnded: boolean): Promise<void> {
  const { tag, hasEntry } = await rowAndEntry(adapter)
  if (!hasEntry) throw new Lost(`the row with '${String(tag)}' has no entry`)
  if (!hasEnded) return
  const db = createMapper(adapter, { clock: () => began + 3 * dayMs })
  await db.verifyIndex(Items, 'byTag', { repair: true })
  expect(await db.verifyIndex(Items, 'byTag')).toMatchObject({ stale: 0, missing: 0, entries: tag === undefined ? 0 : 1 })
}

class Lost extends Error {}

const scenarios: readonly (readonly [string, readonly Actor[]])[] = [
  ['B | A', [writer('1', 'B'), writer('2', 'A')]],
  ['B, A | B', [writer('1', 'B', 'A'), writer('2', 'B')]],
  ['delete, A | B', [writer('1', 'delete', 'A'), writer('2', 'B')]],
  ['B | a scan of A', [writer('1', 'B'), reader('A')]],
  ['B, A | a scan of B', [writer('1', 'B', 'A'), reader('B')]],
  ['delete, B | A | a scan of A', [writer('1', 'delete', 'B'), writer('2', 'A'), reader('A')]],
  ['update B | A', [writer('1', 'update B'), writer('2', 'A')]],
  ['modify A | B', [writer('1', 'modify A'), writer('2', 'B')]],
  [
    'B, A | a scrubber in time',
    [
      { ...writer('1', 'B', 'A'), mayDie: false },
      { ...scrubber(dayMs - 1000), mayDie: false },
    ],
  ],
]

test.each(scenarios)('in all interleavings, with a death before each call: %s', async (_, actors) => {
  const { ways } = await allWays((pick) => runSteps(actors, pick, begin, check))
  expect(ways).toBeGreaterThan(actors.length)
})

/** What an adapter does with batches of its program, in place of the store. */
const planting =
  (write: (store: Adapter, batch: readonly Mutation[], options: Parameters<Adapter['write']>[1]) => ReturnType<Adapter['write']>) =>
  (store: Adapter): Adapter => {
    const own = Object.create(store) as { write: Adapter['write'] }
    own.write = (batch, options) => write(store, batch, options)
    return own as Adapter
  }

const isEntry = ({ schema }: Mutation): boolean => schema.name === 'items_byTag'

const entryTable = async (store: Adapter) => store.table(byTag?.schema as never, (await store.describeTable('items_byTag')) as never)
const rowTable = async (store: Adapter) => store.table(Items, (await store.describeTable('items')) as never)

test.each<readonly [string, readonly Actor[], (store: Adapter) => Adapter]>([
  [
    'a scrubber that does not look at the version',
    [writer('1', 'B', 'A'), { ...scrubber(2 * dayMs), mayDie: false }],
    planting(
      (store, batch, options) =>
      store.write(batch.map((each) => (each.kind === 'delete' && isEntry(each) ? { ...each, version: undefined } : each)), options), // prettier-ignore
    ),
  ],
  ['a scrubber whose clock is two days ahead, so entries are old at once', [writer('1', 'B', 'A'), scrubber(2 * dayMs)], (store) => store],
])('is caught: %s', async (_, actors, planted) => {
  await expect(allWays((pick) => runSteps(actors, pick, begin, check, planted))).rejects.toThrow(Lost)
})

test('is caught: a writer that deletes the old entry of the row that it read', async () => {
  const eager =
    (isByVersion: boolean) =>
    (name: string, ...tags: readonly string[]): Actor => ({
      name,
      mayDie: true,
      async run(adapter) {
        const [entries, rows] = [await entryTable(adapter), await rowTable(adapter)]
        const read = { consistency: 'strong' } as const
        const schema = byTag?.schema as never
        for (const tag of tags) {
          const [old] = await rows.get([[1]], read)
          const [entry] = old === undefined ? [] : await entries.get([[old[1] ?? null, 1]], read)
          const version = `${name}${tag}`
          await adapter.write([{ kind: 'put', schema, row: [tag, 1, version] }], { now: began })
          await adapter.write([{ kind: 'put', schema: Items, row: [1, tag, version] }], { now: began })
          if (entry === undefined || entry[0] === tag) continue
          const condition = isByVersion ? { version: entry[2] as string } : {}
          await adapter.write([{ kind: 'delete', schema, row: entry.slice(0, 2), ...condition }], { now: began })
        }
      },
    })
  const ends = async (adapter: Adapter): Promise<void> => {
    if (!(await rowAndEntry(adapter)).hasEntry) throw new Lost('no entry')
  }
  for (const isByVersion of [false, true]) {
    const make = eager(isByVersion)
    await expect(allWays((pick) => runSteps([make('1', 'B', 'A'), make('2', 'B')], pick, begin, ends))).rejects.toThrow(Lost)
  }
})

test('is caught: the row before its entry', async () => {
  const first: Actor = {
    name: 'row first',
    mayDie: true,
    async run(adapter) {
      await adapter.write([{ kind: 'put', schema: Items, row: [1, 'B', 'v'] }], { now: began })
      await adapter.write([{ kind: 'put', schema: byTag?.schema as never, row: ['B', 1, 'v'] }], { now: began })
    },
  }
  await expect(allWays((pick) => runSteps([first], pick, begin, check))).rejects.toThrow(Lost)
})

test('three writers and a scrubber, in interleavings drawn at random', async () => {
  const ops: readonly Op[] = ['A', 'B', 'delete', 'update B', 'modify A']
  let seed = 20_261_128
  const random = (below: number): number => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) % below
  const wanted = scaled(isShort ? 2_000 : 20_000)
  let steps = 0
  while (steps < wanted) {
    const actors = ['1', '2', '3'].map((name) =>
      writer(name, ...Array.from({ length: 1 + random(3) }, () => ops[random(ops.length)] as Op)),
    )
    const pick: Pick = (count) => random(count * 4) % count
    const done: Steps = await runSteps([...actors, scrubber(dayMs - 1000)], pick, begin, check)
    steps += done.steps
  }
  expect(steps).toBeGreaterThanOrEqual(wanted)
})
