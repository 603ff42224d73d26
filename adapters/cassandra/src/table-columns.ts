import type { TableSchema } from '@rowkey/store'
import type { metadata } from 'cassandra-driver'
import { bucketColumn, guardColumn } from './names.js'
import { beforeSending } from './not-sent.js'
import type { Session } from './session.js'

/** The columns behind the key that a table has now: others may have added some since it was opened, and a put clears them. */
export class TableColumns {
  private readonly keyspace: string
  private readonly schema: TableSchema
  private readonly session: Session
  private seen: metadata.TableMetadata | null = null
  private added: readonly string[] = []

  constructor(keyspace: string, schema: TableSchema, session: Session) {
    this.keyspace = keyspace
    this.schema = schema
    this.session = session
  }

  /** Columns of the table that the schema does not know. */
  async unknown(): Promise<readonly string[]> {
    const known = await beforeSending(this.session.tableMetadata(this.keyspace, this.schema.name))
    if (known !== this.seen) {
      this.seen = known
      const own = new Set([bucketColumn, guardColumn, ...this.schema.columns.map(({ physical }) => physical)])
      const names = (known?.columns ?? []).filter((column) => !(column as { isStatic?: boolean }).isStatic).map(({ name }) => name)
      this.added = names.filter((name) => !own.has(name))
    }
    return this.added
  }
}
