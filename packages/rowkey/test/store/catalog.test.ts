import { derived } from '#codec/internal'
import { decimal, defineTable, int32, nullable, text, type Adapter } from 'rowkey'
import { memory } from '#memory'
import { createMapper } from '#mapper'
import { schemaFromJSON, type TableSchema } from '#model'
import { ensureTable, openTable } from '#store/engine'
import { newCatalog, type TableCatalog } from '#store/adapter'
import { describe, expect, test } from 'vitest'
import { everyType, expiring, laterTypes } from '../../../../test/written-before/schemas.js'

/** A store whose only table has this catalog, and what it is asked to do. */
function holding(catalog: object): { readonly adapter: Adapter; readonly made: string[] } {
  const made: string[] = []
  const base = memory()
  const adapter: Adapter = {
    name: base.name,
    capabilities: base.capabilities,
    table: (schema, found) => base.table(schema, found),
    write: (batch, options) => base.write(batch, options),
    async ensureTable(schema) {
      made.push(schema.name)
      await base.ensureTable(schema)
      return catalog as TableCatalog
    },
    describeTable: async () => catalog as TableCatalog,
    dropTable: async () => undefined,
    close: () => base.close(),
  }
  return { adapter, made }
}

/** As an adapter that keeps text stores and finds it. */
const catalogOf = (schema: TableSchema): TableCatalog => JSON.parse(JSON.stringify(newCatalog(schema))) as TableCatalog

const failure = async (run: () => Promise<unknown>): Promise<{ code?: string; message: string }> =>
  run().then(
    () => ({ message: 'nothing was refused' }),
    (error: unknown) => error as { code?: string; message: string },
  )

const Prices = defineTable('prices', {
  columns: { k: int32(), price: decimal(9, 2), note: nullable(text()) },
  key: ['k'],
  writes: 'plain',
}) as TableSchema

describe('TABLE-6: catalogs of earlier versions', () => {
  test.each([
    ['the first types', everyType],
    ['types that came later', laterTypes],
    ['expiry and versions', expiring],
  ])('TABLE-6: %s: their models fit, and other columns can be added', async (_, written) => {
    const schema = schemaFromJSON(JSON.parse(written) as object)
    const base = memory()
    await base.ensureTable(schema)
    const { adapter } = holding({ ...newCatalog(schema), schema: JSON.parse(written) as object })
    await ensureTable(adapter, schema)
    expect(JSON.stringify((await adapter.describeTable(schema.name))?.schema)).toBe(written)
  })
})

