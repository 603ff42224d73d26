import { foldersOf, stores, type Connections, type ServerName } from '@rowkey/servers'
import type { Adapter } from 'rowkey'

/** An adapter of a store, and how its client ends. */
export interface Opened {
  readonly adapter: Adapter
  close(): unknown
}

/** What suites over all stores ask of each: `open.ts` in a store's folder of tests exports it as `kit`. */
export interface StoreKit {
  /** The function that makes its adapter, with arguments of the right form that connect to nothing. */
  readonly factory: readonly [args: readonly unknown[], call: (...args: never[]) => unknown]
  /** Its adapter with a client that connects to nothing: it tells what it can do. */
  offline(): Adapter
  /** Its adapter on each of its servers; none if it works in the process. */
  readonly on: { readonly [Name in ServerName]?: (connection: Connections[Name]) => Opened | Promise<Opened> }
  /** How much of the work of random tests a server is given, from 0 to 1; all by default. */
  readonly share?: Readonly<Partial<Record<ServerName, number>>>
}

/** The kit of a store. */
export const kitOf = async (store: string): Promise<StoreKit> => {
  const { tests } = foldersOf(stores.find(({ name }) => name === store) ?? { name: store })
  const { kit } = (await import(new URL(`../../${tests}/open.ts`, import.meta.url).href)) as { readonly kit: StoreKit }
  return kit
}
