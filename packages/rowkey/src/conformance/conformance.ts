// Also tested by wrong.test.ts.
import type { Adapter, Capabilities, StoreDescription, SupportsDdl } from '#store/adapter'
import { check, same } from './check.js'
import { freshPrefix, openAdapter, type CreateAdapter } from './open-adapter.js'
import { rules } from './rules/rules.js'
import { lackOf, type Rule } from './suite/rule.js'
import { within } from './suite/patience.js'
import { refusals } from './suite/refusals.js'
import { createWorld } from './suite/world.js'

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

  const { description } = options
  if (description !== undefined) {
    test('ADAPTER-18: the adapter is what the description of its store says', async () => {
      const session = await open(false)
      checkDescribed(session.adapter, description)
      if (afterAll === undefined) await session.end()
    })
  }

  rules.forEach((each, i) => {
    test(each.title, async () => {
      const isShared = each.alone !== true && afterAll !== undefined
      const session = await open(!isShared)
      const { world, names } = createWorld(session, `${prefix}${i}_`, patience, countWork)
      const tidied = (): Promise<void> => within(patience, 'tidying up', tidy(names, each, session, options, isShared))
      try {
        await run(each, world, options)
      } catch (error) {
        await tidied().catch(() => undefined) // the broken rule is the one to report
        throw error
      }
      await tidied()
    })
  })
}

function checkDescribed(adapter: Adapter & Partial<SupportsDdl>, description: StoreDescription): void {
  same(adapter.name, description.name, 'the name')
  same(adapter.capabilities, description.capabilities, 'the capabilities')
  check(adapter.hints === description.hints, 'the adapter has other hints than its description')
  check(adapter.names === description.names, 'the adapter has other rules of names than its description')
  check(adapter.widens === description.widens, 'the adapter widens other columns than its description')
  check((adapter.ddl === undefined) === (description.ddl === undefined), 'only one of adapter and description has ddl()')
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

/** Drops the tables of a rule, with another adapter if the rule has closed its own. */
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
