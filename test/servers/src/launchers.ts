import type { Launcher } from './server.js'
import { stores } from './stores.js'

type ServersOf<Each> = Each extends { readonly servers: infer Servers } ? (servers: Servers) => void : never
/** The launchers of all stores. */
type Servers = ServersOf<(typeof stores)[number]> extends (servers: infer All) => void ? All : never

/** What a client of each server needs. */
export type Connections = {
  readonly [Name in keyof Servers]: Servers[Name] extends { start(): Promise<{ readonly connection: infer Connection }> }
    ? Connection
    : never
}

/** The name of a server. */
export type ServerName = keyof Connections

/** How each server is had. */
export const launchers = Object.assign({}, ...stores.map(({ servers }) => servers)) as {
  readonly [Name in ServerName]: Launcher<Connections[Name]>
}
