import { isRowkeyError } from '#codec'
import type { StoreDescription } from '#store/adapter'
import { RuleBroken, thrown } from '../check.js'
import { OracleMismatch } from '../oracle/mismatch.js'
import { oraclePool } from '../oracle/pool.js'
import { createOpen, openAdapter, type CreateAdapter } from '../open-adapter.js'
import { within } from '../suite/patience.js'
import { firstOfEachId, isWithin, type RuleSize } from '../suite/sizes.js'
import { suiteTests, type SuiteTest } from '../suite-tests.js'
import type { CallLatency } from './latency.js'
import { Scratch, type Gate } from './scratch.js'

/** What {@link checkup} is to check, and how. */
export interface CheckupOptions {
  /** Called for every rule, also concurrently, and to clean up. The adapters may share a client, whose connection should be a new one after a failure. */
  readonly createAdapter: CreateAdapter
  /** Begins the names of all tables. No other table is touched. */
  readonly prefix: string
  readonly description?: StoreDescription
  /**
   * The largest rules that are tested. Default `large`: thousands of rows, not tens of thousands. `quick`: of the small ones, the first of each id of
   * the contract.
   */
  readonly size?: RuleSize | 'quick'
  /** Of these, only those whose titles contain this text. */
  readonly only?: string
  /** Of the oracle. */
  readonly seed: number
  /** Random tables of the oracle, which is ten queries on each. Default 6, and 2 if it is quick. */
  readonly layouts?: number
  /** Milliseconds that a rule may take, after which it has failed. Default 120,000. */
  readonly limit?: number
  /** Milliseconds within which a store that has failed a rule must show that it still answers. Default 20,000. */
  readonly probe?: number
  /** Rules that are tested at a time. Default 1. */
  readonly parallel?: number
  /** Ends it: rules under way are given up, and everything is cleaned up. */
  readonly signal?: AbortSignal
  /** Called before each rule, with how many have ended, of how many. */
  onRule?(title: string, ended: number, all: number): void
  onVerdict?(verdict: Verdict): void
}

/** What has become of a rule. */
export interface Verdict {
  readonly rule: string
  /** `refused`: the store declares to lack what it needs, and refuses it. */
  readonly verdict: 'passed' | 'refused' | 'failed'
  /** Why it need not hold, or what was expected and seen. */
  readonly because?: string
  readonly milliseconds: number
}

/** The result of a checkup. */
export interface CheckupReport {
  readonly verdicts: readonly Verdict[]
  /** Rules that were not tested, or not to their end, because it was ended or because the store does not answer any more. */
  readonly notRun: readonly string[]
  /** Why the rest was not tested, if nobody ended it. */
  readonly stopped?: string
  readonly latencies: readonly CallLatency[]
  /** Tables that could not be dropped. */
  readonly left: readonly string[]
}

/** How long calls under way are waited for before tables are dropped, in milliseconds. */
const underWayMs = 15_000
const silentMs = 2000
const usualLimit = 120_000
const queriesPerTable = 10

/** Max characters of a table's name after the prefix. */
export const checkupNameLength = 28

/** The titles of what a checkup tests, in order. */
export const checkupTitles = (options: Omit<CheckupOptions, 'createAdapter'>): readonly string[] =>
  testsOf(options).map(({ title }) => title)

/**
 * Tests a store by the rules of {@link conformance} and by a short oracle, without a test runner: with a verdict for each rule, a limit of its time, and
 * nothing left at the end.
 *
 * Resolves also if the store fails in the middle: that is a failed rule, and what could not be dropped is in the report.
 *
 * @example
 * ```ts
 * const { verdicts, left } = await checkup({ createAdapter: () => memory(), prefix: 'scratch_', seed: 7 })
 * ```
 */
