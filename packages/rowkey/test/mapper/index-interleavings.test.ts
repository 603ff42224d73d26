import { isLong, isShort, scaled } from '@rowkey/servers/scale'
import { expect, test } from 'vitest'
import { timeOfUlid } from '../../src/mapper/rows/ulid.js'
import { allOperations, day, hour, Lost, openWorld, passing, reader, scrubber, Time, writer, type Operation } from './index-actors.js'
import { Program, type Actor } from './index-program.js'
import { handWriter, judging, Known, protocols, withoutVersion } from './index-protocols.js'
import { allWays, runSteps, type Guide, type World } from './index-steps.js'

// What the model checker of the design shows for its protocol is shown here for the code: whatever calls follow each other, and wherever a program dies, a
// row has its entry at every moment, a scan returns no row with other values, and a repair leaves nothing stale.

type Does = readonly Operation[]

const time = new Time()
const writers = (each: readonly Does[], skews: readonly number[] = []): readonly Actor[] =>
  each.map((does, i) => writer(time, i + 1, { does, skew: skews[i] ?? 0 }))

/** All states of these programs. */
async function all(actors: readonly Actor[]): Promise<{ readonly states: number; readonly runs: number }> {
  const world = await openWorld(time)
  return allWays(actors.map((actor) => new Program(actor, world.adapter)), world) // prettier-ignore
}

const put: Does = ['put B']
const putTwice: Does = ['put B', 'put A']
const remove: Does = ['delete']
const pairs: readonly (readonly [Does, Does])[] = [
  [put, put],
  [put, putTwice],
  [put, remove],
  [putTwice, remove],
  [remove, remove],
  [putTwice, putTwice],
]
const others: readonly (readonly [Does, Does])[] = [
  [['delete', 'put A'], put],
  [['update B'], ['put A']],
  [['update B'], ['update A']],
  [['modify A'], ['put B']],
  [['upsert B'], ['delete']],
  [['insert B'], ['delete', 'put A']],
  [['increment or A'], ['delete', 'put B']],
  [['many B', 'put null'], ['put A']],
]
const titled = (list: typeof pairs): (readonly [string, Does, Does])[] =>
  list.map(([one, two]) => [`${one.join(', ')} | ${two.join(', ')}`, one, two])

test.each(titled([...pairs, ...others]))('all interleavings of two writers that may die, and a reader: %s', async (_, one, two) => {
  for (const tag of isShort ? ['B'] : ['A', 'B']) {
    const { states } = await all([...writers([one, two]), reader(time, tag)])
    expect(states).toBeGreaterThanOrEqual(10)
  }
})

const apart = [-11 * hour, 11 * hour]

test.each(titled(isShort ? pairs.slice(0, 5) : [...pairs, ...others]))(
  'all interleavings of two writers that may die, and a scrubber, whose clocks differ by less than the age: %s',
  async (_, one, two) => {
    const { states } = await all([...writers([one, two], apart), scrubber(time, { skew: 12 * hour })])
    expect(states).toBeGreaterThan(50)
  },
)

test.skipIf(!isLong)('all interleavings of two writers that may die, a reader and a scrubber', { timeout: 1_200_000 }, async () => {
  const { states } = await all([...writers([putTwice, put]), reader(time, 'B'), scrubber(time)])
  expect(states).toBeGreaterThan(40_000)
})

test.each<readonly [string, Does]>([
  ['put B, put A', putTwice],
  ...(isShort ? [] : [['put B, delete, put B', ['put B', 'delete', 'put B']] as const]),
])('days pass between writes, and while a scrubber waits for an answer: %s', async (_, does) => {
  const { states } = await all([writer(time, 1, { does, pauses: true }), scrubber(time, {}, true), passing(time, isShort ? 1 : 2)])
  expect(states).toBeGreaterThan(500)
})

const byHand = [
  [['B', 'A'], ['B']],
  [[undefined, 'A'], ['B']],
] as const

/** What the checker says of writers that do not use the mapper. */
async function allByHand(name: keyof typeof protocols): Promise<void> {
  for (const each of byHand) {
    const actors = each.map((tags, i) => handWriter(`w${i}`, protocols[name], tags))
    const world = await openWorld(time)
    await allWays(actors.map((actor) => new Program(actor, world.adapter)), { ...world, end: async () => undefined }) // prettier-ignore
  }
}

