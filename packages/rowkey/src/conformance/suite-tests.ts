// Tested by conformance.test.ts, wrong.test.ts and checkup.test.ts.
import type { Adapter, Capabilities, StoreDescription, SupportsDdl } from '#store/adapter'
import { check, same } from './check.js'
import { openAdapter, type CreateAdapter, type Session } from './open-adapter.js'
import { rules } from './rules/rules.js'
import { within } from './suite/patience.js'
import { refusals } from './suite/refusals.js'
import { lackOf, type Rule } from './suite/rule.js'
import { createWorld, type World } from './suite/world.js'

/** What all tests of a run share. */
export interface SuiteOptions {
  readonly capabilities?: Partial<Capabilities> | undefined
  readonly description?: StoreDescription | undefined
  /** Begins the names of all tables. */
  readonly prefix: string
  readonly patience: number
  readonly countWork: boolean
}

/** How a test gets its adapter. */
interface Sessions {
  readonly create: CreateAdapter
  /** The adapter of all tests, which somebody else closes; absent: each makes its own. */
  readonly shared?: (() => Promise<Session>) | undefined
}

/** The test of one rule. */
export interface SuiteTest {
  readonly title: string
  /** It only looks at the adapter, which has to be the store's own. */
  readonly onlyLooks?: true
  /** Resolves to why the store need not follow the rule, after it has refused what it lacks; undefined if it must. @throws RuleBroken */
  run(sessions: Sessions): Promise<string | undefined>
}

/** A test for every rule, in the order of the store contract. */
export function suiteTests({ capabilities = {}, description, prefix, patience, countWork }: SuiteOptions): readonly SuiteTest[] {
  const declared = onAdapter('SCAN-6: the adapter declares the capabilities it is tested for', (adapter) => {
    const own: Readonly<Record<string, unknown>> = { ...adapter.capabilities }
    for (const [name, value] of Object.entries(capabilities)) same(own[name], value, `capabilities.${name}`)
    check(/^[a-z][a-z0-9-]*$/.test(adapter.name), `the name of an adapter is lower-case, not ${adapter.name}`)
  })
  const described =
    description === undefined
      ? []
      : [
          onAdapter('ADAPTER-18: the adapter is what the description of its store says', (adapter) => {
            checkDescribed(adapter, description)
          }),
        ]
  const ofRules = rules.map((each, i): SuiteTest => ({
    title: each.title,
    async run({ create, shared }) {
      const session = await (shared === undefined || each.alone === true ? openAdapter(create) : shared())
      const { world, names } = createWorld(session, `${prefix}${i}_`, patience, countWork)
      const tidied = (): Promise<void> =>
        within(patience, 'tidying up', tidy(names, each, session, create, shared !== undefined && each.alone !== true))
      let because: string | undefined
      try {
        because = await run(each, world)
      } catch (error) {
        await tidied().catch(() => undefined) // the broken rule is the one to report
        throw error
      }
      await tidied()
      return because
    },
  }))
  return [declared, ...described, ...ofRules]
}

/** A test that only looks at the adapter. */
function onAdapter(title: string, look: (adapter: Adapter & Partial<SupportsDdl>) => void): SuiteTest {
  return {
    title,
    onlyLooks: true,
    async run({ create, shared }) {
      const session = await (shared === undefined ? openAdapter(create) : shared())
      try {
        look(session.adapter)
      } finally {
        if (shared === undefined) await session.end()
      }
      return undefined
    },
  }
}

function checkDescribed(adapter: Adapter & Partial<SupportsDdl>, description: StoreDescription): void {
  same(adapter.name, description.name, 'the name')
  same(adapter.capabilities, description.capabilities, 'the capabilities')
  check(adapter.hints === description.hints, 'the adapter has other hints than its description')
  check(adapter.names === description.names, 'the adapter has other rules of names than its description')
  check(adapter.widens === description.widens, 'the adapter widens other columns than its description')
  check((adapter.ddl === undefined) === (description.ddl === undefined), 'only one of adapter and description has ddl()')
}

async function run(each: Rule, world: World): Promise<string | undefined> {
  for (const need of each.needs) {
    const because = lackOf(need, world.adapter.capabilities)
    if (because === undefined) continue
    await refusals[need](world)
    return because
  }
  await each.run(world)
  return undefined
}

/** Drops the tables of a rule, with another adapter if the rule has closed its own. */
async function tidy(names: ReadonlySet<string>, each: Rule, session: Session, create: CreateAdapter, isShared: boolean): Promise<void> {
  const dropAll = async ({ adapter }: { readonly adapter: Adapter }): Promise<void> => {
    for (const name of names) await adapter.dropTable(name)
  }
  if (each.alone !== true) await dropAll(session)
  if (isShared) return
  await session.end()
  if (each.alone !== true) return
  const other = await openAdapter(create)
  await dropAll(other)
  await other.end()
}
