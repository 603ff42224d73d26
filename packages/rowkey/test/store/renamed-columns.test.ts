import { int32, json, nullable, text, uint16, uint8, type ColumnType } from '#codec'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { defineTable, type TableSchema } from '#model'
import { expect, test } from 'vitest'
import { refusalOf } from '../../../../test/kit/refusal.js'

const people = (names: readonly string[], retired: readonly string[] = []): TableSchema =>
  defineTable('people', {
    columns: {
      id: text(),
      ...Object.fromEntries(names.map((name) => [name, name.startsWith('n') ? nullable(int32()) : nullable(text())])),
    },
    key: ['id'],
    retired,
  })

test('TABLE-12: a model that follows the remedy is not refused again, however many columns there are', async () => {
  const adapter = memory()
  const ensure = (model: TableSchema) => createMapper(adapter).ensureTables([model])
  await ensure(people(['phone', 'fax', 'mail', 'number', 'kept']))
  const { message } = await refusalOf(() => ensure(people(['kept', 'mobile', 'name'])))
  for (const added of ['mobile', 'name']) {
    expect(message).toContain(`the model adds '${added}', the table has 'fax', 'mail', 'number', 'phone', which the model does not declare`)
  }
  expect(message).toContain("If 'mobile' is 'fax', give its type { name: 'fax' }")
  const retired = /retired: \[(.*)\]/.exec(message)?.[1]?.replaceAll("'", '').split(', ')
  await ensure(people(['kept', 'mobile', 'name'], retired))
})

test('TABLE-12: a column with another name and another type loses no values either', async () => {
  const adapter = memory()
  const Old = defineTable('people', { columns: { id: text(), profile: nullable(text()) }, key: ['id'] })
  const columns = { id: text(), details: nullable(json()) }
  const before = createMapper(adapter)
  await before.ensureTables([Old])
  await before.repository(Old).put({ id: 'a', profile: 'kept' })
  const Renamed = defineTable('people', { columns, key: ['id'] })
  const { code, message } = await refusalOf(() => createMapper(adapter).ensureTables([Renamed]))
  expect([code, message]).toEqual(['SCHEMA_MISMATCH', expect.stringContaining("retired: ['profile']")])
  expect(message).not.toContain('{ name:')
  expect(await createMapper(adapter).repository(Old).get({ id: 'a' })).toEqual({ id: 'a', profile: 'kept' })
  await createMapper(adapter).ensureTables([defineTable('people', { columns, key: ['id'], retired: ['profile'] })])
})

test('TABLE-2 TABLE-7: a column whose default rows mean is not told to become wider or nullable', async () => {
  const table = (v: ColumnType) => defineTable('levels', { columns: { id: text(), v }, key: ['id'] })
  for (const other of [nullable(uint8()), nullable(uint8({ default: 1 })), uint16(), uint16({ default: 2 })]) {
    const db = createMapper(memory())
    await db.ensureTables([table(uint8({ default: 1 }))])
    const { message } = await refusalOf(() => db.ensureTables([table(other)]))
    expect(message).toContain('rows of the table without it mean its default, 1')
    expect(message).not.toContain('widens it')
    await db.ensureTables([table(uint16({ default: 1 }))])
  }
})

test('TABLE-12: of many columns the message lists some', async () => {
  const adapter = memory()
  const names = (prefix: string): readonly string[] => Array.from({ length: 120 }, (_, i) => `${prefix}${i}`)
  await createMapper(adapter).ensureTables([people(names('old'))])
  const { message, details } = await refusalOf(() => createMapper(adapter).ensureTables([people(names('late'))]))
  expect(message).toContain('- and 108 more')
  expect(message.length).toBeLessThan(8_000)
  expect((details as { differences: unknown[] }).differences).toHaveLength(120)
})

test('TABLE-7: a table does not get more columns than a catalog can have, whoever declares them', async () => {
  const adapter = memory()
  const names = (prefix: string): readonly string[] => Array.from({ length: 150 }, (_, i) => `${prefix}${i}`)
  await createMapper(adapter).ensureTables([people(names('old'))])
  const { code, message } = await refusalOf(() => createMapper(adapter).ensureTables([people(names('late'), names('old'))]))
  expect([code, message]).toEqual(['SCHEMA_MISMATCH', expect.stringContaining('301 columns, also those that models no longer declare')])
  // Two at once: neither sees the columns of the other before it adds its own.
  const [left, right] = [names('l').slice(60), names('r').slice(60)].map((more) => [...names('old').slice(0, 1), ...more])
  const both = [left, right].map((columns) => createMapper(adapter).ensureTables([people(columns as string[], names('old').slice(1))]))
  const ends = (await Promise.allSettled(both)).map((end) => (end.status === 'rejected' ? String(end.reason).slice(0, 300) : 'done'))
  expect(ends).toEqual(['done', expect.stringContaining('SCHEMA_MISMATCH')])
  await createMapper(adapter).ensureTables([people(names('old'))])
})

test('TABLE-7: the expiry and the version of rows are no columns that count', async () => {
  const db = createMapper(memory())
  const table = (count: number): TableSchema =>
    defineTable('full', {
      columns: { id: text(), ...Object.fromEntries(Array.from({ length: count - 1 }, (_, i) => [`c${i}`, nullable(text())])) },
      key: ['id'],
      ttl: '1d',
      version: 'rev',
    })
  await db.ensureTables([table(20)])
  await db.ensureTables([table(250)])
})