export async function checkup(options: CheckupOptions): Promise<CheckupReport> {
  const { createAdapter, prefix, limit = usualLimit, probe = 20_000, parallel = 1, signal, onRule, onVerdict } = options
  const scratch = new Scratch(prefix)
  const tests = testsOf(options)
  const waiting = [...tests]
  const verdicts = new Map<SuiteTest, Verdict>()
  let stopped: string | undefined
  const isOver = (): boolean => signal?.aborted === true
  const work = async (): Promise<void> => {
    for (let test = waiting.shift(); test !== undefined && !isOver(); test = waiting.shift()) {
      onRule?.(test.title, verdicts.size, tests.length)
      const verdict = await judged(test, scratch, createAdapter, limit, signal)
      if (verdict === undefined) return
      verdicts.set(test, verdict)
      onVerdict?.(verdict)
      if (verdict.verdict !== 'failed' || stopped !== undefined) continue
      const silence = await untilOver(answers(createAdapter, prefix), probe, signal).then(() => undefined, reasonOf)
      if (silence === undefined || isOver()) continue
      stopped ??= silence
      waiting.length = 0
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  // A store that is silent does not answer what is under way either.
  await scratch.settled(stopped === undefined ? underWayMs : silentMs)
  const opened: (() => Promise<void>)[] = []
  const left = await scratch.clean(
    async () => {
      const { adapter, end } = await openAdapter(createAdapter)
      opened.push(end)
      return adapter
    },
    stopped === undefined ? limit : probe,
  )
  for (const end of opened) await within(silentMs, 'closing', end()).catch(() => undefined)
  return {
    verdicts: tests.flatMap((test) => verdicts.get(test) ?? []),
    notRun: tests.filter((test) => !verdicts.has(test)).map(({ title }) => title),
    ...(stopped === undefined ? {} : { stopped }),
    latencies: scratch.latencies.list(),
    left,
  }
}

/** The rules of a size, and the tables of the oracle. */
function testsOf(options: Omit<CheckupOptions, 'createAdapter'>): readonly SuiteTest[] {
  const { prefix, description, size = 'large', only = '', seed, limit = usualLimit } = options
  const isQuick = size === 'quick'
  const { layouts = isQuick ? 2 : 6 } = options
  const all = suiteTests({ description, prefix, patience: Math.min(30_000, limit), countWork: true })
  const sized = all.filter(({ title }) => isWithin(title, isQuick ? 'small' : size))
  const first = firstOfEachId(sized.map(({ title }) => title))
  const rules = isQuick ? sized.filter(({ title }) => first.has(title)) : sized
  const random = Array.from({ length: layouts }, (_, i): SuiteTest => ({
    title: `oracle: random queries return the rows that they must, in order, seed ${seed + i}`,
    async run({ create }) {
      const given = { createAdapter: create, seed: seed + i, queries: queriesPerTable, layouts: 1 }
      await oraclePool({ ...given, prefix: `${prefix}o${i}_`, shrinkMs: limit / 4 })
      return undefined
    },
  }))
  return [...rules, ...random].filter(({ title }) => title.includes(only))
}

/** The verdict of a rule; undefined if it was given up because the caller has ended the checkup. */
async function judged(
  { title, run, onlyLooks }: SuiteTest,
  scratch: Scratch,
  createAdapter: CreateAdapter,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<Verdict | undefined> {
  const gate: Gate = {}
  const create: CreateAdapter = async () => {
    const opened = await createOpen(createAdapter)
    return { ...opened, adapter: scratch.guarded(opened.adapter, gate) }
  }
  const begin = performance.now()
  const verdict = (kind: Verdict['verdict'], because?: string): Verdict => ({
    rule: title,
    verdict: kind,
    ...(because === undefined ? {} : { because }),
    milliseconds: Math.round(performance.now() - begin),
  })
  try {
    const because = await untilOver(run({ create: onlyLooks === true ? createAdapter : create }), limit, signal)
    return because === undefined ? verdict('passed') : verdict('refused', because)
  } catch (error) {
    gate.closed = new RuleBroken(`'${title}' has ended`)
    return signal?.aborted === true ? undefined : verdict('failed', reasonOf(error))
  }
}

/** The result of a rule, unless its time is over or the caller ends everything. */
async function untilOver<T>(work: Promise<T>, limit: number, signal: AbortSignal | undefined): Promise<T> {
  let [timer, abort]: [ReturnType<typeof setTimeout> | undefined, (() => void) | undefined] = [undefined, undefined]
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new RuleBroken(`it has not ended within ${limit / 1000} s`))
    }, limit)
    abort = () => {
      reject(new RuleBroken('it was interrupted'))
    }
    signal?.addEventListener('abort', abort)
  })
  work.catch(() => undefined)
  try {
    return await Promise.race([work, over])
  } finally {
    clearTimeout(timer)
    if (abort !== undefined) signal?.removeEventListener('abort', abort)
  }
}

/** Resolves if the store still answers. */
async function answers(createAdapter: CreateAdapter, prefix: string): Promise<void> {
  const { adapter, end } = await openAdapter(createAdapter)
  try {
    await adapter.describeTable(`${prefix}none`)
  } finally {
    await end()
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof RuleBroken || error instanceof OracleMismatch) return error.message
  return isRowkeyError(error) ? `${error.code}: ${error.message}` : thrown(error)
}
