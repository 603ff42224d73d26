import { conformance, oracle, OracleMismatch, type CreateAdapter } from '#conformance'
import { afterAll, expect, test } from 'vitest'
import { growingCosts } from './wrong/costs.js'
import { wrongGets } from './wrong/gets.js'
import { rareMistakes } from './wrong/rare.js'
import { endlessScans, wrongScans } from './wrong/scans.js'
import { wrongSplitting } from './wrong/splits.js'
import { wrongTables } from './wrong/tables.js'
import { wrongWrites } from './wrong/writes.js'

interface Registered {
  readonly name: string
  readonly run: () => Promise<void>
}

/** The tests of the suite, not run. */
function registered(createAdapter: CreateAdapter): readonly Registered[] {
  const tests: Registered[] = []
  conformance({
    test: (name, run) => tests.push({ name, run }),
    createAdapter,
    capabilities: { reverse: true },
    patience: 300,
  })
  return tests
}

const caught: string[] = []
afterAll(() => console.log(`planted mistake | caught by\n${caught.join('\n')}`))

const mistakes = [
  ...wrongGets,
  ...wrongScans,
  ...endlessScans,
  ...wrongSplitting,
  ...wrongWrites,
  ...wrongTables,
  ...rareMistakes,
  ...growingCosts,
]

test.each(mistakes)('$mistake: fails a test of $caughtBy', async ({ mistake, caughtBy, create }) => {
  const failures: string[] = []
  for (const { name, run } of registered(create)) {
    if (!name.split(/[ :]/).includes(caughtBy)) continue
    await run().catch((error: unknown) =>
      failures.push(`${name}\n    ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`),
    )
  }
  expect(failures).not.toEqual([])
  caught.push(`${mistake} | ${failures[0] ?? ''}`)
})

test.each(endlessScans)('$mistake: every test of the suite ends, and the oracle', async ({ caughtBy, create }) => {
  const failures = new Set<string>()
  for (const { run } of registered(create)) await run().catch((error: unknown) => failures.add(String(error)))
  expect([...failures].join('\n')).toMatch(new RegExp(`RuleBroken: ${caughtBy}: .* does not come to its end`))
  await oracle({ createAdapter: create, seed: 1, layouts: 2 }).catch((error: unknown) => expect(error).toBeInstanceOf(OracleMismatch))
})
