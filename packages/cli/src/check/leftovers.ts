// Tested by check.test.ts and test/stores/check.test.ts.
import type { Shell } from '../shell.js'
import type { CheckFlags } from './check-options.js'
import type { StoreClients } from './store-clients.js'

/** What a check may leave in a store, and how it is removed. */
export class Leftovers {
  private readonly clients: StoreClients
  private readonly prefix: string
  private readonly shell: Shell
  /** The command that removes what is left. */
  private readonly removal: string
  /** Whether the check creates the table that all tables share. */
  private isSharedNew = false

  constructor(clients: StoreClients, { quick, full, only, seed }: CheckFlags, prefix: string, shell: Shell) {
    this.clients = clients
    this.prefix = prefix
    this.shell = shell
    const size = quick === true ? ' --quick' : full === true ? ' --full' : ''
    const which = only === undefined ? '' : ` --only '${only}'`
    this.removal = `rowkey check '${clients.url}' --remove ${prefix} --seed ${seed}${size}${which}`
  }

  /** Before the first table is created. */
  async begin(): Promise<void> {
    const shared = await this.clients.shared()
    this.isSharedNew = shared !== undefined && !(await shared.isThere())
    this.shell.host?.once('exit', this.onExit)
  }

  /** After all tables were dropped but some. Resolves to all that is left. */
  async end(tables: readonly string[]): Promise<readonly string[]> {
    const left = [...tables, ...(await this.forgotten(tables.length > 0))]
    this.shell.host?.off('exit', this.onExit)
    return left
  }

  text(left: readonly string[]): string {
    return left.length === 0 ? 'Nothing of it is left.' : `${left.join(', ')} could not be removed. Remove it: ${this.removal}`
  }

  /** Drops the shared table if it is new and empty; otherwise deletes what it has of the check's tables. */
  private async forgotten(areTablesLeft: boolean): Promise<readonly string[]> {
    if (areTablesLeft) return []
    try {
      const shared = await this.clients.shared()
      await shared?.forget(this.prefix, this.isSharedNew)
      return []
    } catch {
      return [`what the catalog of tables has of ${this.prefix}…`]
    }
  }

  /** A second Ctrl-C ends the process where it is. */
  private readonly onExit = (): void => {
    this.shell.tell(`rowkey: tables ${this.prefix}… may be left. Remove them: ${this.removal}`)
  }
}
