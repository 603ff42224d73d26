import type { Connections, ServerName } from '@rowkey/servers'
import { acquire, release } from '@rowkey/servers'

/** Servers of an example: yours if the environment names them, else what this machine has. */
export class Servers {
  private readonly held: ServerName[] = []
  readonly missing = new Map<ServerName, string>()

  /** undefined if there is none; `missing` says why. */
  async connect<Name extends ServerName>(
    name: Name,
  ): Promise<{ readonly connection: Connections[Name]; readonly version: string } | undefined> {
    const server = await acquire(name)
    if ('missing' in server) {
      this.missing.set(name, server.missing)
      return undefined
    }
    this.held.push(name)
    return server
  }

  async stop(): Promise<void> {
    await Promise.all(this.held.map(release))
  }
}
