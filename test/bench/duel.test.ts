import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Contest } from '../../bench/src/duel/contestant.js'
import { duel, type Effort, type Standing } from '../../bench/src/duel/duel.js'
import { contestTable, absentText } from '../../bench/src/report/contest-table.js'

const worker = new URL('contestants.mjs', import.meta.url)
const effort: Effort = { generations: 2, rounds: 3, slices: 2, milliseconds: 1, warmUpMilliseconds: 1, patience: 6000 }

const contestOf = (names: readonly string[], allocation: boolean): Contest => ({
  id: 'C1',
  title: 'peers that do not come to an end',
  base: 'base',
  operations: ['one', 'two'],
  allocation,
  parties: new Map(names.map((name) => [name, () => ({ operations: {}, facts: {} })])),
})

const failures: Readonly<Record<string, string>> = {
  'loops before it is ready': 'did not finish: getting ready took more than 6 s',
  'cannot take part': 'takes no part: there is no such package',
  'loops when it is asked': 'did not finish: one took more than 6 s',
  'loops at the second operation': 'did not finish: two took more than 6 s',
  'ends when it is asked': 'broke off: one: its process ended with 3',
  'fails when it is asked': 'broke off: one: out of memory',
  'loops when allocation is measured': 'did not finish: one took more than 6 s',
}

/** Processes of contestants of this repository, by their command lines. */
const alive = (): readonly string[] =>
  readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((id) => {
      try {
        const line = readFileSync(`/proc/${id}/cmdline`, 'utf8')
        return line.includes(fileURLToPath(worker)) ? [line] : []
      } catch {
        return []
      }
    })

const rounds = ({ operations }: Standing): unknown => Object.fromEntries([...operations].map(([name, timed]) => [name, timed.nanoseconds]))

describe('a contestant that does not come to an end costs nobody else a figure', { timeout: 180_000 }, () => {
  test('and leaves no process, whatever it was asked for', async () => {
    const failing = Object.keys(failures)
    const contest = contestOf(['base', ...failing, 'other'], true)
    const standings = await duel(contest, worker, effort)
    expect(standings.map(({ name }) => name)).toEqual(['base', ...failing, 'other'])
    const found = new Map(standings.map((standing) => [standing.name, standing]))
    for (const name of failing) {
      expect(found.get(name)?.failure, name).toBe(failures[name])
      expect(found.get(name)?.operations.size).toBe(0)
    }
    for (const name of ['base', 'other']) {
      const standing = found.get(name) as Standing
      expect(standing.failure).toBeUndefined()
      expect(standing.facts).toEqual({ keyBytes: 3 })
      expect(rounds(standing)).toEqual({ one: new Array(6).fill(5), two: new Array(6).fill(5) })
      expect(standing.operations.get('two')?.bytes).toBe(5)
    }
    const result = { contest, standings, load: 1 }
    expect(contestTable(result, () => 'base', ['base', 'other'])).toContain('1.00')
    expect(absentText(result).join('\n').split('\n')).toEqual(failing.map((name) => `${name} ${failures[name] as string}`))
    if (process.platform === 'linux') await expect.poll(alive).toEqual([])
  })

  test('without the base there are times, and nothing to compare them with', async () => {
    const contest = { ...contestOf(['loops at the second operation', 'other'], false), base: 'loops at the second operation' }
    const standings = await duel(contest, worker, { ...effort, generations: 1 })
    const table = contestTable({ contest, standings, load: 1 }, () => contest.base, ['other'])
    expect(table).toContain('5.0 ns')
    expect(table).not.toContain('NaN')
  })
})
