import type { Launcher } from './server.js'
import { cassandra } from './cassandra/cassandra.js'
import { dynalite } from './dynamodb/dynalite.js'
import { moto } from './dynamodb/moto.js'
import { ownDynamodb } from './dynamodb/own.js'
import { hbase } from './hbase/hbase.js'
import { kudu } from './kudu/kudu.js'
import { redisCluster } from './redis/cluster.js'
import { redis } from './redis/redis.js'

/** A kind of store that has an adapter. */
export interface Store {
  /** The adapter's folder in `adapters`, its package `@rowkey/<name>`, its folder in `test`, and the project of its tests. */
  readonly name: string
  /** Its adapter is part of the package `rowkey`. */
  readonly isBuiltIn?: true
  /** What docs/guides-coverage.md calls it. */
  readonly letter: string
  /** The servers on which its tests run, by the name of their test files. None: it works in the process, and the files have its own name. */
  readonly servers: Readonly<Record<string, Omit<Launcher<unknown>, 'start'>>>
  /** Its servers are emulations that complement each other: what one of them shows is shown. */
  readonly isEmulated?: true
}

/**
 * The one list of stores. The projects of vitest.config.ts, the servers of a run, the suites over all stores, the table of results, the examples and
 * the tests of the pages read it. See "An adapter" in CONTRIBUTING.md.
 */
export const stores = [
  { name: 'memory', letter: 'M', servers: {}, isBuiltIn: true },
  { name: 'lmdb', letter: 'L', servers: {} },
  { name: 'redis', letter: 'R', servers: { redis, 'redis-cluster': redisCluster } },
  { name: 'dynamodb', letter: 'D', servers: { dynalite, moto, dynamodb: ownDynamodb }, isEmulated: true },
  { name: 'cassandra', letter: 'C', servers: { cassandra } },
  { name: 'hbase', letter: 'H', servers: { hbase } },
  { name: 'kudu', letter: 'K', servers: { kudu } },
] as const satisfies readonly Store[]

/** The names under which the suites test a store: those of its servers, or its own. */
export function testedAs({ name, servers }: Store): readonly string[] {
  const names = Object.keys(servers)
  return names.length === 0 ? [name] : names
}

/** Where the sources and the tests of a store's adapter are. */
export const foldersOf = ({ name, isBuiltIn }: Pick<Store, 'name' | 'isBuiltIn'>): { readonly sources: string; readonly tests: string } =>
  isBuiltIn === true
    ? { sources: `packages/rowkey/src/${name}`, tests: `packages/rowkey/test/${name}` }
    : { sources: `adapters/${name}/src`, tests: `adapters/${name}/test` }
