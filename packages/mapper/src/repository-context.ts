import type { Class, TableSchema } from '@rowkey/model'
import type { Adapter, Table, Writer } from '@rowkey/store'
import type { OnCall } from './call-event.js'
import type { CursorSeal } from './cursor-seal.js'
import type { ClassValidator } from './rows/class-validator.js'

/** What a repository shares with its mapper. */
export interface RepositoryContext {
  readonly adapter: Adapter
  readonly schema: TableSchema
  readonly model: Class | undefined
  readonly clock: () => number
  readonly onCall: OnCall | undefined
  readonly seal: CursorSeal
  /** Of the whole mapper. */
  readonly writer: Writer
  /** How often a write is sent that makes no progress. */
  readonly attempts: number
  readonly classValidator: ClassValidator | undefined
  /** The open table; at once after the first call. */
  table(): Table | Promise<Table>
  /** Opens the table anew at the next call. */
  forget(): void
}
