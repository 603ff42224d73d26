import type { Adapter, StoreDescription, SupportsDdl, TableSchema } from 'rowkey/adapter'
import { bool, bucket, bytes, defineTable, desc, hashPrefix, int64, nullable, text, timestamp, uint32 } from 'rowkey'
import { expect, test, vi } from 'vitest'

const columns = {
  tenant: text(),
  id: int64(),
  at: desc(timestamp('ms')),
  note: nullable(text({ default: "it's" })),
  raw: nullable(bytes()),
  on: bool(),
}

/** They differ in what definitions depend on. */
export const schemas: readonly TableSchema[] = [
  defineTable('plain', { columns, key: ['tenant', 'id'], writes: 'plain' }),
  defineTable('salted', {
    columns,
    key: ['id', 'at'],
    salt: bucket({ of: 'id', count: 4 }),
    ttl: '7d',
    stores: { kudu: { range: { of: 'at', every: 'week', from: '2026-01-05' }, expire: 'rotate' } },
  }),
  defineTable('parted', { columns, partition: ['tenant'], key: ['at', 'id'], version: 'rev' }),
  defineTable('prefixed', { columns, key: ['tenant'], salt: hashPrefix({ of: 'tenant', digits: 4 }) }),
  defineTable('seconds', { columns: { at: timestamp('ms'), n: uint32() }, key: ['at'], salt: bucket({ of: 'at', modulo: 16 }) }),
]

/**
 * Tests that an adapter is what the description of its store says, and that its definitions are those of the description with these options.
 *
 * @param load imports the description alone
 * @param driver the client, which it must not need
 */
export function testDescription(
  description: StoreDescription,
  adapter: Adapter & Partial<SupportsDdl>,
  load: () => Promise<object>,
  driver?: string,
  options?: object,
): void {
  test('the adapter takes what it is from its description, which is frozen', () => {
    for (const part of ['name', 'capabilities', 'hints', 'names', 'widens'] as const) expect(adapter[part], part).toBe(description[part])
    expect(adapter.ddl === undefined).toBe(description.ddl === undefined)
    for (const part of [description, description.capabilities, description.capabilities.limits]) expect(Object.isFrozen(part)).toBe(true)
  })

  if (adapter.ddl !== undefined) {
    test.each(schemas)("$name: the description's definition is the adapter's", (schema) => {
      const { text: shown, statements } = description.ddl?.(schema, options) ?? { text: '', statements: [] }
      expect(statements.length).toBeGreaterThan(0)
      expect(shown).toContain(schema.name)
      expect(description.ddl?.(schema, options)).toEqual(adapter.ddl?.(schema))
    })

    test('findings are whole sentences, and those that are about every store are among them', () => {
      const found = schemas.flatMap((schema) => description.ddl?.(schema, options)?.warnings ?? [])
      expect(found.map(({ code }) => code)).toContain('modulo-seconds')
      for (const { message, fix } of found) for (const each of [message, fix ?? '.']) expect(each).toMatch(/^['A-Z0-9.].*\.$|^\.$/)
    })

    test('what the store does not accept is refused, with no client', () => {
      const hinted = defineTable('hinted', { columns, key: ['id'], stores: { [description.name]: { nothing: 1 } } })
      expect(() => description.ddl?.(hinted)).toThrow('INVALID_OPTION')
      expect(() => description.ddl?.(schemas[0] as TableSchema, { nothing: 1 })).toThrow('INVALID_OPTION')
    })
  }

  if (driver === undefined) return

  test('the description is made without the client', async () => {
    vi.resetModules()
    vi.doMock(driver, () => {
      throw new Error(`${driver} is imported`)
    })
    await expect(load()).resolves.toBeTypeOf('object')
    vi.doUnmock(driver)
    vi.resetModules()
  })
}
