// Also tested by ddl.test.ts and stores-commands.test.ts.
import { knownStores, type StoreDescription, type StoreFacts, type StoreWithDdl } from 'rowkey/adapter'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Failure } from './failure.js'
import { storeNames, stores } from './store-list.js'

/** The stores that the advisor knows, and those that can be opened. */
export const judgedStores: readonly string[] = [...new Set<string>([...Object.keys(knownStores), ...storeNames])].sort()

/** What is known of a store without its package. */
export const knownFacts = (name: string): StoreFacts | undefined =>
  Object.hasOwn(knownStores, name) ? knownStores[name as keyof typeof knownStores] : undefined

/** Why a store has no table definitions; undefined for others. @throws Failure if its package is not installed */
export async function withoutDdl(name: string, folder: string): Promise<string | undefined> {
  const facts = knownFacts(name)
  if (facts !== undefined) return facts.noDefinitions
  const { facts: own, ddl } = await storeOf(name, folder)
  return ddl === undefined ? (own?.noDefinitions ?? `${own?.title ?? name} has no table definitions.`) : undefined
}

/** The description of a store that has table definitions. @throws Failure if it is not installed */
export const storeWithDdl = async (name: string, folder: string): Promise<StoreWithDdl> => (await storeOf(name, folder)) as StoreWithDdl

/**
 * The description of a store, from the installation of this package, or else from that of the project.
 *
 * @param folder of the project
 * @throws Failure if it is not installed
 */
export const storeOf = async (name: string, folder: string): Promise<StoreDescription> =>
  (await exportsOf(name, folder))[`${name}Store`] as StoreDescription

/** All that the package of a store exports. @throws Failure if it is not installed */
export async function exportsOf(name: string, folder: string): Promise<Readonly<Record<string, unknown>>> {
  const from = stores[name]?.package
  if (from === undefined) throw new Failure(`there is no store '${name}'. There are: ${storeNames.join(', ')}.`)
  return (await installed(from, folder)) as Readonly<Record<string, unknown>>
}

/**
 * A package from the installation of this one, or else from that of the project.
 *
 * @throws Failure if it is not installed
 */
export async function installed(name: string, folder: string): Promise<object> {
  try {
    return (await import(name)) as object
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  try {
    const path = createRequire(join(folder, 'package.json')).resolve(name)
    return (await import(pathToFileURL(path).href)) as object
  } catch (error) {
    if (!isMissing(error)) throw error
    // Node.js names a missing package only in its text.
    const [, missing = name] = /Cannot find (?:package|module) '([^']+)'/.exec((error as Error).message) ?? []
    const what = missing === name ? `${missing} is not installed` : `${name} needs ${missing}, which is not installed`
    throw new Failure(`${what}. Install it: npm install ${missing}.`, undefined, { cause: error })
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND')
