import { pause, storeUnavailable, type Cancellation } from '@rowkey/store/adapter'
import type { Session } from '../client/session.js'

/** How nodes are asked which definitions of tables they have. */
export type Nodes = Pick<Session, 'nodes' | 'schemaVersions'>

/** How long nodes are waited for, in milliseconds. */
export interface AgreementTimes {
  /** After this a node that does not answer for itself is taken for one that is down. */
  readonly patience: number
  /** After this those that do answer are given up. */
  readonly maxWait: number
  /** Between two looks. */
  readonly pause: number
}

const usual: AgreementTimes = { patience: 10_000, maxWait: 30_000, pause: 100 }

/**
 * Resolves when all nodes have the same definitions. Nodes say so of themselves and of each other; of one that is down the others only know
 * what it had before, so after a while only those count that answer. It catches up before it takes part again.
 *
 * @throws RowkeyError `STORE_UNAVAILABLE`; the reason of the cancellation
 */
export async function agreement(nodes: Nodes, cancellation?: Cancellation, times: AgreementTimes = usual): Promise<void> {
  for (const begin = performance.now(); ;) {
    const answers = await versionsOf(nodes, nodes.nodes())
    const own = answers.map((answer) => answer.own)
    const others = answers.flatMap((answer) => answer.others)
    const waited = performance.now() - begin
    if (own.length > 0 && isOne(waited < times.patience ? [...own, ...others] : own)) return
    if (waited > times.maxWait) {
      const said = new Error(`its nodes do not agree on what tables there are (${[...new Set(own)].join(', ') || 'none answers'})`)
      throw storeUnavailable('cassandra', 'refused', said)
    }
    await pause(times.pause, cancellation)
  }
}

/**
 * One of the nodes that answer, if they are half of all at least and have the same definitions now: what it lacks is not on its way. Another
 * one may have slept through a change, and answer again before it has caught up.
 */
export async function agreedNode(nodes: Nodes): Promise<string | undefined> {
  const all = nodes.nodes()
  const answers = await versionsOf(nodes, all)
  return 2 * answers.length >= all.length && isOne(answers.map(({ own }) => own)) ? answers[0]?.node : undefined
}

/** What a node says of itself and of the others. */
interface Versions {
  readonly node: string
  readonly own: string
  readonly others: readonly string[]
}

/** Of those that answer. */
async function versionsOf(nodes: Nodes, asked: readonly string[]): Promise<readonly Versions[]> {
  const unanswered = (): readonly string[] => []
  const answers = await Promise.all(
    asked.map(async (node) => {
      const [own, ...others] = await nodes.schemaVersions(node).catch(unanswered)
      return own === undefined ? [] : [{ node, own, others }]
    }),
  )
  return answers.flat()
}

const isOne = (versions: readonly string[]): boolean => new Set(versions).size <= 1