test.each([
  'the row, then its entry',
  'the new entry, the row, a delete of the old entry',
  'the same, and deletes only the version that it read',
] as const)('loses an entry: %s', async (name) => {
  await expect(allByHand(name)).rejects.toThrow(Lost)
})

test.each(['the same, if the row has the version that it read', 'the new entry, then the row'] as const)(
  'loses no entry: %s',
  async (name) => {
    await allByHand(name)
  },
)

/** The code of the mapper, with a scrubber that judges by what the test knows of its writers. */
async function allJudged(known: Known, isOld: (tag: string, version: string) => boolean): Promise<void> {
  const world = await openWorld(time)
  const actors = [putTwice, put].map((does, i) => writer(time, i + 1, { does, told: known.told }))
  const programs = actors.map((actor) => new Program(actor, world.adapter))
  const reset = (): void => {
    known.reset()
    world.reset()
  }
  await allWays([...programs, new Program(scrubber(time), judging(world.adapter, isOld))], { ...world, reset })
}

test('loses an entry: a scrubber that does not wait', async () => {
  await expect(all([...writers([putTwice, put]), scrubber(time, { skew: 2 * day })])).rejects.toThrow(Lost)
})

test('loses an entry: a scrubber that only waits for the write that has put the entry last', async () => {
  const known = new Known()
  await expect(allJudged(known, (_, version) => known.hasEnded(timeOfUlid(version) ?? 0))).rejects.toThrow(Lost)
})

test('loses no entry: a scrubber that waits for all writes that have put the entry', async () => {
  const known = new Known()
  await allJudged(known, (tag) => known.haveEnded(tag))
})

test('loses an entry: a scrubber that waits, and deletes whatever version there is', async () => {
  const world = await openWorld(time)
  const programs = writers([putTwice, put]).map((actor) => new Program(actor, world.adapter))
  const planted = new Program(scrubber(time), withoutVersion(world.adapter))
  await expect(allWays([...programs, planted], world)).rejects.toThrow(Lost)
})

/** How often a program dies after a call: one of so many times. */
const lives = 24

test('interleavings drawn at random: three writers, a reader, two scrubbers, and days that pass', { timeout: 7_200_000 }, async () => {
  let seed = Number(process.env['ROWKEY_SEED'] ?? 20_261_128)
  const random = (below: number): number => ((seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) >>> 8) % below
  const world: World & { readonly adapter: Parameters<Actor['open']>[0] } = await openWorld(time)
  const programs = (actors: readonly Actor[]): readonly Program[] => actors.map((actor) => new Program(actor, world.adapter))
  const writings = [1, 2, 3].map(() => ({ does: [] as Does, skew: 0, pauses: true }))
  const scrubbers = [{ skew: 0 }, { skew: 0 }]
  const pool = {
    writers: programs(writings.map((writing, i) => writer(time, i + 1, writing))),
    readers: programs(['A', 'B'].map((tag) => reader(time, tag))),
    scrubbers: programs(scrubbers.map((skewed) => scrubber(time, skewed, true))),
    time: programs([passing(time, 2)]),
  }
  const guide: Guide = {
    pick: (count, of) => (of === 'death' ? Number(random(lives) === 0) : random(count)),
    visit: () => true,
    isReplay: false,
  }
  const wanted = scaled(isShort ? 12_000 : 50_000)
  let calls = 0
  for (let run = 0; run < wanted; run++) {
    const before = seed
    for (const writing of writings) {
      writing.does = Array.from({ length: 1 + random(3) }, () => allOperations[random(allOperations.length)] as Operation)
      writing.skew = (random(23) - 11) * hour
    }
    for (const skewed of scrubbers) skewed.skew = (random(23) - 11) * hour
    const chosen = [
      ...pool.writers,
      ...pool.readers.slice(random(2)).slice(0, 1),
      ...pool.scrubbers.slice(random(3)),
      ...pool.time.slice(random(2)),
    ]
    try {
      calls += await runSteps(chosen, guide, world)
    } catch (error) {
      throw new Error(`run ${run}, ROWKEY_SEED=${before}: ${writings.map(({ does }) => does.join(', ')).join(' | ')}`, { cause: error })
    }
  }
  console.log(`${wanted} interleavings, ${calls} calls`)
})
