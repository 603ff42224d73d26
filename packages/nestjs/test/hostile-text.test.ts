import { Controller, Get, Logger, Module, type INestApplication } from '@nestjs/common'
import { APP_FILTER } from '@nestjs/core'
import { Test } from '@nestjs/testing'
import * as nestjs from '@rowkey/nestjs'
import { createMapper, defineTable, isRowkeyError, memory, nullable, text, type Repository, RowkeyError } from 'rowkey'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attack, hostileTexts, longHostileText, longText, mustBeClean, mustBeCleanError } from '../../../test/errors/hostile.js'

const texts = [...hostileTexts, longText, longHostileText]
const Orders = defineTable('orders', { columns: { id: text(), note: nullable(text()) }, key: ['id'] })
const { httpErrorOf, RowkeyExceptionFilter, RowkeyHealthIndicator, RowkeyModule } = nestjs

const orders: Repository<typeof Orders> = createMapper(memory()).repository(Orders)
const calls: readonly ((hostile: string) => unknown)[] = [
  (hostile) => orders.put({ id: 'a', [hostile]: 1 }),
  (hostile) => orders.put({ id: { [hostile]: 1 } } as never),
  (hostile) => orders.scan({ id: 'a', [hostile]: 1 }).page(),
  (hostile) => orders.scan({ id: 'a' }).page({ cursor: hostile }),
  (hostile) => orders.scan({ id: 'a' }, { after: { [hostile]: 1 } as never }).page(),
  (hostile) => orders.scan({ id: 'a' }, { [hostile]: 1 }).page(),
  (hostile) => orders.getOrThrow({ id: hostile }),
  (hostile) => {
    const cause = Object.assign(new Error(hostile, { cause: new Error(`${hostile}\n    at ${hostile}`) }), { name: hostile })
    throw new RowkeyError('STORE_UNAVAILABLE', 'the server refused.', { adapter: 'x', reason: 'refused' }, { cause })
  },
]

let next: () => unknown = () => undefined

@Controller()
class Failing {
  @Get()
  fail(): unknown {
    return next()
  }
}

@Module({ controllers: [Failing], providers: [{ provide: APP_FILTER, useClass: RowkeyExceptionFilter }] })
class App {}

const logged: unknown[] = []
const logger = {
  log: () => undefined,
  warn: (...all: unknown[]) => logged.push(...all),
  error: (...all: unknown[]) => logged.push(...all),
  fatal: (...all: unknown[]) => logged.push(...all),
}
let app: INestApplication
let url: string
beforeAll(async () => {
  const module = await Test.createTestingModule({ imports: [App] }).compile()
  app = module.createNestApplication()
  app.useLogger(logger)
  Logger.overrideLogger(logger)
  await app.listen(0, '127.0.0.1')
  url = await app.getUrl()
})
afterAll(async () => {
  await app.close()
  Logger.overrideLogger(true)
})

/** Each text of a log or an answer, wherever it is. */
function mustBeCleanAll(given: unknown, what: string): void {
  if (given instanceof Error) given = [given.message, given.stack]
  if (typeof given === 'string') for (const line of given.split('\n    at ')) mustBeClean(line, what)
  else if (typeof given === 'object' && given !== null) for (const each of Object.values(given)) mustBeCleanAll(each, what)
}

test('ERR-3: answers and logs of the filter show no hostile text', async () => {
  for (const hostile of texts) {
    for (const call of calls) {
      next = () => call(hostile)
      const answer = await fetch(url)
      expect(answer.status).toBeGreaterThanOrEqual(400)
      mustBeCleanAll(await answer.json(), 'an answer')
      mustBeCleanAll(logged.splice(0), 'a log')
    }
  }
})

test('ERR-3: the exceptions have clean texts', async () => {
  for (const hostile of texts) {
    for (const call of calls) {
      const error: unknown = await Promise.resolve(hostile)
        .then(call)
        .catch((reason: unknown) => reason)
      mustBeCleanError(error, 'an error')
      mustBeCleanAll(httpErrorOf(error)?.getResponse(), 'an answer')
    }
  }
})

test('ERR-3: a store that is down is told without hostile text of its error', async () => {
  for (const hostile of texts) {
    const adapter = Object.create(memory(), { describeTable: { value: () => Promise.reject(new Error(hostile)) } }) as ReturnType<
      typeof memory
    >
    const module = await Test.createTestingModule({ imports: [RowkeyModule.forRoot({ adapter })] }).compile()
    mustBeCleanAll(await module.get(RowkeyHealthIndicator).isHealthy('store'), 'health')
    await module.close()
  }
})

test('ERR-3: the functions of the module show no hostile option or name', async () => {
  const { forRoot, forRootAsync, forFeature } = RowkeyModule as unknown as Record<string, (...args: unknown[]) => unknown>
  const { getMapperToken, getRepositoryToken, InjectMapper, InjectRepository } = nestjs
  const functions: Readonly<Record<string, readonly [args: readonly unknown[], call: (...args: never[]) => unknown]>> = {
    RowkeyModule: [
      [{ name: 'a', adapter: memory(), ensureTables: true, close: () => 0 }],
      (options) => forRoot?.call(RowkeyModule, options),
    ],
    forRootAsync: [[{ name: 'a', useFactory: () => ({}) }], (options) => forRootAsync?.call(RowkeyModule, options)],
    forFeature: [[[Orders], 'a'], (models, name) => forFeature?.call(RowkeyModule, models, name)],
    getMapperToken: [['a'], (name) => mustBeClean(getMapperToken(name).toString(), 'a token')],
    getRepositoryToken: [[Orders, 'a'], (model, name) => mustBeClean(getRepositoryToken(model, name).toString(), 'a token')],
    InjectMapper: [['a'], (name) => InjectMapper(name)],
    InjectRepository: [[Orders, 'a'], (model, name) => InjectRepository(model, name)],
    RowkeyExceptionFilter: [[], () => undefined],
    RowkeyHealthIndicator: [[], () => undefined],
    httpErrorOf: [[{}], (error) => httpErrorOf(error)],
  }
  expect(Object.keys(nestjs).filter((name) => !Object.hasOwn(functions, name))).toEqual([])
  for (const [what, [args, call]] of Object.entries(functions)) {
    for (const hostile of texts) await attack(what, args, hostile, (given) => call(...(given as never[])), 2, { others: true })
  }
  expect(isRowkeyError(undefined)).toBe(false)
})
