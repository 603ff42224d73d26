import { int32, json, nullable, text } from '#codec'
import { createMapper, type MapperOptions } from '#mapper'
import { createPausing } from '#mapper/internal'
import { memory } from '#memory'
import { Column, defineTable, KeyColumn, Table } from '#model'
import * as classTransformer from 'class-transformer'
import * as classValidator from 'class-validator'
import { IsDefined, IsEmpty, IsOptional, IsString, Min, registerDecorator, ValidateNested } from 'class-validator'
import { expect, test } from 'vitest'
import { refusalOf } from '../../../../../test/kit/refusal.js'
import { issuesOf, on } from '../../../../../test/kit/checked.js'

/** `@Type`, which asks for the metadata of compilers: other tests of this process must not find any. */
const Type =
  (...given: Parameters<typeof classTransformer.Type>): PropertyDecorator =>
  (target, field) => {
    const reflect = Reflect as { getMetadata?: unknown }
    const before = Object.getOwnPropertyDescriptor(reflect, 'getMetadata')
    Object.defineProperty(reflect, 'getMetadata', { value: () => undefined, configurable: true })
    classTransformer.Type(...given)(target, field)
    if (before === undefined) Reflect.deleteProperty(reflect, 'getMetadata')
    else Object.defineProperty(reflect, 'getMetadata', before)
  }

class Item {
  sku!: string
  n!: number
}
on(Item, 'sku', IsString())
on(Item, 'n', Min(1))
class Box {
  items!: Item[]
}
on(
  Box,
  'items',
  ValidateNested({ each: true }),
  Type(() => Item),
)

@Table('orders')
class Order {
  @KeyColumn(1, text()) id!: string
  @Column(json<Item[]>()) items!: Item[]
  @Column(nullable(json<Item>())) gift!: Item | null
  @Column(nullable(json<Box>())) box!: Box | null
}
on(
  Order,
  'items',
  ValidateNested({ each: true }),
  Type(() => Item),
)
on(
  Order,
  'gift',
  IsOptional(),
  ValidateNested(),
  Type(() => Item),
)
on(
  Order,
  'box',
  IsOptional(),
  ValidateNested(),
  Type(() => Box),
)

const item = { sku: 'a', n: 1 }
/** A plain object, as clients send it. */
const plain = (row: object): Order => row as Order
async function open(options: MapperOptions) {
  const db = createMapper(memory(), { classValidator, ...options })
  await db.ensureTables([Order])
  return db.repository(Order)
}

test('ROW-6: lists, what may be null and lists within objects are checked by the class of @Type', async () => {
  const orders = await open({ classTransformer })
  await orders.insert(plain({ id: '1', items: [item], gift: null, box: { items: [item] } }))
  const bad = { sku: 'a', n: 0 }
  expect(await issuesOf(() => orders.insert(plain({ id: '2', items: [item, bad], gift: bad, box: { items: [bad] } })))).toEqual([
    'items.1.n',
    'gift.n',
    'box.items.0.n',
  ])
  expect(await issuesOf(() => orders.update({ id: '1' }, plain({ gift: bad })))).toEqual(['gift.n'])
  // As a ValidationPipe hands them over.
  const given = classTransformer.plainToInstance(Order, { id: '3', items: [item, item], gift: item })
  expect(given.items[1]).toBeInstanceOf(Item)
  await orders.insert(given)
  expect(await orders.get({ id: '3' })).toEqual(Object.assign(new Order(), { id: '3', items: [item, item], gift: item, box: null }))
})

test('ROW-6: without the library that knows the classes, the model is refused with the remedy', async () => {
  const { code, message } = await refusalOf(() => open({}))
  expect(code).toBe('INVALID_SCHEMA')
  expect(message).toContain("'items' has @ValidateNested(), but the class of its data is unknown")
  expect(message).toContain('{ classTransformer }')
})

