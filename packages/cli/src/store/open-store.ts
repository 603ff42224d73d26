// Tested by stores-url.test.ts and stores-commands.test.ts.
import { isRowkeyError } from 'rowkey/codec'
import { createMapper, type Mapper, type TableSchema } from 'rowkey'
import { openTable, type OpenTable } from 'rowkey/internal'
import { exitCodes, Failure } from '../failure.js'
import type { Shell } from '../shell.js'
import { withoutSecrets } from '../text/secrets.js'
import { clientOf, openingMs, type OpenClient } from './open-client.js'
import { storeOfUrl } from './parse-url.js'

/** A store that has answered. */
export interface OpenStore {
  /** Its URL, which has no password. */
  readonly url: string
  readonly db: Mapper
  close(): Promise<void>
}

/** How a store is opened. */
export interface OpenOptions {
  readonly prefix?: string | undefined
  /** Whether the store may be new. Default false. */
  readonly create?: boolean
}

/**
 * Opens the store of a URL and waits, up to 7 seconds, until it answers.
 *
 * @throws Failure with exit code 4 if it does not answer, 2 for a URL that is none, or a package that is not installed
 */
export async function openStore(shell: Shell, given: string | undefined, { prefix, create = false }: OpenOptions = {}): Promise<OpenStore> {
  const { env } = shell
  const text = given ?? env['ROWKEY_URL'] ?? ''
  if (text === '') throw new Failure('there is no store: give --url URL, or set ROWKEY_URL. For example: --url lmdb:data.')
  // Until its parts are known, only the name of the store can be told.
  let shown = storeOfUrl(text)
  let client: OpenClient | undefined
  try {
    const { url, open } = await clientOf(text, create, shell)
    shown = url.text
    client = open()
    await inTime(ready(client), openingMs)
    const before = prefix ?? url.parameters.get('prefix')
    // A put that is sent twice writes the same row.
    const db = createMapper(client.adapter, { ...(before === undefined ? {} : { prefix: before }), retry: { onUnknown: 'resend' } })
    return { url: url.text, db, close: closing(client, db) }
  } catch (error) {
    if (client !== undefined) await closing(client)().catch(() => undefined)
    if (error instanceof Failure || isRowkeyError(error, 'INVALID_OPTION')) throw error
    throw new Failure(`${shown} cannot be opened: ${reasonOf(error, env)}`, exitCodes.store, { cause: error })
  }
}

/** What every adapter reads at first: a table, here one that nobody has. */
export async function ready({ connected, adapter }: OpenClient): Promise<void> {
  await connected
  await adapter.describeTable('rowkey_is_there')
}

/** Closes mapper and client, and does not wait for a server that does not answer any more. */
export const closing =
  ({ adapter, close }: OpenClient, db: { close(): Promise<void> } = adapter) =>
  async (): Promise<void> => {
    const all = async (): Promise<void> => {
      await db.close()
      await close()
    }
    await inTime(all(), 1000).catch(() => undefined)
  }

/** The result of a promise. @throws Error if it takes longer */
export async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`there was no answer within ${ms / 1000} s.`))
    }, ms)
  })
  work.catch(() => undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** The first line of what a client says, and of what it hides in a list: why each host was left. */
export function reasonOf(error: unknown, env: Shell['env']): string {
  const { innerErrors, errors, message, code, cause } = (error ?? {}) as {
    readonly innerErrors?: Readonly<Record<string, unknown>>
    readonly errors?: readonly unknown[]
    readonly message?: unknown
    readonly code?: unknown
    readonly cause?: unknown
  }
  const [inner] = [...Object.values(innerErrors ?? {}), ...(Array.isArray(errors) ? (errors as readonly unknown[]) : [])]
  if (inner !== undefined) return reasonOf(inner, env)
  const text = typeof message === 'string' && message !== '' ? message : String(code ?? error)
  if (text === 'Connection is closed.' && cause !== undefined) return reasonOf(cause, env)
  const [line = ''] = withoutSecrets(text, env).split('\n')
  return line.endsWith('.') ? line : `${line}.`
}

/**
 * The table of a model, under the prefix of the store.
 *
 * @throws RowkeyError `TABLE_NOT_FOUND`, `SCHEMA_MISMATCH`
 */
export const tableOf = ({ db }: OpenStore, model: TableSchema): Promise<OpenTable> =>
  openTable(db.adapter, db.repository(model as never).schema)
