// Tested by rowkey-module.test.ts.
import { Inject } from '@nestjs/common'
import type { Model } from 'rowkey'
import { show, showName } from 'rowkey/internal'
import { refusal } from './options.js'

/** @internal The store that an application has if it names none. */
export const defaultName = 'default'

const connections = new Map<string, symbol>()
const mappers = new Map<string, symbol>()
const lifetimes = new Map<string, symbol>()
const repositories = new WeakMap<object, Map<string, symbol>>()

/** @internal */
export const connectionToken = (name: string): symbol => tokenOf(connections, name, () => `RowkeyConnection(${showName(name)})`)

/** @internal */
export const lifetimeToken = (name: string): symbol => tokenOf(lifetimes, name, () => `RowkeyStoreLifetime(${showName(name)})`)

/**
 * The token of a store's mapper, for `useFactory`, `app.get()` and tests that override it.
 *
 * @example
 * ```ts
 * const db = app.get<Mapper>(getMapperToken())
 * ```
 */
export function getMapperToken(name: string = defaultName): symbol {
  return tokenOf(mappers, name, () => `RowkeyMapper(${showName(name)})`)
}

/**
 * The token of a model's repository, for `useFactory`, `app.get()` and tests that override it.
 *
 * @throws RowkeyError `INVALID_OPTION` for undefined: a circular import leaves a class undefined while decorators run
 * @example
 * ```ts
 * const orders = app.get<Repository<typeof Order>>(getRepositoryToken(Order))
 * ```
 */
export function getRepositoryToken(model: Model, name: string = defaultName): symbol {
  const given: unknown = model
  if (given === null || (typeof given !== 'object' && typeof given !== 'function')) {
    const message = `A repository needs a model, not ${show(given)}. If files import each other, the class may not be defined yet.`
    throw refusal('getRepositoryToken()', 'model', message)
  }
  const ofModel = repositories.get(model) ?? new Map<string, symbol>()
  repositories.set(model, ofModel)
  return tokenOf(ofModel, name, () => `RowkeyRepository(${nameOf(model)}${name === defaultName ? '' : `, ${showName(name)}`})`)
}

/**
 * Injects the repository of a model that is listed in `RowkeyModule.forFeature()`.
 *
 * @throws RowkeyError `INVALID_OPTION` as `getRepositoryToken()`
 * @example
 * ```ts
 * constructor(@InjectRepository(Order) private readonly orders: Repository<typeof Order>) {}
 * ```
 */
export function InjectRepository(model: Model, name: string = defaultName): ParameterDecorator & PropertyDecorator {
  return Inject(getRepositoryToken(model, name))
}

/**
 * Injects the mapper of a store: for writes over several tables, `purgeExpired()`, or a repository of another model.
 *
 * @example
 * ```ts
 * constructor(@InjectMapper() private readonly db: Mapper) {}
 * ```
 */
export function InjectMapper(name: string = defaultName): ParameterDecorator & PropertyDecorator {
  return Inject(getMapperToken(name))
}

function tokenOf(tokens: Map<string, symbol>, name: string, description: () => string): symbol {
  const token = tokens.get(name) ?? Symbol(description())
  tokens.set(name, token)
  return token
}

const nameOf = (model: Model): string => showName(model.name)
