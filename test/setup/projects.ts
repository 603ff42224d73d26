import type { ServerName } from '../servers/src/launchers.js'
import { stores, testedAs, type Store } from '../servers/src/stores.js'

// What vitest.config.ts and the set-up of servers take from the list of stores.

/** The files of a store, or of all stores that work in the process, as globs. */
export interface StoreFiles {
  readonly include: readonly string[]
  /** What is there and not run: long tests in short runs, tests of a server that only a user can name. */
  readonly exclude: readonly string[]
}

/** The project that runs the suites over all stores. */
export const allStores = 'stores'
/** Projects that run a store's tests with another version of its driver. */
export const otherDrivers: Readonly<Record<string, string>> = { ioredis5: 'redis' }

/** Folders of tests that have a file for each server, or for a store that works in the process. */
const suites = 'test/{conformance,oracle,guides,history,written-before}'

/** Stores with servers have a project each, because its servers are started once. */
export const hasServers = ({ servers }: Store): boolean => Object.keys(servers).length > 0

/** The tests of one store. `isLong`: whether the run has what takes minutes. */
export function filesOfStore(store: Store, isLong: boolean): StoreFiles {
  const { name, servers } = store
  const isRun = (tested: string): boolean => servers[tested]?.isOwnOnly !== true || servers[tested].own?.() !== undefined
  const files = (tested: string): string => `${suites}/${tested}.test.ts`
  const [run, left] = [testedAs(store).filter(isRun), testedAs(store).filter((tested) => !isRun(tested))]
  return {
    include: [...run.map(files), `test/${name}/**/*.test.ts`],
    exclude: [...left.map(files), ...(isLong ? [] : [`test/${name}/long/**`])],
  }
}

/** The servers that a project starts. @throws Error for a project without servers */
export function serversOf(project: string, all: readonly Store[] = stores): readonly ServerName[] {
  const named = all.filter(({ name }) => project === allStores || name === (otherDrivers[project] ?? project))
  const servers = named.flatMap((store) =>
    Object.entries(store.servers).flatMap(([name, { isOwnOnly }]) => (project === allStores && isOwnOnly === true ? [] : [name])),
  )
  if (servers.length === 0) throw new Error(`no store of test/servers/src/stores.ts with servers is called ${project}`)
  return servers as readonly ServerName[]
}
