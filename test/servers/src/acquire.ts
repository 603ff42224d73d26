import type { Server } from './server.js'
import { launchers, type Connections, type ServerName } from './launchers.js'

/** A server that can be used, or why there is none. */
export type Acquired<Connection> =
  { readonly connection: Connection; readonly version: string } | { readonly missing: string; readonly connection?: never }

interface Held {
  readonly server: Promise<Server<unknown>>
  users: number
}

// One for the process, however often this module is loaded.
const registry = ((globalThis as Record<symbol, unknown>)[Symbol.for('rowkey.servers')] ??= new Map()) as Map<ServerName, Held>

/** The one server of this process by that name, started by whoever asks first: one of the user's own if the environment names it. */
export async function acquire<Name extends ServerName>(name: Name): Promise<Acquired<Connections[Name]>> {
  const launcher = launchers[name]
  const own = launcher.own?.()
  if (own !== undefined) return { connection: own, version: 'your own' }
  const missing = launcher.missing()
  if (missing !== undefined) return { missing }
  const held = registry.get(name) ?? { server: launcher.start(), users: 0 }
  registry.set(name, held)
  held.users++
  const { connection, version } = await held.server
  return { connection: connection as Connections[Name], version }
}

/** The last one who has acquired a server stops it. */
export async function release(name: ServerName): Promise<void> {
  const held = registry.get(name)
  if (held === undefined || --held.users > 0) return
  registry.delete(name)
  await (await held.server).stop()
}
