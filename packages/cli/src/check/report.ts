// Tested by check.test.ts.
import { release, type } from 'node:os'
import type { Capabilities } from 'rowkey/adapter'
import type { CheckupOptions, CheckupReport } from 'rowkey/conformance'
import type { Shell } from '../shell.js'
import { withoutSecrets } from '../text/secrets.js'
import { version } from '../version.js'

/** What was checked. */
export interface CheckedStore {
  readonly name: string
  /** The parameters of its URL, which say what a server has. */
  readonly options: string
  /** As the store tells it; null if it tells nothing. */
  readonly product: string | null
  readonly capabilities: Capabilities
}

/** How it was checked. */
export type CheckSettings = Pick<CheckupOptions, 'prefix' | 'seed' | 'size' | 'only'>

/** How many rules have which verdict. */
export interface Counts {
  readonly passed: number
  readonly refused: number
  readonly failed: number
  readonly notRun: number
}

export function countsOf({ verdicts, notRun }: Pick<CheckupReport, 'verdicts' | 'notRun'>): Counts {
  const count = (kind: string): number => verdicts.filter(({ verdict }) => verdict === kind).length
  return { passed: count('passed'), refused: count('refused'), failed: count('failed'), notRun: notRun.length }
}

/** What a check says of a store, for a program or for who maintains rowkey. It has no host but in what the store itself has said. */
export interface CheckReport extends CheckupReport {
  readonly versions: { readonly rowkey: string; readonly node: string; readonly system: string }
  readonly store: CheckedStore
  readonly check: CheckSettings & { readonly seconds: number }
  readonly counts: Counts
}

export function reportOf(report: CheckupReport, store: CheckedStore, settings: CheckSettings, seconds: number): CheckReport {
  const { prefix, seed, size = 'large', only } = settings
  return {
    versions: { rowkey: version(), node: process.version, system: `${type()} ${release()}` },
    store,
    check: { prefix, seed, size, ...(only === undefined ? {} : { only }), seconds },
    counts: countsOf(report),
    ...report,
  }
}

/** A report without credentials of the environment. */
export const withoutCredentials = (report: CheckupReport, env: Shell['env']): CheckupReport => ({
  ...report,
  ...(report.stopped === undefined ? {} : { stopped: withoutSecrets(report.stopped, env) }),
  verdicts: report.verdicts.map((each) => (each.because === undefined ? each : { ...each, because: withoutSecrets(each.because, env) })),
})
