import type { Adapter } from 'rowkey'
import { stores } from '@rowkey/servers'
import { Servers } from './servers.js'

/** What a file of a store in this folder opens: its adapter on a server of this machine, or in this process. */
export interface OpenStore {
  readonly version: string
  readonly adapter: Adapter
  close(): unknown
}

/** undefined if its server is missing. `needsTransactions`: of servers that stand in for a service, the one that has them. */
export type Open = (servers: Servers, needsTransactions: boolean) => Promise<OpenStore | undefined>

/** Every store that can be had on this machine. */
export interface OpenStores {
  readonly open: readonly (OpenStore & { readonly name: string })[]
  readonly missing: ReadonlyMap<string, string>
  /** Disconnects the clients and stops what was started. */
  stop(): Promise<void>
}

/** Opens all stores that have a file here. */
export async function openStores(needsTransactions = false): Promise<OpenStores> {
  const servers = new Servers()
  const open: (OpenStore & { readonly name: string })[] = []
  for (const { name } of stores) {
    const file = (await import(`./${name}.js`)) as { readonly open: Open }
    const opened = await file.open(servers, needsTransactions)
    if (opened !== undefined) open.push({ name, ...opened })
  }
  return {
    open,
    missing: servers.missing,
    async stop() {
      for (const { close } of open) await close()
      await servers.stop()
    },
  }
}
