import { decimal, desc, int64, nullable, reversed, text, timestamp, uint64 } from '#codec'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { defineTable, defined } from '#model'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const columns = {
  channel: uint64({ as: 'text' }),
  id: desc(int64({ as: 'text' })),
  at: timestamp('us', { as: 'text' }),
  reply: nullable(int64({ as: 'text' })),
  shard: reversed(int64({ as: 'text', default: '0' })),
  likes: int64({ as: 'text', default: '0' }),
  price: decimal(9, 2),
  body: text(),
}
const Messages = defineTable('messages', { columns, key: ['channel', 'id'], version: 'rev' })

async function open() {
  const db = createMapper(memory())
  await db.ensureTables([Messages])
  return db.repository(Messages)
}

const between = (min: bigint, max: bigint): fc.Arbitrary<string> =>
  fc.oneof(fc.bigInt({ min, max }), fc.constantFrom(min, max, 0n, 2n ** 53n + 1n)).map(String)
const signed = between(-(2n ** 63n), 2n ** 63n - 1n)

test('a row with 64-bit columns as text goes through JSON and is the same row, whatever its numbers', async () => {
  const messages = await open()
  const rows = fc.record({ channel: between(0n, 2n ** 64n - 1n), id: signed, at: signed, reply: fc.option(signed), shard: signed })
  await fc.assert(
    fc.asyncProperty(rows, async (row) => {
      const whole = { ...row, likes: '5', price: '1.50', body: 'x' }
      await messages.put(JSON.parse(JSON.stringify(whole)) as typeof whole)
      const { channel, id } = JSON.parse(JSON.stringify(row)) as typeof row
      const { rev: _, ...found } = await messages.getOrThrow({ channel, id })
      expect(JSON.parse(JSON.stringify(found))).toEqual(whole)
      const { at, reply } = row
      const same = await messages
        .scan({ channel, id: { gte: id, lte: id }, at: { in: [at] }, ...(reply === null ? {} : { reply }) })
        .toArray()
      expect(same).toHaveLength(1)
    }),
  )
})

test('as text they have the order of numbers, in keys, conditions and bounds', async () => {
  const messages = await open()
  const ids = ['-9223372036854775808', '-10', '-9', '0', '9', '10', '9007199254740993', '9223372036854775807']
  await messages.putMany(ids.map((id) => ({ channel: '1', id, at: id, reply: null, price: '0.00', body: '' })))
  const found = async (where: object, options = {}): Promise<string[]> =>
    (await messages.scan({ channel: '1', ...where }, options).toArray()).map(({ id }) => id)
  expect(await found({})).toEqual(ids.toReversed())
  expect(await found({ id: { gt: '-10', lt: '9007199254740993' } })).toEqual(['10', '9', '0', '-9'])
  expect(await found({ at: { gte: '9' } })).toEqual(ids.slice(4).toReversed())
  expect(await found({}, { after: { id: '10' } })).toEqual(['9', '0', '-9', '-10', '-9223372036854775808'])
  expect(await found(defined({ channel: '1', id: { in: ['10', '-9'] } }))).toEqual(['10', '-9'])
  const page = await messages.scan({ channel: '1' }).page({ size: 3 })
  expect((await messages.scan({ channel: '1' }).page({ size: 3, cursor: page.cursor })).rows.map(({ id }) => id)).toEqual(['9', '0', '-9'])
})

test('as text they are incremented by text, and meet conditions of writes', async () => {
  const messages = await open()
  const key = { channel: '1', id: '9223372036854775807' }
  await messages.put({ ...key, at: '0', reply: null, price: '0.00', body: '' })
  await messages.increment(key, { likes: '9007199254740993', reply: '-1' })
  expect(await messages.increment(key, { likes: '-2' }, { returning: true })).toMatchObject({
    row: { likes: '9007199254740991', reply: '-1' },
  })
  await messages.update(key, { body: 'y' }, { if: { likes: { gte: '9007199254740991' } } })
  await expect(messages.update(key, { body: 'z' }, { if: { likes: '10' } })).rejects.toThrow(/^CONDITION_FAILED/)
  for (const by of ['1.5', '', '+1', '0x1', 'one', 1]) {
    await expect(messages.increment(key, { likes: by as string }), String(by)).rejects.toThrow(
      `Give a whole number as text, such as '-1', at most as large as the range of the column.`,
    )
  }
  await expect(messages.increment(key, { likes: '9223372036854775807' })).rejects.toThrow(/^OUT_OF_RANGE/)
})

test('a table is the same whether its 64-bit columns are bigint or text', async () => {
  const db = createMapper(memory())
  const numbers = defineTable('n', { columns: { id: int64(), at: timestamp('ns') }, key: ['id'] })
  const texts = defineTable('n', { columns: { id: int64({ as: 'text' }), at: timestamp('ns', { as: 'text' }) }, key: ['id'] })
  await db.ensureTables([numbers])
  await db.repository(numbers).put({ id: -5n, at: 7n })
  await db.ensureTables([texts])
  expect(await db.repository(texts).get({ id: '-5' })).toEqual({ id: '-5', at: '7' })
  await db.repository(texts).put({ id: '5', at: '-7' })
  expect(await db.repository(numbers).get({ id: 5n })).toEqual({ id: 5n, at: -7n })
})
