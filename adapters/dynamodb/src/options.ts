// Tested by tables.test.ts.
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { checkOptionNames, clientOption, hintsOf, invalidOption, type Hints, type NameRules, type TableSchema } from 'rowkey/adapter'

/** Options of `dynamodb()`. */
export interface DynamoDBOptions {
  /**
   * Whether the server has TransactWriteItems. Default true, because that of Amazon has it. Use false for a compatible server without it.
   * Then an atomic batch of several rows is refused with `ATOMIC_SCOPE` before anything is sent.
   */
  readonly transactions?: boolean
  /**
   * Whether `ensureTables` enables the expiry of the server (`UpdateTimeToLive`) for tables with a ttl. Default true. With false, expired
   * rows are stored until `db.purgeExpired()` deletes them. In both cases, reads never return expired rows.
   */
  readonly nativeTtl?: boolean
  /**
   * Whether a scan reads only the items of its `Segment`, which splits of a table rely on. Default true. Use false for a compatible server that
   * ignores it. Then a table is not split.
   */
  readonly segments?: boolean
}

/** All options. @throws RowkeyError `INVALID_OPTION` */
export function checkOptions(options: DynamoDBOptions): Required<DynamoDBOptions> {
  checkOptionNames('dynamodb', options, ['transactions', 'nativeTtl', 'segments'])
  for (const [option, value] of Object.entries(options) as [string, unknown][]) {
    if (value !== undefined && typeof value !== 'boolean') throw invalidOption('dynamodb', option, value, 'Give true or false.')
  }
  return { transactions: options.transactions ?? true, nativeTtl: options.nativeTtl ?? true, segments: options.segments ?? true }
}

/**
 * Refuses everything except a client of version 3 for DynamoDB. Every option of such a client is allowed. The adapter itself prevents that
 * the client repeats a write whose outcome is unknown.
 *
 * @throws RowkeyError `INVALID_OPTION` for what is not a client, `CLIENT_OPTION` for a client of another service
 */
export function checkClient(client: DynamoDBClient): void {
  const given = client as unknown
  if (typeof given !== 'object' || given === null || !('send' in given) || !('config' in given)) {
    throw invalidOption('dynamodb', 'client', given, remedy)
  }
  const { serviceId } = given.config as { readonly serviceId?: unknown }
  if (serviceId !== 'DynamoDB') throw clientOption('dynamodb', 'serviceId', serviceId, 'It is a client of another service.', remedy)
}

const remedy = 'Give a DynamoDBClient of @aws-sdk/client-dynamodb.'

/** What a model may say about its table on this store: `stores: { dynamodb: { provisioned: { read: 10, write: 5 } } }`. */
export interface DynamoDBHints {
  /** Capacity units per second, which are billed even if they are not used. Without this, the table is billed per request. */
  readonly provisioned?: { readonly read: number; readonly write: number }
}

export const name = 'dynamodb'

export const hints: Hints = Object.freeze({
  provisioned: { fits: isProvisioned, wants: '{ read, write }, both integers from 1' },
} satisfies Record<keyof DynamoDBHints, Hints[string]>)

/** Columns are attributes of their items, beside the adapter's own. JavaScript clients lose attributes that are called `__proto__`. */
export const names: NameRules = Object.freeze({
  table: { fits: (given) => /^[A-Za-z0-9_.-]{3,255}$/.test(given), wants: "3 to 255 letters, digits, '_', '-' and '.'" },
  column: { fits: (given) => !/^(__proto__|rk_.*)$/.test(given), wants: 'all but __proto__ and those that begin with rk_' },
} satisfies NameRules)

/** @throws RowkeyError `INVALID_OPTION` */
export const dynamodbHints = (schema: TableSchema): DynamoDBHints => hintsOf({ name, hints }, schema)

function isProvisioned(given: unknown): boolean {
  if (typeof given !== 'object' || given === null || Object.keys(given).sort().join() !== 'read,write') return false
  return Object.values(given).every((units) => Number.isSafeInteger(units) && units >= 1)
}
