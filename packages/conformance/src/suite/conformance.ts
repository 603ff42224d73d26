import type { Capabilities } from '@rowkey/store'
import { check, same } from '../check.js'
import { freshPrefix, openAdapter, type CreateAdapter } from '../open-adapter.js'
import { rules } from '../rules/rules.js'
import { lackOf, type Rule } from './rule.js'
import { within } from './patience.js'
import { refusals } from './refusals.js'
import { createWorld } from './world.js'

/** What {@link conformance} needs of a test runner and of an adapter. */
export interface ConformanceOptions {
  /** `test` of vitest, jest, node:test, mocha or bun: a name, and a function whose promise rejects if the test fails. */
  test(name: string, run: () => Promise<void>): unknown
  /** `afterAll` or `after`: with it all tests share one adapter, without it each makes and closes its own. */
  afterAll?(run: () => Promise<void>): unknown
  createAdapter: CreateAdapter
  /** What the adapter must declare, so that it cannot come to declare less and be tested less. */
  readonly capabilities?: Partial<Capabilities>
  /** Told of every rule that does not apply, because the store declares that it lacks what the rule needs. */
  onSkip?(skipped: SkippedRule): void
  /** Whether rows examined are held against the rows there are. Default true; false for stores that read whole blocks and count them. */
  readonly countWork?: boolean
  /** Milliseconds after which an answer that must come at once will not come any more. Default 30,000. */
  readonly patience?: number
}

/** A rule that a store need not keep. That it refuses instead has been tested. */
export interface SkippedRule {
  readonly rule: string
  readonly because: string
}

/**
 * Registers a test for every rule of the store contract that an adapter has a part in. Needs nothing of the runner but `test`: a rule
 * that is broken rejects with {@link RuleBroken}. Tables have a fresh prefix and are dropped in the end.
 *
 * What the store declares to lack is tested as a refusal, and told to `onSkip`.
 *
 * @example
 * ```ts
 * conformance({ test, afterAll, createAdapter: () => ({ adapter: myStore(client) }) })
 * ```
 */
export function conformance(options: ConformanceOptions): void {
  const { test, afterAll, createAdapter, patience = 30_000, countWork = true } = options
  const prefix = freshPrefix()
  let shared: ReturnType<typeof openAdapter> | undefined
  if (afterAll !== undefined) {
    afterAll(async () => {
      const session = await shared
      shared = undefined
      await session?.end()
    })
  }
  const open = (alone: boolean): ReturnType<typeof openAdapter> =>
    alone || afterAll === undefined ? openAdapter(createAdapter) : (shared ??= openAdapter(createAdapter))

  test('SCAN-6: the adapter declares the capabilities it is tested for', async () => {
    const session = await open(false)
    const declared: Readonly<Record<string, unknown>> = { ...session.adapter.capabilities }
    for (const [name, value] of Object.entries(options.capabilities ?? {})) same(declared[name], value, `capabilities.${name}`)
    check(/^[a-z][a-z0-9-]*$/.test(session.adapter.name), `the name of an adapter is lower-case, not ${session.adapter.name}`)
    if (afterAll === undefined) await session.end()
  })

  rules.forEach((each, i) => {
    test(each.title, async () => {
      const isShared = each.alone !== true && afterAll !== undefined
      const session = await open(!isShared)
      const { world, names } = createWorld(session, `${prefix}${i}_`, patience, countWork)
      const tidied = (): Promise<void> => within(patience, 'tidying up', tidy(names, each, session, options, isShared))
      try {
        await run(each, world, options)
      } catch (error) {
        await tidied().catch(() => undefined) // the rule that is broken is what counts
        throw error
      }
      await tidied()
    })
  })
}

async function run(each: Rule, world: Parameters<Rule['run']>[0], { onSkip }: ConformanceOptions): Promise<void> {
  for (const need of each.needs) {
    const because = lackOf(need, world.adapter.capabilities)
    if (because === undefined) continue
    onSkip?.({ rule: each.title, because })
    return refusals[need](world)
  }
  return each.run(world)
}

/** Drops the tables of a rule: by another adapter where the rule has closed its own. */
async function tidy(
  names: ReadonlySet<string>,
  each: Rule,
  session: Awaited<ReturnType<typeof openAdapter>>,
  { createAdapter }: ConformanceOptions,
  isShared: boolean,
): Promise<void> {
  const dropAll = async ({ adapter }: { readonly adapter: typeof session.adapter }): Promise<void> => {
    for (const name of names) await adapter.dropTable(name)
  }
  if (each.alone !== true) await dropAll(session)
  if (isShared) return
  await session.end()
  if (each.alone !== true) return
  const other = await openAdapter(createAdapter)
  await dropAll(other)
  await other.end()
}
