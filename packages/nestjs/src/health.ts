import { Inject, Injectable, Logger } from '@nestjs/common'
import { ModuleRef } from '@nestjs/core'
import type { Mapper } from 'rowkey'
import { said } from 'rowkey/internal'
import type { RowkeyConnection } from './connection.js'
import { stacksOf } from './logged.js'
import { isOurs } from './options.js'
import { connectionToken, defaultName, getMapperToken } from './tokens.js'

/** Whether a store answers. */
export type StoreHealth =
  | { readonly status: 'up' }
  /** `code`: of the error, if rowkey knows it, or `TIMEOUT`. `message`: one for each code; what the store said is in the log. */
  | { readonly status: 'down'; readonly code?: string; readonly message: string }

/** The answer of `isHealthy(key)`, in the form that `@nestjs/terminus` takes. */
export type HealthOf<Key extends string> = Readonly<Record<Key, StoreHealth>>

/** Options of `isHealthy()`. */
export interface HealthCheckOptions {
  /** The store, if the application uses several. */
  readonly name?: string
  /** After so many milliseconds without an answer the store is down; 1,000 by default. */
  readonly timeout?: number
}

/** What everybody may read who asks whether the service is healthy. */
const messages: ReadonlyMap<string, string> = new Map([
  ['STORE_UNAVAILABLE', 'The store does not answer.'],
  ['CLOSED', 'The store was closed.'],
])
const anyMessage = 'The store cannot be used. The log says why.'

/** Asks stores whether they answer. `forRoot()` provides it everywhere; `@nestjs/terminus` is not needed. */
@Injectable()
export class RowkeyHealthIndicator {
  private readonly modules: ModuleRef
  private readonly log: Logger = new Logger('Rowkey')
  /** What was logged of a store that is down, by its name. A client that asks again and again must not fill the log. */
  private readonly logged = new Map<string, string>()

  constructor(@Inject(ModuleRef) modules: ModuleRef) {
    this.modules = modules
  }

  /**
   * Whether a store answers, under a key of your choice. It costs one round trip and reads no rows. It does not reject for a store that is
   * down: its answer says so, with a code and a fixed text. What the store said, where it is and the stack are logged once for each outage.
   *
   * @throws NestJS's error for an unknown provider, if there is no store of this name
   * @example
   * ```ts
   * await health.isHealthy('orders') //=> { orders: { status: 'up' } }
   * health.check([() => this.rowkey.isHealthy('orders', { timeout: 300 })]) // in a controller of @nestjs/terminus
   * ```
   */
  async isHealthy<const Key extends string>(key: Key, options: HealthCheckOptions = {}): Promise<HealthOf<Key>> {
    const { name = defaultName, timeout = 1000 } = options
    const connection = this.modules.get<RowkeyConnection>(connectionToken(name), { strict: false })
    const mapper = this.modules.get<Mapper>(getMapperToken(name), { strict: false })
    const health = await answerWithin(
      this.healthOf(name, () => connection.ping(mapper)),
      timeout,
    )
    return { [key]: health } as HealthOf<Key>
  }

  private async healthOf(name: string, ping: () => Promise<void>): Promise<StoreHealth> {
    try {
      await ping()
    } catch (error) {
      const code = isOurs(error) ? error.code : undefined
      this.tell(name, error)
      return { status: 'down', ...(code === undefined ? {} : { code }), message: messages.get(code ?? '') ?? anyMessage }
    }
    this.logged.delete(name)
    return { status: 'up' }
  }

  private tell(name: string, error: unknown): void {
    const message = said(error)
    if (this.logged.get(name) === message) return
    this.logged.set(name, message)
    this.log.error(`The store '${name}' is down: ${message}`, stacksOf(error))
  }
}

async function answerWithin(answer: Promise<StoreHealth>, timeout: number): Promise<StoreHealth> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<StoreHealth>((resolve) => {
    const message = `The store did not answer within ${timeout} ms.`
    timer = setTimeout(() => {
      resolve({ status: 'down', code: 'TIMEOUT', message })
    }, timeout)
  })
  try {
    return await Promise.race([answer, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
