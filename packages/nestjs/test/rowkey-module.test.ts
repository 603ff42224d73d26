import { Injectable, Module, type DynamicModule } from '@nestjs/common'
import { Test, type TestingModule } from '@nestjs/testing'
import { getMapperToken, getRepositoryToken, InjectMapper, InjectRepository, RowkeyModule } from '@rowkey/nestjs'
import { createMapper, defineTable, isRowkeyError, memory, text, type Adapter, type Mapper, type Repository } from 'rowkey'
import { describe, expect, test } from 'vitest'
import { Note, Order, Tags } from './models.js'

const start = (...imports: (DynamicModule | (new () => object))[]): Promise<TestingModule> =>
  Test.createTestingModule({ imports }).compile()

/** What an adapter was asked to do, in order. */
function observed(adapter: Adapter = memory()): { readonly adapter: Adapter; readonly calls: readonly string[] } {
  const calls: string[] = []
  const watched: Adapter = Object.create(adapter, {
    ensureTable: {
      value: (...args: Parameters<Adapter['ensureTable']>) => {
        calls.push(`ensure ${args[0].name}`)
        return adapter.ensureTable(...args)
      },
    },
    close: {
      value: () => {
        calls.push('close')
        return adapter.close()
      },
    },
  }) as Adapter
  return { adapter: watched, calls }
}

const order = { no: 'A1', buyer: 'ann', cents: 5 }

@Injectable()
class Orders {
  constructor(
    @InjectRepository(Order) readonly orders: Repository<Order>,
    @InjectMapper() readonly db: Mapper,
  ) {}
}

describe('repositories and mappers', () => {
  test('are injected into providers, for classes and for defineTable schemas', async () => {
    @Module({ imports: [RowkeyModule.forFeature([Order, Tags])], providers: [Orders], exports: [Orders] })
    class OrdersModule {}
    const app = await start(RowkeyModule.forRoot({ adapter: memory(), ensureTables: true }), OrdersModule)
    const { orders, db } = app.get(Orders)
    await orders.insert(order)
    const [row] = await orders.scan({ no: 'A1' }).toArray()
    expect(row).toBeInstanceOf(Order)
    expect(await db.repository(Order).get({ no: 'A1' })).toEqual(row)
    const tags = app.get<Repository<typeof Tags>>(getRepositoryToken(Tags), { strict: false })
    await tags.put({ name: 'new', note: '1' })
    expect(await tags.scan({ name: 'new' }).count()).toBe(1)
    await app.close()
  })

  test('are injected into fields', async () => {
    @Injectable()
    class Notes {
      @InjectRepository(Note) readonly notes!: Repository<Note>
    }
    @Module({ imports: [RowkeyModule.forFeature([Note])], providers: [Notes] })
    class NotesModule {}
    const app = await start(RowkeyModule.forRoot({ adapter: memory(), ensureTables: true }), NotesModule)
    await app.get(Notes, { strict: false }).notes.put({ id: '1', body: 'x' })
    await app.close()
  })

  test('of several stores are kept apart by name', async () => {
    const [main, archive] = [memory(), memory()]
    const app = await start(
      RowkeyModule.forRoot({ adapter: main, ensureTables: true }),
      RowkeyModule.forRoot({ adapter: archive, ensureTables: true, name: 'archive' }),
      RowkeyModule.forFeature([Order]),
      RowkeyModule.forFeature([Order], 'archive'),
    )
    const [orders, old] = [getRepositoryToken(Order), getRepositoryToken(Order, 'archive')].map((token) =>
      app.get<Repository<Order>>(token, { strict: false }),
    ) as [Repository<Order>, Repository<Order>]
    await old.insert(order)
    expect(await orders.get({ no: 'A1' })).toBeUndefined()
    expect(await createMapper(archive).repository(Order).get({ no: 'A1' })).toMatchObject(order)
    expect(app.get<Mapper>(getMapperToken('archive')).adapter).toBe(archive)
    expect(app.get<Mapper>(getMapperToken()).adapter).toBe(main)
    await app.close()
  })

  test('two models of one name have tokens of their own', () => {
    const other = defineTable('Order', { columns: { id: text() }, key: ['id'] })
    expect(String(getRepositoryToken(other))).toBe(String(getRepositoryToken(Order)))
    expect(getRepositoryToken(other)).not.toBe(getRepositoryToken(Order))
    expect(getRepositoryToken(Order)).toBe(getRepositoryToken(Order))
    expect(String(getRepositoryToken(Order, 'archive'))).toBe('Symbol(RowkeyRepository(Order, archive))')
  })

  test('can be replaced in tests', async () => {
    @Module({ imports: [RowkeyModule.forFeature([Order])], providers: [Orders] })
    class OrdersModule {}
    const fake = { get: () => Promise.resolve(order) }
    const app = await Test.createTestingModule({ imports: [RowkeyModule.forRoot({ adapter: memory() }), OrdersModule] })
      .overrideProvider(getRepositoryToken(Order))
      .useValue(fake)
      .compile()
    expect(app.get(Orders, { strict: false }).orders).toBe(fake)
    await app.close()
  })

  test('a model without its store is a clear error of NestJS', async () => {
    await expect(start(RowkeyModule.forFeature([Order], 'nowhere'))).rejects.toThrow(
      /RowkeyRepository\(Order, nowhere\).*RowkeyConnection\(nowhere\)/s,
    )
  })
})

