import { Inject, Injectable, Module, Scope } from '@nestjs/common'
import { REQUEST } from '@nestjs/core'
import { Test } from '@nestjs/testing'
import { getMapperToken, getRepositoryToken, RowkeyHealthIndicator, RowkeyModule } from '@rowkey/nestjs'
import { createMapper, memory, type Mapper, type Repository } from 'rowkey'
import { expect, test } from 'vitest'
import { Order } from './models.js'

const order = { no: '1', buyer: 'ann', cents: 1 }

test('repositories, their tables and the health follow a mapper that a test overrides', async () => {
  const real = createMapper(memory())
  const other = createMapper(memory())
  const imports = [RowkeyModule.forRoot({ adapter: real.adapter, ensureTables: true }), RowkeyModule.forFeature([Order])]
  const app = await Test.createTestingModule({ imports }).overrideProvider(getMapperToken()).useValue(other).compile()
  const orders = app.get<Repository<Order>>(getRepositoryToken(Order))
  await orders.put(order)
  expect(await other.repository(Order).exists({ no: '1' })).toBe(true)
  await expect(real.repository(Order).exists({ no: '1' })).rejects.toThrow('TABLE_NOT_FOUND')
  await other.close()
  expect(await app.get(RowkeyHealthIndicator).isHealthy('store')).toMatchObject({ store: { status: 'down', code: 'CLOSED' } })
  await app.close()
})

test('a mapper that a test overrides opens no store, whoever makes the options', async () => {
  const other = createMapper(memory())
  let opened = 0
  const useFactory = () => ({ adapter: (opened++, memory()), close: () => opened++ })
  const imports = [RowkeyModule.forRootAsync({ useFactory }), RowkeyModule.forFeature([Order])]
  const app = await Test.createTestingModule({ imports })
    .overrideProvider(getMapperToken())
    .useFactory({ factory: () => other })
    .compile()
  await app.init()
  await app.get<Repository<Order>>(getRepositoryToken(Order)).put(order)
  expect(await other.repository(Order).exists({ no: '1' })).toBe(true)
  await app.close()
  expect(opened).toBe(0)
  expect(await other.repository(Order).exists({ no: '1' })).toBe(true)
})

test('a store that would be opened for each request is refused at the start', async () => {
  @Injectable({ scope: Scope.REQUEST })
  class Tenant {
    readonly prefix = 'a_'
    constructor(@Inject(REQUEST) readonly request: unknown) {}
  }
  @Module({ providers: [Tenant], exports: [Tenant] })
  class Tenants {}
  let opened = 0
  const useFactory = ({ prefix }: Tenant) => ({ adapter: memory(), mapper: { prefix }, close: () => opened++ })
  const imports = [RowkeyModule.forRootAsync({ imports: [Tenants], inject: [Tenant], useFactory }), RowkeyModule.forFeature([Order])]
  const app = await Test.createTestingModule({ imports }).compile()
  await expect(app.init()).rejects.toThrow(
    /^INVALID_OPTION: the useFactory of the store 'default' injects a provider that is made for each request/,
  )
  expect(opened).toBe(0)
})

test('one that injects what lives as long as the application is not', async () => {
  @Module({ providers: [{ provide: 'PREFIX', useValue: 'a_' }], exports: ['PREFIX'] })
  class Config {}
  const useFactory = (prefix: string) => ({ adapter: memory(), mapper: { prefix } })
  const imports = [RowkeyModule.forRootAsync({ imports: [Config], inject: ['PREFIX'], useFactory }), RowkeyModule.forFeature([Order])]
  const app = await Test.createTestingModule({ imports }).compile()
  await app.init()
  expect(app.get<Mapper>(getMapperToken()).repository(Order).schema.name).toBe('a_orders')
  await app.close()
})
