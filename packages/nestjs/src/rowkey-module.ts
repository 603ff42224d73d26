import { Module, type DynamicModule, type FactoryProvider, type InjectionToken, type OptionalFactoryDependency } from '@nestjs/common'
import { ModuleRef } from '@nestjs/core'
import type { Mapper, Model } from 'rowkey'
import { show } from 'rowkey/internal'
import { RowkeyConnection } from './connection.js'
import { RowkeyHealthIndicator } from './health.js'
import { StoreLifetime } from './lifetime.js'
import {
  checkNames,
  checkOptions,
  refusal,
  type RowkeyModuleAsyncOptions,
  type RowkeyModuleOptions,
  type RowkeyOptions,
} from './options.js'
import { connectionToken, defaultName, getMapperToken, getRepositoryToken, lifetimeToken } from './tokens.js'

/**
 * rowkey in a NestJS application: `forRoot()` or `forRootAsync()` once per store in the root module, `forFeature()` in every module that
 * uses models.
 *
 * @example
 * ```ts
 * @Module({
 *   imports: [RowkeyModule.forRoot({ adapter: memory(), ensureTables: true }), RowkeyModule.forFeature([Order])],
 *   providers: [OrdersService],
 * })
 * export class AppModule {}
 * ```
 */
@Module({})
export class RowkeyModule {
  /**
   * A store that is ready to use. Its mapper can be injected everywhere, and is closed when the application shuts down.
   *
   * @throws RowkeyError `INVALID_OPTION` for an unknown or invalid option
   */
  static forRoot(options: RowkeyModuleOptions): DynamicModule {
    const { name = defaultName, ...store } = checkOptions(options, 'forRoot()', ['name']) as RowkeyModuleOptions
    return storeModule(checkName(name), { useFactory: () => new RowkeyConnection(() => store), inject: [] })
  }

  /**
   * A store whose options need other providers, such as a configuration.
   *
   * @throws RowkeyError `INVALID_OPTION`, also at start for what `useFactory` returns
   * @example
   * ```ts
   * RowkeyModule.forRootAsync({
   *   inject: [ConfigService],
   *   useFactory: (config: ConfigService) => {
   *     const client = new Redis(config.getOrThrow('REDIS_URL'), { commandTimeout: 5_000 })
   *     return { adapter: redis(client), ensureTables: true, close: () => client.disconnect() }
   *   },
   * })
   * ```
   */
  static forRootAsync(options: RowkeyModuleAsyncOptions): DynamicModule {
    const { name = defaultName, imports = [], inject = [], useFactory } = options
    checkNames(options, 'forRootAsync()', ['name', 'imports', 'inject', 'useFactory'])
    if (typeof useFactory !== 'function') throw refusal('forRootAsync()', 'useFactory', 'forRootAsync() takes a useFactory.')
    const factory = useFactory as unknown as (...dependencies: unknown[]) => RowkeyOptions | Promise<RowkeyOptions>
    const open = (...dependencies: unknown[]): RowkeyConnection =>
      new RowkeyConnection(async () => checkOptions(await factory(...dependencies), 'useFactory of forRootAsync()'))
    return { ...storeModule(checkName(name), { useFactory: open, inject }), imports }
  }

  /**
   * Repositories of models, for `@InjectRepository(Model)`. With `ensureTables` of the store, their tables are created first.
   *
   * @throws RowkeyError `INVALID_OPTION` if `models` is not a list of models
   */
  static forFeature(models: readonly Model[], name: string = defaultName): DynamicModule {
    const given: unknown = models
    if (!Array.isArray(given)) throw refusal('forFeature()', 'models', 'forFeature() takes a list of models: forFeature([Order]).')
    const providers = models.map((model) => repositoryProvider(model, checkName(name)))
    return { module: RowkeyModule, providers, exports: providers.map(({ provide }) => provide) }
  }
}

interface Opening {
  readonly useFactory: (...dependencies: unknown[]) => RowkeyConnection
  readonly inject: readonly (InjectionToken | OptionalFactoryDependency)[]
}

function storeModule(name: string, { useFactory, inject }: Opening): DynamicModule {
  const connection: FactoryProvider = { provide: connectionToken(name), useFactory, inject: [...inject] }
  const mapper: FactoryProvider = {
    provide: getMapperToken(name),
    useFactory: (store: RowkeyConnection) => store.open(),
    inject: [connection.provide],
  }
  const lifetime: FactoryProvider = {
    provide: lifetimeToken(name),
    useFactory: (modules: ModuleRef) => new StoreLifetime(modules, name),
    inject: [ModuleRef],
  }
  return {
    module: RowkeyModule,
    global: true,
    providers: [connection, mapper, lifetime, RowkeyHealthIndicator],
    exports: [connection, mapper, RowkeyHealthIndicator],
  }
}

function repositoryProvider(model: Model, name: string): FactoryProvider {
  return {
    provide: getRepositoryToken(model, name),
    // Of the mapper that the application injects: a test may have overridden it.
    inject: [getMapperToken(name), connectionToken(name)],
    useFactory: async (mapper: Mapper, connection: RowkeyConnection) => {
      // First, because it is where a model that is no table is refused.
      const repository = mapper.repository(model)
      await connection.use(model, mapper)
      return repository
    },
  }
}

function checkName(name: string): string {
  const given: unknown = name
  if (typeof given === 'string' && given !== '') return given
  throw refusal('name', 'name', `The name of a store is a text, not ${show(given)}.`)
}