describe('TABLE-6: catalogs that cannot be read whole', () => {
  const change = (
    edit: (catalog: { schema: { columns: { type: Record<string, unknown> }[] } } & Record<string, unknown>) => void,
  ): object => {
    const catalog = catalogOf(Prices)
    edit(catalog as never)
    return catalog
  }
  const newer = 'If a newer version wrote it, use that version.'
  test.each<[string, object, string, string, string]>([
    [
      'a type that lacks its scale: nobody guesses which it was',
      change(({ schema }) => delete schema.columns[2]?.type['scale']),
      'INVALID_SCHEMA',
      'columns[2].type.scale is missing',
      '',
    ],
    [
      'a type with an option of a newer version',
      change(({ schema }) => Object.assign(schema.columns[1]?.type ?? {}, { collation: 'de' })),
      'INVALID_SCHEMA',
      'columns[1].type.collation is unknown to this version',
      newer,
    ],
    [
      'a schema with a field of a newer version',
      change(({ schema }) => Object.assign(schema, { views: [] })),
      'INVALID_SCHEMA',
      'views is unknown to this version',
      newer,
    ],
    [
      'a field of a newer version',
      change((catalog) => (catalog['views'] = [])),
      'SCHEMA_MISMATCH',
      "its catalog has 'views', which is unknown to this version",
      newer,
    ],
    [
      'an index in a state of a newer version',
      change((catalog) => (catalog['indexes'] = { byTag: 'paused' })),
      'SCHEMA_MISMATCH',
      'an index in its catalog is "paused", which is unknown to this version',
      newer,
    ],
    [
      'indexes that are none',
      change((catalog) => (catalog['indexes'] = [])),
      'SCHEMA_MISMATCH',
      'an index in its catalog is a list of 0',
      newer,
    ],
    [
      'another format',
      change((catalog) => (catalog['format'] = 2)),
      'SCHEMA_MISMATCH',
      'its catalog has format 2, but this version reads format 1',
      newer,
    ],
    [
      'another format of the schema',
      change(({ schema }) => Object.assign(schema, { format: 2 })),
      'INVALID_SCHEMA',
      'the JSON has format 2, but this version reads format 1',
      'a newer one',
    ],
    [
      'no list of the columns',
      change((catalog) => (catalog['valueColumns'] = null)),
      'SCHEMA_MISMATCH',
      "'values' of its catalog is null, not a list of names",
      'Something other than rowkey wrote it',
    ],
    [
      'no format',
      change((catalog) => delete catalog['format']),
      'SCHEMA_MISMATCH',
      "its catalog lacks 'format'",
      'Something other than rowkey wrote it',
    ],
  ])('TABLE-6: %s', async (_, catalog, code, what, remedy) => {
    const { adapter, made } = holding(catalog)
    const db = createMapper(adapter)
    for (const call of [
      () => db.ensureTables([Prices]),
      () => db.repository(Prices).get({ k: 1 }),
      () => db.repository(Prices).put({ k: 1, price: '1.00' }),
      () => openTable(adapter, Prices),
    ]) {
      const error = await failure(call)
      expect(error.code).toBe(code)
      expect(error.message).toContain("'prices'")
      expect(error.message).toContain(what)
      expect(error.message).toContain(remedy)
    }
    expect(made).toEqual([])
  })
})

describe('TABLE-2: the line of a difference shows it', () => {
  const lineOf = async (table: TableSchema, model: TableSchema): Promise<string> => {
    const { adapter } = holding(catalogOf(table))
    const error = await failure(() => openTable(adapter, model))
    return ((error as { details?: { differences: readonly string[] } }).details?.differences ?? []).join('\n')
  }
  const withDefault = (initial: string): TableSchema =>
    defineTable('prices', { columns: { k: int32(), v: text({ default: initial }) }, key: ['k'] })

  test('TABLE-2: of long defaults that begin alike, the place', async () => {
    const long = 'x'.repeat(100)
    expect(await lineOf(withDefault(`${long}A`), withDefault(`${long}B!`))).toBe(
      `column 'v': the model has the default "xxxxxxxxxxxxxxxxxxxxxxx…xxxxxxxxxxxxxxxxB!" (104 characters, the first that differs is number 102), ` +
        `rows of the table without it mean "xxxxxxxxxxxxxxxxxxxxxxx…xxxxxxxxxxxxxxxxA" (103 characters, the first that differs is number 102)`,
    )
    expect(await lineOf(withDefault(long), withDefault(`${long}${long}`))).toContain(
      '(202 characters, the first that differs is number 102)',
    )
    expect(await lineOf(withDefault('a'), withDefault(`${long}B`))).toContain('the model has the default "xxxxxx')
  })

  test('TABLE-2: of an option that no text names yet, the data', async () => {
    const collated = derived(text({ default: 'a' }), { collation: 'de' } as object)
    const model = defineTable('prices', { columns: { k: int32(), v: collated }, key: ['k'] }) as TableSchema
    const line = await lineOf(withDefault('a'), model)
    expect(line).toMatch(/^column 'v': the model has \["text",.*\["collation","de"\]\], the table \["text",.*null\]$/)
  })

  test('TABLE-2: of options of a type, all', async () => {
    const other = defineTable('prices', {
      columns: { k: int32(), price: decimal(9, 3), note: nullable(text()) },
      key: ['k'],
      writes: 'plain',
    }) as TableSchema
    expect(await lineOf(Prices, other)).toBe("column 'price': the model has decimal(9, 3), the table decimal(9, 2)")
  })
})
