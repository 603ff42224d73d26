import { Inject, Injectable } from '@nestjs/common'
import { ModuleRef } from '@nestjs/core'
import { said } from 'rowkey/internal'
import type { RowkeyConnection } from './connection.js'
import { isOurs } from './options.js'
import { connectionToken, defaultName } from './tokens.js'

/** Whether a store answers. */
export type StoreHealth =
  | { readonly status: 'up' }
  /** `code`: of the error, if rowkey knows it, or `TIMEOUT`. */
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

/** Asks stores whether they answer. `forRoot()` provides it everywhere; `@nestjs/terminus` is not needed. */
@Injectable()
export class RowkeyHealthIndicator {
  private readonly modules: ModuleRef

  constructor(@Inject(ModuleRef) modules: ModuleRef) {
    this.modules = modules
  }

  /**
   * Whether a store answers, under a key of your choice. It costs one round trip and reads no rows. It does not reject for a store that is
   * down: its answer says so.
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
    return { [key]: await healthOf(connection, timeout) } as HealthOf<Key>
  }
}

async function healthOf(connection: RowkeyConnection, timeout: number): Promise<StoreHealth> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<StoreHealth>((resolve) => {
    const message = `The store did not answer within ${timeout} ms.`
    timer = setTimeout(() => {
      resolve({ status: 'down', code: 'TIMEOUT', message })
    }, timeout)
  })
  const answer = connection.ping().then(
    (): StoreHealth => ({ status: 'up' }),
    (error: unknown): StoreHealth => ({
      status: 'down',
      ...(isOurs(error) ? { code: error.code } : {}),
      message: isOurs(error) ? error.message : said(error),
    }),
  )
  try {
    return await Promise.race([answer, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
