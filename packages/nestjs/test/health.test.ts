import { Logger } from '@nestjs/common'
import { Test, type TestingModule } from '@nestjs/testing'
import { RowkeyHealthIndicator, RowkeyModule } from '@rowkey/nestjs'
import { memory, RowkeyError, type Adapter } from 'rowkey'
import { expect, test, vi } from 'vitest'
import { Order } from './models.js'

const withDescribe = (describeTable: (name: string) => Promise<undefined>): Adapter =>
  Object.create(memory(), { describeTable: { value: describeTable } }) as Adapter

async function started(adapter: Adapter, ...models: (typeof Order)[]): Promise<[TestingModule, RowkeyHealthIndicator]> {
  const imports = [RowkeyModule.forRoot({ adapter, mapper: { prefix: 'dev_' } }), RowkeyModule.forFeature(models)]
  const app = await Test.createTestingModule({ imports }).compile()
  return [app, app.get(RowkeyHealthIndicator)]
}

test('a store that answers is up; it is asked for a table of the application', async () => {
  const asked: string[] = []
  const adapter = withDescribe((name) => {
    asked.push(name)
    return Promise.resolve(undefined)
  })
  const [app, health] = await started(adapter, Order)
  expect(await health.isHealthy('orders')).toEqual({ orders: { status: 'up' } })
  expect(asked).toEqual(['dev_orders'])
  await app.close()
})

test('without models it is asked all the same', async () => {
  const [app, health] = await started(memory())
  expect(await health.isHealthy('store')).toEqual({ store: { status: 'up' } })
  await app.close()
})

test('a store that refuses is down, with the code of rowkey', async () => {
  const refused = new RowkeyError('STORE_UNAVAILABLE', 'it is starting', { adapter: 'x', reason: 'refused' })
  const [app, health] = await started(withDescribe(() => Promise.reject(refused)))
  expect(await health.isHealthy('store')).toEqual({
    store: { status: 'down', code: 'STORE_UNAVAILABLE', message: 'The store does not answer.' },
  })
  await app.close()
})

test('what an error says is logged once for each outage, and told to nobody', async () => {
  const logged = vi.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined)
  let says: string | undefined = 'connect ECONNREFUSED 10.0.0.7:6379'
  const [app, health] = await started(
    withDescribe(() => (says === undefined ? Promise.resolve(undefined) : Promise.reject(new Error(says)))),
  )
  const down = { store: { status: 'down', message: 'The store cannot be used. The log says why.' } }
  expect([await health.isHealthy('store'), await health.isHealthy('store')]).toEqual([down, down])
  expect(logged).toHaveBeenCalledTimes(1)
  const [text, stack] = logged.mock.lastCall as unknown as [string, string]
  expect(text).toBe("The store 'default' is down: connect ECONNREFUSED 10.0.0.7:6379")
  expect(stack).toMatch(/ at /)
  says = undefined
  expect(await health.isHealthy('store')).toEqual({ store: { status: 'up' } })
  says = 'connect ECONNREFUSED 10.0.0.7:6379'
  expect(await health.isHealthy('store')).toEqual(down)
  expect(logged).toHaveBeenCalledTimes(2)
  logged.mockRestore()
  await app.close()
})

test('a store that never answers is down after the time-out', async () => {
  const [app, health] = await started(withDescribe(() => new Promise(() => undefined)))
  expect(await health.isHealthy('store', { timeout: 5 })).toEqual({
    store: { status: 'down', code: 'TIMEOUT', message: 'The store did not answer within 5 ms.' },
  })
  await app.close()
})

test('a store of another name is found by it, and a wrong name is an error', async () => {
  const imports = [
    RowkeyModule.forRoot({ adapter: memory() }),
    RowkeyModule.forRoot({ adapter: withDescribe(() => Promise.reject(new Error('gone'))), name: 'archive' }),
  ]
  const app = await Test.createTestingModule({ imports }).compile()
  const health = app.get(RowkeyHealthIndicator)
  expect(await health.isHealthy('old', { name: 'archive' })).toMatchObject({ old: { status: 'down' } })
  expect(await health.isHealthy('new')).toEqual({ new: { status: 'up' } })
  await expect(health.isHealthy('x', { name: 'typo' })).rejects.toThrow('RowkeyConnection(typo)')
  await app.close()
})
