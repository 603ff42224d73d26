import type { ServerName } from '../servers/src/launchers.js'
import { isShort } from '../servers/src/scale.js'
import { foldersOf, stores, testedAs, type Store } from '../servers/src/stores.js'

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
const otherDrivers: Readonly<Record<string, string>> = { ioredis5: 'redis' }

/** The servers of projects that are no store. */
const ofTools: Readonly<Record<string, readonly ServerName[]>> = { 'cli-stores': ['redis', 'dynalite', 'cassandra', 'hbase', 'kudu'] }

/** The store whose servers a project has; the client of a store is `<name>-client`. */
const storeOf = (project: string): string => otherDrivers[project] ?? project.replace(/-client$/, '')

/** Tests of tools, of processes that are interrupted, and of what a compiler says, which take long and which few changes can break. */
export const leftToGate: readonly string[] = [
  'adapters/dynamodb/test/oracle-dynalite.test.ts',
  'adapters/hbase/test/changed-often.test.ts',
  'adapters/redis/test/conformance-cluster.test.ts',
  'adapters/redis/test/oracle-cluster.test.ts',
  'packages/cli/test/servers/faults.test.ts',
  'packages/cli/test/servers/interrupted.test.ts',
  'packages/cli/test/stores-full-disk.test.ts',
  'packages/cli/test/stores-interrupted.test.ts',
  'packages/rowkey/test/conformance/restless.test.ts',
  'packages/rowkey/test/conformance/wrong.test.ts',
  'test/bench/duel.test.ts',
  'test/examples/start.test.ts',
  'test/history/history.test.ts',
  'test/house/kinds.test.ts',
  'test/house/new-store.test.ts',
  'test/packaging/doc-comments.test.ts',
  'test/packaging/pack-all.test.ts',
  'test/smoke/linear.test.ts',
  'test/types/declarations.test.ts',
  'test/types/mistakes.test.ts',
]

/** Whether this run leaves out something: it is short, and nobody has named files. */
const leavesOut = isShort && process.env['ROWKEY_TEST_WHOLE'] === '1'

export const leftOut: readonly string[] = leavesOut ? leftToGate : []

const testsOf = (room: string): string => `packages/rowkey/test/${room}`
/** Of the tests that the project `generated` repeats with code that is hot from the start, those that a fault of such code fails first. */
const repeated: readonly string[] = ['malformed', 'order', 'properties'].map((name) => `${testsOf('codec')}/${name}.test.ts`)

/** The tests with code that is hot from the start: those of codec and formats; in short runs some, and those that have no other project. */
export const filesOfGenerated = (isPart: boolean = leavesOut): StoreFiles => ({
  include: isPart ? [`${testsOf('codec')}/generated/**/*.test.ts`, ...repeated] : [`${testsOf('{codec,formats}')}/**/*.test.ts`],
  exclude: [`${testsOf('codec')}/codegen.test.ts`], // it is about layouts that are not hot yet
})

/** The tests of Redis with its other client; in short runs the suite. */
export const filesOfIoredis5 = (isPart: boolean = leavesOut): StoreFiles => ({
  include: [`adapters/redis/test/${isPart ? 'conformance' : '**/*'}.test.ts`],
  exclude: ['adapters/redis/test/{oracle,guides,history,written-before}*.test.ts'], // not of the client
})

/** Suites of which a store has a file for each of its servers. */
const suites = '{conformance,oracle,guides,history,written-before}'

/** The file of a suite, or a glob, on one server or on a store that works in the process: that of the store's own name has no ending. */
export const fileOnServer = (store: Store, tested: string, suite: string): string =>
  `${foldersOf(store).tests}/${suite}${tested === store.name ? '' : `-${tested.replace(`${store.name}-`, '')}`}.test.ts`

/** Stores with servers have a project each, because its servers are started once. */
export const hasServers = ({ servers }: Store): boolean => Object.keys(servers).length > 0

/** The tests of one store. `isLong`: whether the run has what takes minutes. */
export function filesOfStore(store: Store, isLong: boolean): StoreFiles {
  const { servers } = store
  const { tests } = foldersOf(store)
  const isRun = (tested: string): boolean => servers[tested]?.isOwnOnly !== true || servers[tested].own?.() !== undefined
  const left = testedAs(store).filter((tested) => !isRun(tested))
  return {
    include: [`${tests}/**/*.test.ts`],
    exclude: [...left.map((tested) => fileOnServer(store, tested, suites)), ...(isLong ? [] : [`${tests}/long/**`])],
  }
}

/** The servers that a project starts. @throws Error for a project without servers */
export function serversOf(project: string, all: readonly Store[] = stores): readonly ServerName[] {
  if (Object.hasOwn(ofTools, project)) return ofTools[project] ?? []
  const named = all.filter(({ name }) => project === allStores || name === storeOf(project))
  const servers = named.flatMap((store) =>
    Object.entries(store.servers).flatMap(([name, { isOwnOnly }]) => (project === allStores && isOwnOnly === true ? [] : [name])),
  )
  if (servers.length === 0) throw new Error(`no store of test/servers/src/stores.ts with servers is called ${project}`)
  return servers as readonly ServerName[]
}
