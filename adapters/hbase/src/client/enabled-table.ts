import { HBaseError, type HBaseClient } from '@rowkey/hbase-client'

/** How long an answer is good for, in milliseconds. */
const maxAge = 1000

/**
 * Whether a table is enabled. The gateway refuses one row of a disabled table immediately, but repeats a request with several rows for minutes. So the server
 * is asked before one is sent, at most once a second.
 */
export class EnabledTable {
  private readonly client: HBaseClient
  private readonly table: string
  private askedAt = -Infinity

  constructor(client: HBaseClient, table: string) {
    this.client = client
    this.table = table
  }

  /** Whether the last answer is too old. */
  get isDue(): boolean {
    return performance.now() - this.askedAt >= maxAge
  }

  /** @throws HBaseError as that of a single row, if the server says that the table is disabled */
  async check(): Promise<void> {
    const isEnabled = await this.ask()
    if (isEnabled === undefined) return // what is wrong shows when the rows are sent
    if (!isEnabled) {
      const serverMessage = `${this.table} is disabled.`
      throw new HBaseError('SERVER', `the rows were not sent: ${serverMessage}`, {
        call: 'isTableEnabled',
        isSent: true,
        canRetry: false,
        serverMessage,
      })
    }
    this.askedAt = performance.now()
  }

  private async ask(): Promise<boolean | undefined> {
    try {
      return await this.client.isTableEnabled(this.table)
    } catch {
      return undefined
    }
  }
}
