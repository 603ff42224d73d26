import { bucket, desc, period, random, text, timestamp, uint32 } from '#codec'
import { createMapper, type Repository } from '#mapper'
import { memory } from '#memory'
import { Bucket, Column, defineTable, KeyColumn, PartitionKey, RowKey, rowKeyText, schemaOf, Table } from '#model'
import { expect, test } from 'vitest'
import { codeOf, refusalOf } from '../../../../../test/kit/refusal.js'

@Table('logs')
@Bucket({ of: 'seq', count: 4 })
class Log {
  declare [RowKey]?: {
    partition: ['host', 'day']
    key: ['at', 'seq']
    period: { day: 'at' }
    value: 'line'
    default: 'seq' | 'level'
    other: 'label'
  }
  @PartitionKey(1, text()) host!: string
  @PartitionKey(2, period('day', { of: 'at', offset: '-05:00' })) day!: Date
  @KeyColumn(3, desc(timestamp('ms'))) at!: Date
  @KeyColumn(4, uint32({ default: random(100) })) seq!: number
  @Column(text()) line!: string
  @Column(text({ default: 'info' })) level = 'warn'

  get label(): string {
    return `${this.day.toISOString().slice(0, 10)} ${this.line}`
  }
}

const at = new Date('2026-03-02T04:59:59.999Z')
const march = (day: number): Date => new Date(Date.UTC(2026, 2, day))
const key = { host: 'a', at, seq: 7 }

async function opened(): Promise<Repository<Log>> {
  const db = createMapper(memory())
  await db.ensureTables([Log])
  return db.repository(Log)
}

test('a class with a period is the table of defineTable(), in the direction of its source', () => {
  const columns = {
    level: text({ default: 'info' }),
    line: text(),
    seq: uint32({ default: random(100) }),
    at: desc(timestamp('ms')),
    day: period('day', { of: 'at', offset: '-05:00' }),
    host: text(),
  }
  const salt = bucket({ of: 'seq', count: 4 })
  const defined = defineTable('logs', { columns, partition: ['host', 'day'], key: ['at', 'seq'], salt })
  expect(JSON.stringify(schemaOf(Log))).toBe(JSON.stringify(defined))
  expect(schemaOf(Log).columns.find(({ name }) => name === 'day')?.type).toMatchObject({ every: 'day', of: 'at', desc: true })
})

test('rows that are read are instances with their period; keys and rows to write may leave it out', async () => {
  const logs = await opened()
  const whole = { host: 'a', day: march(1), at, seq: 7 }
  expect(await logs.insert({ ...key, line: 'x' })).toEqual({ key: whole })
  for (const row of [
    await logs.getOrThrow(key),
    await logs.getOrThrow(whole),
    ...(await logs.scan({ host: 'a', day: march(1) }).toArray()),
  ]) {
    expect(row).toBeInstanceOf(Log)
    expect({ ...row }).toEqual({ ...whole, line: 'x', level: 'info' })
    expect(row.label).toBe('2026-03-01 x')
    expect(logs.keyOf(row)).toEqual(whole)
    expect(await logs.exists(row)).toBe(true)
  }
  expect(logs.decodeKey(logs.encodeKey(key))).toEqual(whole)
  await logs.update(key, { line: 'y' })
  expect(await codeOf(() => logs.update(key, { day: march(1) } as object))).toBe('KEY_IMMUTABLE')
  expect(await logs.getMany([key, whole, { ...key, seq: 8 }])).toMatchObject([{ line: 'y' }, { line: 'y' }, undefined])
  const { message } = await refusalOf(() => logs.get({ ...key, day: march(2) }))
  expect(message).toContain(
    "column 'day' of 'logs' is computed from 'at', so it is 2026-03-01T00:00:00.000Z, not 2026-03-02T00:00:00.000Z.",
  )
  await logs.delete(whole)
  expect(await logs.readAll().count()).toBe(0)
})

test('an instance that was constructed and assigned is written, whether the compiler defines its fields or not', async () => {
  const logs = await opened()
  const made = Object.assign(new Log(), { host: 'a', at, line: 'x' })
  const { key: written } = await logs.insert(made)
  expect(await logs.getOrThrow(written)).toMatchObject({ day: march(1), level: 'warn', line: 'x' })
  await logs.put(await logs.getOrThrow(written))
  const moved = Object.assign(await logs.getOrThrow(written), { at: march(9) })
  expect((await refusalOf(() => logs.put(moved))).message).toContain('it is 2026-03-08T00:00:00.000Z, not 2026-03-01T00:00:00.000Z')
})

test('scans find the periods of their source, with bounds that lack it', async () => {
  const logs = await opened()
  for (let hour = 0; hour < 96; hour++)
    await logs.put({ host: 'a', at: new Date(march(1).getTime() + hour * 3_600_000), seq: hour, line: '' })
  const hours = async (scan: AsyncIterable<Log>): Promise<number[]> => {
    const found: number[] = []
    for await (const { seq } of scan) found.push(seq)
    return found
  }
  const window = { gte: march(2), lt: march(4) }
  expect(await hours(logs.scan({ host: 'a', at: window }))).toEqual(Array.from({ length: 48 }, (_, i) => 71 - i))
  expect(await hours(logs.scan({ host: 'a', at: window }, { after: { at: march(3), seq: 48 }, limit: 3 }))).toEqual([47, 46, 45])
  expect(await hours(logs.scan({ host: 'a', at: window }, { order: 'reverse', from: { at: march(3) }, limit: 2 }))).toEqual([48, 49])
  expect(await hours(logs.scan({ host: 'a', day: march(1) }, { limit: 2 }))).toEqual([28, 27])
  // The compiler refuses it too.
  expect(await codeOf(() => logs.scan({ host: 'a', at: { gte: march(2) } } as never).toArray())).toBe('PARTITION_REQUIRED')
})

test('what a class should declare names its periods', () => {
  expect(rowKeyText(schemaOf(Log))).toBe(
    "declare [RowKey]?: { partition: ['host', 'day']; key: ['at', 'seq']; period: { day: 'at' }; value: 'line'; default: 'seq' | 'level'; other: 'label' }",
  )
  @Table('odd')
  class Odd {
    @KeyColumn(1, period('year', { of: "it's" })) 'of-year'!: Date
    @KeyColumn(2, timestamp('ms', { name: 'its' })) "it's"!: Date
  }
  expect(rowKeyText(schemaOf(Odd))).toBe(`declare [RowKey]?: { key: ['of-year', 'it\\'s']; period: { 'of-year': 'it\\'s' } }`)
})
