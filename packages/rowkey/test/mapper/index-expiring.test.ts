import { scaled } from '@rowkey/servers/scale'
import { createMapper, defineTable, memory, text, uint32 } from 'rowkey'
import { expect, test } from 'vitest'
import { createPausing } from '#mapper/internal'
import { day, passing, Time } from './index-actors.js'
import { Program, type Actor } from './index-program.js'
import { runSteps, type Guide, type World } from './index-steps.js'

const Sessions = defineTable('sessions', {
  columns: { id: uint32(), user: text(), n: uint32() },
  key: ['id'],
  ttl: '1h',
  version: 'rev',
  indexes: { byUser: { key: ['user'] } },
})
const kinds = ['put', 'insert', 'upsert', 'update', 'increment', 'delete'] as const
interface Write {
  readonly kind: (typeof kinds)[number]
  readonly user: string
  /** Days; 0: never. */
  readonly expires: number
}
const time = new Time()

const writer = (number: number, writing: { does: readonly Write[] }): Actor => ({
  name: `${number}`,
  kind: 'writer',
  open(adapter, told) {
    const sessions = createPausing(adapter, { clock: () => told(time.now) + number }, { sleep: async () => undefined }).repository(Sessions)
    return async (self) => {
      for (const { kind, user, expires: days } of writing.does) {
        await self.pause()
        const expires = { expires: days === 0 ? null : new Date(time.now + days * day) }
        const writes = {
          put: () => sessions.put({ id: 1, user, n: 0 }, expires),
          insert: () => sessions.insert({ id: 1, user, n: 0 }, expires),
          upsert: () => sessions.upsert({ id: 1, user, n: 0 }, expires),
          update: () => sessions.update({ id: 1 }, { user }, days === 3 ? {} : expires),
          increment: () => sessions.increment({ id: 1 }, { n: 1 }, { create: { user }, ...expires }),
          delete: () => sessions.delete({ id: 1 }),
        }
        try {
          await writes[kind]()
        } catch (error) {
          if (!/^RowkeyError: (ROW_NOT_FOUND|ROW_EXISTS|VERSION_CONFLICT)/.test(String(error))) throw error
        }
      }
    }
  },
})

async function opened(): Promise<World & { readonly adapter: ReturnType<typeof memory> }> {
  const adapter = memory()
  const db = createMapper(adapter, { clock: () => time.now })
  await db.ensureTables([Sessions])
  return { adapter, reset: () => undefined, look: () => ({ all: '', seen: '' }), end: () => isFound(db) }
}

/** At once and later: a row that has not expired is found, until it expires. */
async function isFound(db: ReturnType<typeof createMapper>): Promise<void> {
  const sessions = db.repository(Sessions)
  for (const days of [0, 1, 2, 10, 20, 40]) {
    time.now += days * day
    const row = await sessions.get({ id: 1 })
    const found = await sessions.scan({ user: row?.user ?? 'ann' }, { index: 'byUser' }).toArray()
    expect(found).toEqual(row === undefined ? [] : [row])
    expect(await db.verifyIndex(Sessions, 'byUser', { repair: true })).toMatchObject({ missing: 0 })
  }
  await sessions.delete({ id: 1 })
}

test(
  'rows that expire, in interleavings drawn at random: another write never shortens the life of an entry that a row needs',
  { timeout: 1_200_000 },
  async () => {
    let seed = Number(process.env['ROWKEY_SEED'] ?? 20_261_128)
    const random = (below: number): number => ((seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) >>> 8) % below
    const guide: Guide = {
      pick: (count, of) => (of === 'death' ? Number(random(24) === 0) : random(count)),
      visit: () => true,
      isReplay: false,
    }
    const world = await opened()
    const writings: { does: readonly Write[] }[] = [{ does: [] }, { does: [] }, { does: [] }]
    const actors = [...writings.map((writing, i) => writer(i + 1, writing)), passing(time, 1)]
    const programs = actors.map((actor) => new Program(actor, world.adapter))
    for (let run = 0; run < scaled(800); run++) {
      const before = seed
      for (const writing of writings) {
        writing.does = Array.from({ length: 1 + random(3) }, () => ({
          kind: kinds[random(kinds.length)] as Write['kind'],
          user: ['ann', 'bob'][random(2)] as string,
          expires: [0, 0.01, 3, 30][random(4)] as number,
        }))
      }
      try {
        await runSteps(programs, guide, world)
      } catch (error) {
        throw new Error(`run ${run}, ROWKEY_SEED=${before}: ${JSON.stringify(writings)}`, { cause: error })
      }
    }
  },
)