describe('forRootAsync', () => {
  test('opens the store with injected providers, once', async () => {
    const CONFIG = Symbol('config')
    @Module({ providers: [{ provide: CONFIG, useValue: { prefix: 'dev_' } }], exports: [CONFIG] })
    class ConfigModule {}
    const adapter = memory()
    let opened = 0
    const app = await start(
      RowkeyModule.forRootAsync({
        imports: [ConfigModule],
        inject: [CONFIG],
        useFactory: async ({ prefix }: { prefix: string }) => {
          opened++
          await Promise.resolve()
          return { adapter, ensureTables: true, mapper: { prefix } }
        },
      }),
      RowkeyModule.forFeature([Order]),
    )
    expect(opened).toBe(1)
    expect(await adapter.describeTable('dev_orders')).toBeDefined()
    await app.close()
  })

  test('a store that cannot be opened stops the start with its own error', async () => {
    const failing = RowkeyModule.forRootAsync({ useFactory: () => Promise.reject(new Error('no password')) })
    await expect(start(failing, RowkeyModule.forFeature([Order]))).rejects.toThrow('no password')
  })

  test('what useFactory returns is checked', async () => {
    const misspelt = RowkeyModule.forRootAsync({ useFactory: () => ({ adapter: memory(), ensureTable: true }) as never })
    await expect(start(misspelt)).rejects.toThrow(
      "INVALID_OPTION: useFactory of forRootAsync() has no option 'ensureTable'. Did you mean 'ensureTables'? It takes",
    )
  })

  test('its own options are checked', () => {
    const options = { useFactory: () => ({ adapter: memory() }), injects: [] }
    expect(() => RowkeyModule.forRootAsync(options)).toThrow(
      "INVALID_OPTION: forRootAsync() has no option 'injects'. Did you mean 'inject'? It takes name, imports, inject, useFactory.",
    )
  })
})

describe('ensureTables', () => {
  test('creates the tables of all features before their repositories are injected, each once', async () => {
    const { adapter, calls } = observed()
    @Module({ imports: [RowkeyModule.forFeature([Order, Note])] })
    class FirstModule {}
    @Module({ imports: [RowkeyModule.forFeature([Order])] })
    class SecondModule {}
    const app = await start(RowkeyModule.forRoot({ adapter, ensureTables: true }), FirstModule, SecondModule)
    expect([...calls].sort()).toEqual(['ensure notes', 'ensure orders'])
    await app.close()
  })

  test('is off by default: the application changes no table', async () => {
    const { adapter, calls } = observed()
    const app = await start(RowkeyModule.forRoot({ adapter }), RowkeyModule.forFeature([Order]))
    expect(calls).toEqual([])
    const orders = app.get<Repository<Order>>(getRepositoryToken(Order), { strict: false })
    await expect(orders.insert(order)).rejects.toThrow('TABLE_NOT_FOUND')
    await app.close()
  })

  test('a table that does not fit stops the start', async () => {
    const adapter = memory()
    await createMapper(adapter).ensureTables([Tags])
    const Changed = defineTable('tags', { columns: { name: text(), other: text() }, key: ['name', 'other'] })
    await expect(start(RowkeyModule.forRoot({ adapter, ensureTables: true }), RowkeyModule.forFeature([Changed]))).rejects.toThrow(
      'SCHEMA_MISMATCH',
    )
  })
})

describe('shutdown', () => {
  test('closes the mapper, then the client', async () => {
    const { adapter, calls } = observed()
    const app = await start(RowkeyModule.forRoot({ adapter, close: () => (calls as string[]).push('client') }))
    await app.init()
    const db = app.get<Mapper>(getMapperToken())
    await app.close()
    expect(calls).toEqual(['close', 'client'])
    await expect(db.repository(Order).get({ no: 'A1' })).rejects.toThrow('CLOSED')
  })

  test('closes the client also if the mapper cannot be closed', async () => {
    const adapter = Object.create(memory(), { close: { value: () => Promise.reject(new Error('stuck')) } }) as Adapter
    let closed = false
    const app = await start(RowkeyModule.forRoot({ adapter, close: () => (closed = true) }))
    await app.init()
    app.useLogger(false)
    await app.close().catch(() => undefined) // NestJS logs what a hook throws, or throws it
    expect(closed).toBe(true)
  })
})

describe('wrong options are refused where they are written', () => {
  const circular = undefined as unknown as typeof Order
  test.each([
    ['no adapter', () => RowkeyModule.forRoot({} as never), 'takes an adapter'],
    ['the function of an adapter', () => RowkeyModule.forRoot({ adapter: memory as never }), 'Call its function'],
    ['no options', () => RowkeyModule.forRoot(undefined as never), 'takes options'],
    ['a misspelt option', () => RowkeyModule.forRoot({ adapter: memory(), prefix: 'x' } as never), "no option 'prefix'"],
    ['models as ensureTables', () => RowkeyModule.forRoot({ adapter: memory(), ensureTables: [Order] as never }), 'forFeature'],
    ['a client as close', () => RowkeyModule.forRoot({ adapter: memory(), close: {} as never }), 'closes your client'],
    ['an empty name', () => RowkeyModule.forRoot({ adapter: memory(), name: '' }), 'is a text'],
    ['no factory', () => RowkeyModule.forRootAsync({} as never), 'useFactory'],
    ['one model', () => RowkeyModule.forFeature(Order as never), 'forFeature([Order])'],
    ['a class that is not defined yet', () => RowkeyModule.forFeature([circular]), 'import each other'],
    ['an undefined class in a decorator', () => InjectRepository(circular), 'import each other'],
  ])('%s', (_, call, message) => {
    let caught: unknown
    try {
      call()
    } catch (error) {
      caught = error
    }
    expect(isRowkeyError(caught, 'INVALID_OPTION')).toBe(true)
    expect((caught as Error).message).toContain(message)
  })
})
