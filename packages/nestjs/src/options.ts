// Tested by rowkey-module.test.ts.
import type { InjectionToken, ModuleMetadata, OptionalFactoryDependency } from '@nestjs/common'
import { isRowkeyError, RowkeyError, type Adapter, type MapperOptions } from 'rowkey'
import { nearestName, showName } from 'rowkey/internal'

/** A store for the module: what `createMapper()` takes, and what happens at start and at shutdown. */
export interface RowkeyOptions {
  /** As for `createMapper(adapter)`. */
  readonly adapter: Adapter
  /** Options of `createMapper(adapter, options)`: `prefix`, `cursorSecret`, `classValidator`, … */
  readonly mapper?: MapperOptions
  /**
   * Creates the tables of the models of `forFeature()` before their repositories are injected, and adds columns that may be added. Without
   * it (the default) the application does not change tables: create them when you deploy.
   */
  readonly ensureTables?: boolean
  /** Called at shutdown after the mapper is closed. Close your client here: rowkey closes only what it has opened. */
  readonly close?: () => unknown
}

/** Options of `RowkeyModule.forRoot()`. */
export interface RowkeyModuleOptions extends RowkeyOptions {
  /** Needed if the application uses several stores: `forFeature(models, name)`, `@InjectRepository(Model, name)`. */
  readonly name?: string
}

/** Options of `RowkeyModule.forRootAsync()`. */
export interface RowkeyModuleAsyncOptions extends Pick<ModuleMetadata, 'imports'> {
  /** As for `forRoot()`. */
  readonly name?: string
  /** What `useFactory` is called with. */
  readonly inject?: readonly (InjectionToken | OptionalFactoryDependency)[]
  /** Opens the store. It is called once, when the application starts. */
  readonly useFactory: (...dependencies: never[]) => RowkeyOptions | Promise<RowkeyOptions>
}

const known = ['adapter', 'mapper', 'ensureTables', 'close']

/** @internal @throws RowkeyError `INVALID_OPTION`: a misspelt option would have no effect, and nobody would notice */
export function checkOptions(options: RowkeyOptions, method: string, alsoKnown: readonly string[] = []): RowkeyOptions {
  const given: unknown = options
  if (typeof given !== 'object' || given === null) throw refusal(method, 'options', `${method} takes options with an adapter.`)
  checkNames(given, method, [...known, ...alsoKnown])
  const { ensureTables, close, adapter } = given as { readonly [Name in keyof RowkeyOptions]?: unknown }
  if (typeof (adapter as Adapter | undefined)?.describeTable !== 'function') {
    throw refusal(method, 'adapter', `${method} takes an adapter. Call its function, as in { adapter: memory() }.`)
  }
  if (ensureTables !== undefined && typeof ensureTables !== 'boolean') {
    throw refusal(method, 'ensureTables', `'ensureTables' of ${method} is true or false. Models are given to forFeature().`)
  }
  if (close !== undefined && typeof close !== 'function') {
    throw refusal(method, 'close', `'close' of ${method} is a function that closes your client.`)
  }
  return options
}

/** @internal @throws RowkeyError `INVALID_OPTION` that names the nearest option */
export function checkNames(given: object, method: string, names: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !names.includes(name))
  if (unknown === undefined) return
  const nearest = nearestName(unknown, names)
  const meant = nearest === undefined ? '' : ` Did you mean '${nearest}'?`
  throw refusal(method, unknown, `${method} has no option '${showName(unknown)}'.${meant} It takes ${names.join(', ')}.`)
}

/** @internal */
export function refusal(method: string, option: string, message: string): RowkeyError {
  return new RowkeyError('INVALID_OPTION', message, { option: showName(option), value: method })
}

/** @internal Whether an error came from rowkey, whatever copy of it. */
export const isOurs = (error: unknown): error is RowkeyError => isRowkeyError(error)
