import type { CassandraConnection } from '@rowkey/servers'
import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { build as buildProjects } from '../../../test/setup/build.js'

/** Builds what children run: they are plain Node.js, without the test runner. */
export const build = (): void => buildProjects('adapters/cassandra', 'packages/rowkey')

/** What became of calls, and of those what must not be. */
export interface Seen {
  readonly seen: Readonly<Record<string, number>>
  readonly bad: readonly string[]
}

/** Processes that make one table grow, then drop it and make it anew, all at once in each phase of a round. */
export async function race(store: CassandraConnection & { readonly keyspace: string }, processes: number, rounds: number): Promise<Seen> {
  const program = fileURLToPath(new URL('racing.mjs', import.meta.url))
  const children = Array.from({ length: processes }, (_, id) =>
    fork(program, [JSON.stringify({ ...store, id, processes, changes: rounds > 1 ? 5 : 2 })], { execArgv: [] }),
  )
  const all = async (message: object): Promise<readonly Seen[]> =>
    Promise.all(children.map(async (child) => (await answered(child, message)) as Seen))
  const found: Seen[] = []
  try {
    for (let round = 0; round < rounds; round++) {
      for (const phase of ['grow', 'look', 'churn', 'after']) found.push(...(await all({ phase, round })))
    }
  } finally {
    for (const child of children) child.kill('SIGKILL')
  }
  const seen: Record<string, number> = {}
  for (const one of found) for (const [what, count] of Object.entries(one.seen)) seen[what] = (seen[what] ?? 0) + count
  return { seen, bad: found.flatMap(({ bad }) => bad) }
}

function answered(child: ChildProcess, message: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void => {
      reject(new Error(`a process ended by itself (${code})`))
    }
    child.once('exit', ended)
    child.once('message', (answer) => {
      child.off('exit', ended)
      resolve(answer)
    })
    child.send(message)
  })
}
