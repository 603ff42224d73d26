// Also tested by wrong.test.ts.
import type { Capabilities, StoreDescription } from '#store/adapter'
import { freshPrefix, openAdapter, type CreateAdapter, type Session } from './open-adapter.js'
import { suiteTests } from './suite-tests.js'

/** What {@link conformance} needs from a test runner and an adapter. */
export interface ConformanceOptions {
  /** `test` of vitest, jest, node:test, mocha or bun: a name, and a function whose promise rejects if the test fails. */
  test(name: string, run: () => Promise<void>): unknown
  /** `afterAll` or `after`. With it, all tests share one adapter; without it, each makes and closes its own. */
  afterAll?(run: () => Promise<void>): unknown
  createAdapter: CreateAdapter
  /** What the adapter must declare. Otherwise an adapter that declares less by mistake would be tested less. */
  readonly capabilities?: Partial<Capabilities>
  /** What the package of the adapter exports about its store. */
  readonly description?: StoreDescription
  /** Called for every rule that does not apply, because the store declares that it lacks what the rule needs. */
  onSkip?(skipped: SkippedRule): void
  /** Whether the number of examined rows is checked. Default true; false for stores that read and count whole blocks. */
  readonly countWork?: boolean
  /** Milliseconds after which an answer that must come immediately counts as missing. Default 30,000. */
  readonly patience?: number
}

/** A rule that a store need not follow. That it refuses instead has been tested. */
export interface SkippedRule {
  readonly rule: string
  readonly because: string
}

/**
 * Registers a test for every rule of the store contract that concerns an adapter. From the runner it only needs `test`: a broken rule
 * rejects with {@link RuleBroken}. Tables have a new prefix and are dropped at the end.
 *
 * What the store declares to lack is tested as a refusal, and reported to `onSkip`.
 *
 * @example
 * ```ts
 * conformance({ test, afterAll, createAdapter: () => ({ adapter: myStore(client) }) })
 * ```
 */
export function conformance(options: ConformanceOptions): void {
  const { test, afterAll, createAdapter, capabilities, description, onSkip, patience = 30_000, countWork = true } = options
  let shared: Promise<Session> | undefined
  if (afterAll !== undefined) {
    afterAll(async () => {
      const session = await shared
      shared = undefined
      await session?.end()
    })
  }
  const sessions = {
    create: createAdapter,
    shared: afterAll === undefined ? undefined : (): Promise<Session> => (shared ??= openAdapter(createAdapter)),
  }
  for (const { title, run } of suiteTests({ capabilities, description, prefix: freshPrefix(), patience, countWork })) {
    test(title, async () => {
      const because = await run(sessions)
      if (because !== undefined) onSkip?.({ rule: title, because })
    })
  }
}
