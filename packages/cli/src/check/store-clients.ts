// Tested by check.test.ts.
import { memory } from 'rowkey'
import type { Adapter, SharedTable, StoreDescription } from 'rowkey/adapter'
import { isRowkeyError } from 'rowkey/codec'
import type { OpenAdapter } from 'rowkey/conformance'
import { isDeepStrictEqual } from 'node:util'
import { memoryStore } from 'rowkey/internal'
import { exitCodes, Failure } from '../failure.js'
import type { Shell } from '../shell.js'
import { clientOf, openingMs, type OpenClient } from '../store/open-client.js'
import { closing, inTime, ready, reasonOf } from '../store/open-store.js'
import { storeOfUrl, type StoreUrl } from '../store/parse-url.js'
import { storeOf } from '../stores.js'
import type { CheckedStore } from './report.js'

/** The store in this process, which no other command opens. */
const inProcess = 'memory:'

/** A store that is checked: its adapters share a client, until a failure. */
export interface StoreClients {
  /** Without credentials. */
  readonly url: string
  readonly description: StoreDescription
  /** Of the URL, before the names of all tables. */
  readonly prefix: string
  /** The rights that tables with a prefix need, in the store's words. */
  rights(prefix: string): readonly string[]
  /** Whether the adapter is all that its description says; a URL may say that a server has less. Known when it is open. */
  readonly isWhole: boolean
  /** Waits until the store answers. @throws Failure */
  open(): Promise<CheckedStore>
  /** An adapter over the client, which is connected again if it has to be. */
  adapter(): Promise<OpenAdapter>
  /** From now on the next adapter has another client: the connection of this one may be broken. */
  renew(): void
  shared(): Promise<SharedTable | undefined>
  close(): Promise<void>
}

/** The clients of a URL. Nothing is connected yet. @throws Failure */
export async function storeClients(given: string | undefined, shell: Shell): Promise<StoreClients> {
  const text = given ?? shell.env['ROWKEY_URL'] ?? ''
  if (text === '')
    throw new Failure('there is no store: give its URL, or set ROWKEY_URL. For example: rowkey check redis://localhost:6379.')
  if (text === inProcess) return memoryClients
  const description = await storeOf(storeOfUrl(text), shell.folder)
  const made = await clientOf(text, false, shell)
  return new UrlClients(description, made, shell)
}

/** Each adapter has rows of its own. */
const memoryClients: StoreClients = {
  url: inProcess,
  description: memoryStore,
  prefix: '',
  rights: () => [],
  isWhole: true,
  open: () => Promise.resolve({ name: memoryStore.name, options: '', product: null, capabilities: memoryStore.capabilities }),
  adapter: () => Promise.resolve({ adapter: memory() }),
  renew: () => undefined,
  shared: () => Promise.resolve(undefined),
  close: () => Promise.resolve(),
}

class UrlClients implements StoreClients {
  readonly description: StoreDescription
  isWhole = true
  private readonly parsed: StoreUrl
  private readonly make: () => OpenClient
  private readonly shell: Shell
  private readonly opened: OpenClient[] = []
  private current: Promise<OpenClient> | undefined

  constructor(description: StoreDescription, made: Awaited<ReturnType<typeof clientOf>>, shell: Shell) {
    this.description = description
    this.parsed = made.url
    this.make = () => made.open()
    this.shell = shell
  }

  get url(): string {
    return this.parsed.text
  }

  get prefix(): string {
    return this.parsed.parameters.get('prefix') ?? ''
  }

  rights(prefix: string): readonly string[] {
    return this.description.opening?.rights?.(prefix, this.parsed) ?? []
  }

  async open(): Promise<CheckedStore> {
    const { adapter, product } = await this.client()
    const { name, capabilities } = adapter
    this.isWhole = isDeepStrictEqual(capabilities, this.description.capabilities)
    const options = [...this.parsed.parameters].flatMap(([key, value]) => (key === 'prefix' ? [] : [`${key}=${value}`])).join('&')
    return { name, options, product: (await product?.().catch(() => null)) ?? null, capabilities }
  }

  async adapter(): Promise<OpenAdapter> {
    const client = await this.client()
    return { adapter: client.another() }
  }

  renew(): void {
    this.current = undefined
  }

  async shared(): Promise<SharedTable | undefined> {
    const client = await this.client()
    return client.shared
  }

  async close(): Promise<void> {
    await Promise.all(this.opened.map((client) => closing(client)()))
  }

  private client(): Promise<OpenClient> {
    this.current ??= this.connected().catch((error: unknown) => {
      this.current = undefined
      throw error
    })
    return this.current
  }

  private async connected(): Promise<OpenClient> {
    try {
      const client = this.make()
      this.opened.push(client)
      await inTime(ready(client), openingMs)
      return client
    } catch (error) {
      if (error instanceof Failure || isRowkeyError(error, 'INVALID_OPTION')) throw error
      throw new Failure(`${this.url} cannot be opened: ${reasonOf(error, this.shell.env)}`, exitCodes.store, { cause: error })
    }
  }
}

/** An adapter in memory that refuses what the store refuses. */
export const memoryLike = ({ description }: Pick<StoreClients, 'description'>): Adapter => memory({ like: description })