const discriminator = { property: 'kind', subTypes: [{ name: 'box', value: Box }] }
test.each([
  ['a discriminator', Type(() => Item, { discriminator })],
  ['a function of the data', Type((given) => ((given?.object as { item: { kind?: string } }).item.kind === 'box' ? Box : Item))],
  ['a function of the row', Type((given) => ((given?.object as { kind?: string }).kind === 'box' ? Box : Item))],
])('ROW-6: a field whose objects choose their class is refused: %s', async (_, type) => {
  @Table('several')
  class Several {
    @KeyColumn(1, text()) id!: string
    @Column(json<Item>()) item!: Item
  }
  on(Several, 'item', ValidateNested(), type)
  const { message } = await refusalOf(() => createMapper(memory(), { classValidator, classTransformer }).repository(Several))
  expect(message).toContain("- INVALID_CHECK: 'item' has @ValidateNested(), but the class of its data is unknown")
})

test('ROW-6: groups of checks are chosen for a mapper', async () => {
  @Table('grouped')
  class Grouped {
    @KeyColumn(1, text()) id!: string
    @Column(nullable(text())) by!: string | null
    @Column(int32()) n!: number
  }
  on(Grouped, 'by', IsEmpty({ groups: ['create'] }), IsDefined({ groups: ['stored'] }))
  on(Grouped, 'n', Min(1, { always: true }))
  const rowsFor = async (validatorGroups: MapperOptions['validatorGroups']) => {
    const db = createMapper(memory(), { classValidator, ...(validatorGroups === undefined ? {} : { validatorGroups }) })
    await db.ensureTables([Grouped])
    return db.repository(Grouped)
  }
  const stored = await rowsFor(['stored'])
  await stored.insert({ id: '1', by: 'ann', n: 1 })
  expect(await issuesOf(() => stored.insert({ id: '2', by: null, n: 1 }))).toEqual(['by'])
  expect(await issuesOf(() => stored.update({ id: '1' }, { n: 0 }))).toEqual(['n'])
  const created = await rowsFor(['create'])
  await created.insert({ id: '1', by: null, n: 1 })
  expect(await issuesOf(() => created.insert({ id: '2', by: 'ann', n: 1 }))).toEqual(['by'])
  const all = await rowsFor(undefined)
  expect(await issuesOf(() => all.insert({ id: '1', by: null, n: 1 }))).toEqual(['by'])
  expect(await refusalOf(() => rowsFor([]))).toMatchObject({ code: 'INVALID_OPTION', details: { option: 'validatorGroups' } })
})

test('ROW-6: a row that others change each time is told as busy, after eight times as many attempts', async () => {
  let checks = 0
  let rival: (() => Promise<unknown>) | undefined
  @Table('busy')
  class Busy {
    @KeyColumn(1, text()) id!: string
    @Column(int32()) n!: number
    @Column(int32()) other!: number
  }
  const check: PropertyDecorator = (object, propertyName) => {
    const validate = async () => (checks++, await rival?.(), true)
    registerDecorator({
      name: 'contended',
      async: true,
      target: object.constructor,
      propertyName: String(propertyName),
      validator: { validate },
    })
  }
  on(Busy, 'n', check)
  const adapter = memory()
  let pauses = 0
  const sleep = () => (pauses++, Promise.resolve())
  const db = createPausing(adapter, { classValidator, retry: { attempts: 3 } }, { sleep })
  await db.ensureTables([Busy])
  const Unchecked = defineTable('busy', { columns: { id: text(), n: int32(), other: int32() }, key: ['id'] })
  const plain = createMapper(adapter).repository(Unchecked)
  const rows = db.repository(Busy)
  await rows.insert({ id: 'a', n: 1, other: 0 })
  checks = 0
  rival = () => plain.increment({ id: 'a' }, { other: 1 })
  const { code, message, details } = await refusalOf(() => rows.update({ id: 'a' }, { n: 2 }))
  expect([code, details['repeatable'], details['key']]).toEqual(['WRITE_FAILED', true, { id: 'a' }])
  expect(message).toContain(
    'each of the 24 times that it was read, somebody else had changed it in the meantime. It is safe to repeat the call.',
  )
  expect([checks, pauses]).toEqual([24, 23])
  // The caller's own condition is to blame as soon as it fails.
  expect(await refusalOf(() => rows.update({ id: 'a' }, { n: 2 }, { if: { n: 7 } }))).toMatchObject({ code: 'CONDITION_FAILED' })
  rival = undefined
  await rows.update({ id: 'a' }, { n: 2 })
})
