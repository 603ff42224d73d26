// Tested by wrong.test.ts.
import type { Outcome, Row } from '#store/adapter'
import { check, same } from '../check.js'
import { Random } from '../oracle/random.js'
import { turn } from '../suite/patience.js'
import { before, strong, upTo } from '../suite/reading.js'
import { rule, type Rule } from '../suite/rule.js'
import { Numbers, Things } from '../suite/tables.js'
import type { World } from '../suite/world.js'

/** Rows come and go between the pages of a scan; rows that stay come exactly once and in order. */
async function scanUnderWrites(world: World, reverse: boolean): Promise<void> {
  const table = await world.open(Numbers)
  const random = new Random(11)
  const space = 400
  for (let round = 0; round < 6; round++) {
    await table.remove(...upTo(space).map((n) => [n]))
    const present = upTo(space).filter(() => random.chance(0.5))
    await table.put(...present.map((n) => [n, 'x']))
    const [low, high] = [random.below(100), 300 + random.below(100)]
    const stay = new Set(present.filter((n) => n >= low && n < high))
    const ever = new Set(stay)
    const seen: number[] = []
    const source = table.store.scan({ bucket: 0, from: before(low), to: before(high), reverse }, strong)
    for (;;) {
      // Written while the page is under way, and after it.
      const pending = source.next(1 + random.below(60))
      const near = seen.at(-1) ?? low
      for (let writes = random.below(12); writes > 0; writes--) {
        const n = Math.min(space - 1, Math.max(0, near + random.below(41) - 20))
        if (random.chance(0.4)) {
          ever.add(n)
          await table.put([n, 'new'])
        } else {
          stay.delete(n)
          await table.remove([n])
        }
      }
      const page = await pending
      if (page === undefined) break
      seen.push(...page.rows.map(([n]) => n as number))
    }
    check(
      seen.every((n, i) => i === 0 || (reverse ? n < (seen[i - 1] as number) : n > (seen[i - 1] as number))),
      `rows out of order, or one twice: ${seen.join(' ')}`,
    )
    same(
      seen.filter((n) => !ever.has(n) || n < low || n >= high),
      [],
      'rows that never were in the slice',
    )
    same(
      [...stay].filter((n) => !seen.includes(n)),
      [],
      'rows that were there throughout and did not come',
    )
  }
}

export const concurrency: readonly Rule[] = [
  rule('SCAN-1: rows that exist all the time are returned exactly once, in order, while others are written and deleted', (world) =>
    scanUnderWrites(world, false),
  ),
  rule('SCAN-1 R18: the same in reverse', (world) => scanUnderWrites(world, true), 'reverse'),

  rule(
    'SCAN-1: a merge of buckets with concurrent writers returns rows that exist all the time exactly once, in order',
    async (world) => {
      const table = await world.repository(Things)
      const hosts = ['a', 'b', 'c', 'd', 'e', 'f']
      const rows = hosts.flatMap((host) => upTo(40).map((n) => ({ host, n, a: 'stays', b: null, c: null })))
      await table.putMany(rows)
      let isDone = false
      let written = 0
      const writer = async (from: number): Promise<void> => {
        for (let i = 0; !isDone; i++) {
          const key = { host: hosts[(from + i) % hosts.length] as string, n: 1000 + (i % 50) }
          await (i % 3 === 2 ? table.delete(key) : table.put({ ...key, a: 'comes and goes', b: null, c: null }))
          written++
          await turn()
        }
      }
      const writers = [writer(0), writer(3)]
      try {
        for (let round = 0; round < 5; round++) {
          const seen: (readonly [string, number])[] = []
          let cursor: string | undefined
          let pages = 0
          do {
            const page = await table.scan({}, { unbounded: true }).page({ size: 23, cursor })
            seen.push(...page.rows.map(({ host, n }) => [host, n] as const))
            cursor = page.cursor
            check(++pages < 1000, 'paging ends')
            await turn()
          } while (cursor !== undefined)
          same(
            seen.filter(([, n]) => n < 1000),
            rows.map(({ host, n }) => [host, n]),
            'rows that stay',
          )
          check(
            seen.every(([host, n], i) => i === 0 || isAfter([host, n], seen[i - 1] as readonly [string, number])),
            'rows out of order',
          )
        }
      } finally {
        isDone = true
        await Promise.all(writers)
      }
      check(written > 0, 'nothing was written meanwhile')
    },
    'conditions',
  ),

  rule(
    'WRITE-1: of several concurrent inserts of one row, one is applied',
    async (world) => {
      const table = await world.open(Things)
      for (let round = 0; round < 5; round++) {
        // A store may reject all writers of a conflict; then they try again.
        const race = async (i: number): Promise<readonly Outcome[]> => {
          for (let attempt = 0; ; attempt++) {
            const outcomes = await table.write([{ kind: 'insert', row: ['web', round, `v${i}`, null, null] }])
            if (attempt === 200 || outcomes[0]?.kind !== 'unprocessed') return outcomes
            for (let turns = 0; turns <= i; turns++) await turn()
          }
        }
        const all = await Promise.all(upTo(8).map(race))
        const winners = all.flatMap(([outcome], i) => (outcome?.kind === 'applied' ? [i] : []))
        check(winners.length === 1, `${winners.length} of 8 inserts were applied`)
        check(
          all.every(([outcome]) => ['applied', 'conflict', 'unprocessed'].includes(outcome?.kind ?? '')),
          'the others are conflicts',
        )
        same((await table.store.get([['web', round]], strong))[0]?.[2], `v${winners[0]}`, 'the row is that of the insert that was applied')
      }
    },
    'conditions',
  ),

  rule(
    'WRITE-3: 2 × 1,000 interleaved updates of two columns of one row: none is lost',
    async (world) => {
      const table = await world.open(Things)
      await table.put(['web', 1, '', '', 0])
      let lost = 0
      const writer = async (position: number): Promise<void> => {
        for (let i = 1; i <= 1000; i++) {
          const row: Row = upTo(5).map((at) => (at === 0 ? 'web' : at === 1 ? 1 : at === position ? `v${i}` : null))
          for (let attempt = 0; (await updated(row, position))?.kind === 'unprocessed'; attempt++) {
            check(attempt < 1000, 'an update that competes with one other is applied at some time')
            await turn()
          }
          if (i % 50 === 0) {
            // Nobody else writes this column.
            const [now] = await table.store.get([['web', 1]], strong)
            if (now?.[position] !== `v${i}`) lost++
          }
        }
      }
      const updated = async (row: Row, position: number): Promise<Outcome | undefined> => {
        const [outcome] = await table.write([{ kind: 'update', row, set: [position] }])
        check(outcome?.kind === 'applied' || outcome?.kind === 'unprocessed', `an update of a row that is there is ${outcome?.kind}`)
        return outcome
      }
      await Promise.all([writer(2), writer(3)])
      check(lost === 0, `${lost} times a column had lost its last update`)
      same(await table.store.get([['web', 1]], strong), [['web', 1, 'v1000', 'v1000', 0]], 'the row in the end')
    },
    'conditions',
  ),
]

const isAfter = ([host, n]: readonly [string, number], [otherHost, other]: readonly [string, number]): boolean =>
  host === otherHost ? n > other : host > otherHost
