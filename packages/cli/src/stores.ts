// Tested by ddl.test.ts.
import type { StoreWithDdl } from '@rowkey/store/adapter'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Failure } from './failure.js'

/** Packages are imported when they are asked for, because most projects have one store. */
const stores: Readonly<Record<string, () => Promise<object>>> = {
  cassandra: () => import('@rowkey/cassandra'),
  dynamodb: () => import('@rowkey/dynamodb'),
  hbase: () => import('@rowkey/hbase'),
  redis: () => import('@rowkey/redis'),
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
 * @param folder of the project
 * @throws Failure if it is not installed
 */
export async function storeOf(name: string, folder: string): Promise<StoreWithDdl> {
  const load = stores[name]
  if (load === undefined) throw new Failure(`there is no store '${name}'. There are: ${storeNames.join(', ')}.`)
  const module = (await installed(`@rowkey/${name}`, load, folder)) as Readonly<Record<string, StoreWithDdl>>
  return module[`${name}Store`] as StoreWithDdl
}

/**
 * A package from the installation of this one, or else from that of the project.
 *
 * @throws Failure if it is not installed
 */
export async function installed<Module extends object>(name: string, load: () => Promise<Module>, folder: string): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  try {
    const path = createRequire(join(folder, 'package.json')).resolve(name)
    return (await import(pathToFileURL(path).href)) as Module
  } catch (error) {
    if (!isMissing(error)) throw error
    const [, missing = name] = /Cannot find (?:package|module) '([^']+)'/.exec((error as Error).message) ?? []
    const what = missing === name ? `${missing} is not installed` : `${name} needs ${missing}, which is not installed`
    throw new Failure(`${what}. Install it: npm install ${missing}.`, undefined, { cause: error })
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND')
