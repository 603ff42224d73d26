import { pause, showNames, storeUnavailable, type Cancellation } from 'rowkey/adapter'
import type { Session } from './session.js'

/** Asks nodes for the version of their definitions of tables. */
export type Nodes = Pick<Session, 'nodes' | 'schemaVersions'>

/** How long nodes are waited for, in milliseconds. */
export interface AgreementTimes {
  /** After this, a node that does not answer is considered down. */
  readonly patience: number
  /** After this, waiting for nodes that do answer ends with an error. */
  readonly maxWait: number
  /** Between two looks. */
  readonly pause: number
}

const usual: AgreementTimes = { patience: 10_000, maxWait: 30_000, pause: 100 }

/**
 * Resolves when all nodes have the same definitions of tables. Each node reports its own version and those of the others. If a node is down, the
 * others report its last version, so after `patience` only what nodes say of themselves counts. A node that comes back catches up first.
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
      const said = new Error(
        `its nodes have different definitions of tables (schema versions: ${showNames([...new Set(own)]) || 'no node answers'})`,
      )
      throw storeUnavailable('cassandra', 'refused', said)
    }
    await pause(times.pause, cancellation)
  }
}

/**
 * Returns a node whose definitions are certainly current; undefined if there is none. At least half of the nodes must answer, and all that do
 * must have the same version. A single node may have missed a change, and answer before it has caught up.
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

/** The answers; nodes that do not answer are left out. */
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
