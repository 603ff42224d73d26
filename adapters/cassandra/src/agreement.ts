import { inTime, storeUnavailable, type Cancellation } from '@rowkey/store'
import type { Session } from './session.js'

/** How nodes are asked which definitions of tables they have. */
export type Nodes = Pick<Session, 'nodes' | 'schemaVersions'>

/** How long nodes are waited for, in milliseconds. */
export interface AgreementTimes {
  /** After this a node that does not answer for itself is taken for one that is down. */
  readonly patience: number
  /** After this those that do answer are given up. */
  readonly longest: number
  /** Between two looks. */
  readonly pause: number
}

const usual: AgreementTimes = { patience: 10_000, longest: 30_000, pause: 100 }

/**
 * Resolves when all nodes have the same definitions. Nodes say so of themselves and of each other; of one that is down the others only know
 * what it had before, so after a while only those count that answer. It catches up before it takes part again.
 *
 * @throws RowkeyError `STORE_UNAVAILABLE`; the reason of the cancellation
 */
export async function agreement(nodes: Nodes, cancellation?: Cancellation, times: AgreementTimes = usual): Promise<void> {
  for (const begin = performance.now(); ;) {
    const { own, others } = await versions(nodes)
    const waited = performance.now() - begin
    if (own.length > 0 && isOne(waited < times.patience ? [...own, ...others] : own)) return
    if (waited > times.longest) {
      const said = new Error(`its nodes do not agree on what tables there are (${[...new Set(own)].join(', ') || 'none answers'})`)
      throw storeUnavailable('cassandra', 'refused', said)
    }
    await rest(times.pause, cancellation)
  }
}

/** Whether all nodes that answer have the same definitions now: then what one of them lacks is not on its way. */
export async function isAgreed(nodes: Nodes): Promise<boolean> {
  return isOne((await versions(nodes)).own)
}

/** Waits. @throws the reason of the cancellation */
export function rest(ms: number, cancellation: Cancellation | undefined): Promise<void> {
  cancellation?.throwIfOver()
  return inTime(cancellation, new Promise((resolve) => setTimeout(resolve, ms)))
}

async function versions(nodes: Nodes): Promise<{ readonly own: readonly string[]; readonly others: readonly string[] }> {
  const unanswered = (): readonly string[] => []
  const answers = await Promise.all(nodes.nodes().map((node) => nodes.schemaVersions(node).catch(unanswered)))
  const answered = answers.filter((known) => known.length > 0)
  return { own: answered.map(([own]) => own as string), others: answered.flatMap(([, ...others]) => others) }
}

const isOne = (versions: readonly string[]): boolean => new Set(versions).size <= 1
