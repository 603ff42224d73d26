// Tested by ddl.test.ts.
import type { StoreWithDdl } from '@rowkey/store/adapter'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Failure } from './failure.js'

/** A store whose tables have definitions: its package is imported when it is asked for, because most projects have one. */
interface Store {
  readonly package: string
  readonly load: () => Promise<StoreWithDdl>
  readonly from: (module: object) => StoreWithDdl
}

const described = (name: string, load: () => Promise<object>): Store => {
  const from = (module: object): StoreWithDdl => (module as Readonly<Record<string, StoreWithDdl>>)[`${name}Store`] as StoreWithDdl
  return { package: `@rowkey/${name}`, load: async () => from(await load()), from }
}

const stores: Readonly<Record<string, Store>> = {
  cassandra: described('cassandra', () => import('@rowkey/cassandra')),
  dynamodb: described('dynamodb', () => import('@rowkey/dynamodb')),
  hbase: described('hbase', () => import('@rowkey/hbase')),
  redis: described('redis', () => import('@rowkey/redis')),
}
/** Stores that need no definition of a table, and why. */
const undefinedStores: Readonly<Record<string, string>> = {
  memory: 'The memory store has no table definitions: a table is there when it is first used.',
  lmdb: 'LMDB has no table definitions: ensureTables() writes a catalog, and rows are keys of one file.',
}

/** The names of all stores. */
export const storeNames: readonly string[] = Object.freeze([...Object.keys(stores), ...Object.keys(undefinedStores)])

/** Why a store has no table definitions; undefined for others. */
export const withoutDdl = (name: string): string | undefined => undefinedStores[name]

/**
 * The description of a store, from the installation of this package, or else from that of the project.
 *
 * @throws Failure if it is not installed
 */
export async function storeOf(name: string): Promise<StoreWithDdl> {
  const store = stores[name]
  if (store === undefined) throw new Failure(`there is no store '${name}'. There are: ${storeNames.join(', ')}.`)
  try {
    return await store.load()
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  try {
    const path = createRequire(join(process.cwd(), 'package.json')).resolve(store.package)
    return store.from((await import(pathToFileURL(path).href)) as object)
  } catch (error) {
    if (!isMissing(error)) throw error
    const [, missing = store.package] = /Cannot find (?:package|module) '([^']+)'/.exec((error as Error).message) ?? []
    const what = missing === store.package ? `${missing} is not installed` : `${store.package} needs ${missing}, which is not installed`
    throw new Failure(`${what}. Install it: npm install ${missing}.`, undefined, { cause: error })
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND')
