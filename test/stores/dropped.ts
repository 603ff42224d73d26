import {
  type Adapter,
  bucket,
  copyTable,
  createMapper,
  defineTable,
  int32,
  type Mapper,
  memory,
  nullable,
  type Repository,
  schemaFromJSON,
  type TableSchema,
  text,
} from 'rowkey'
import { can } from '../kit/lacks.js'

const events = {
  columns: { host: text(), n: int32(), v: nullable(text()), count: int32({ default: 0 }) },
  key: ['host', 'n'],
  salt: bucket({ of: 'host', count: 2 }),
} as const
const Events = defineTable('events', { ...events, ttl: '30d', version: 'rev' })
/** The same for stores that have neither with conditional writes. */
const Unversioned = defineTable('events', events)
const texts = { versioned: JSON.stringify(Events), unversioned: JSON.stringify(Unversioned) }

/** A schema that nobody else has, as a program makes it that keeps schemas as text. */
export const madeNow = (text: keyof typeof texts = 'versioned'): TableSchema => schemaFromJSON(JSON.parse(texts[text]) as object)

const textFor = (adapter: Adapter): keyof typeof texts => (can(adapter, 'versions') ? 'versioned' : 'unversioned')

type Any = Repository<typeof Events>

/** What an application does with a table, by what of it has memories of its own. */
export const uses: Readonly<Record<string, (table: Any, db: Mapper, schema: TableSchema) => Promise<unknown>>> = {
  reads: async (table) => {
    await table.get({ host: 'a', n: 1 })
    await table.getMany([{ host: 'a', n: 1 }, { host: 'b', n: 2 }]) // prettier-ignore
  },
  scans: async (table) => {
    const { cursor } = await table.scan({ host: 'a', v: { isNull: true } }).page({ size: 1 })
    await table.scan({ host: 'a', v: { isNull: true } }).page({ size: 1, cursor })
    await table.scan({}, { unbounded: true, select: ['v'], filter: ({ v }) => v === null }).toArray()
    table.scan({ host: { in: ['a', 'b'] } }, { order: { n: 'asc' } }).explain()
  },
  'full scans': async (table) => {
    const [split] = await table.parts(2)
    await table.readAll({ checkpoint: split }).count()
    const checkpoints: string[] = []
    for await (const page of table.readAll({ parallel: 2 }).pages()) checkpoints.push(page.checkpoint)
  },
  writes: async (table, db) => {
    await table.put({ host: 'c', n: 1, v: 'x' })
    await table.insert({ host: 'c', n: 2, v: 'y' })
    await table.update({ host: 'c', n: 1 }, { v: null })
    if (can(db.adapter, 'columns')) {
      await table.update({ host: 'c', n: 1 }, { v: 'x' }, { if: { v: null } })
      await table.increment({ host: 'c', n: 1 }, { count: 1 }, { create: true })
      await table.upsert({ host: 'c', n: 2, v: 'y' })
    }
    if (can(db.adapter, 'versions')) await table.modify({ host: 'c', n: 1 }, () => ({ v: 'z' }))
    await table.putMany([{ host: 'c', n: 3 }])
    await db.write([table.ops.delete({ host: 'c', n: 1 })], { atomic: true })
    await table.deleteMany([{ host: 'c', n: 2 }, { host: 'c', n: 3 }]) // prettier-ignore
  },
  'refused calls': async (table) => {
    const refused = [
      () => table.get({ host: 5 } as never),
      () => table.scan({ nope: 1 } as never).page(),
      () => table.scan({ host: 'a' }).page({ cursor: 'x' }),
      () => table.insert({ host: 'a', n: 1 }),
      () => table.get({ host: 'a', n: 1 }, { deadline: 0 }),
    ]
    await Promise.all(refused.map((call) => call().catch(() => undefined)))
  },
  'tables as a whole': async (_, db, schema) => {
    await db.ensureTables([schema])
    if (schema.ttl !== undefined) await db.purgeExpired(schema)
    if ('ddl' in db.adapter) db.ddl(schema)
  },
  copies: async (table, { adapter }) => {
    const target = createMapper(memory())
    const to = madeNow(textFor(adapter))
    await target.ensureTables([to])
    await copyTable(table, target.repository(to) as unknown as Any)
  },
}

/** Uses a table with a schema that is dropped then; what was dropped. */
export async function dropped(db: Mapper, use: (typeof uses)[string]): Promise<readonly WeakRef<object>[]> {
  const schema = madeNow(textFor(db.adapter))
  const table = db.repository(schema) as unknown as Any
  await use(table, db, schema)
  return [new WeakRef(schema), new WeakRef(table.schema), new WeakRef(table)]
}

/** Mappers of a store in which the table has rows: with a prefix each schema of a mapper is another object than the model. */
export async function mappersOf(adapter: Adapter, own: string): Promise<readonly Mapper[]> {
  const mappers = [
    createMapper(adapter, { prefix: `${own}a_` }),
    createMapper(adapter, { prefix: `${own}b_`, cursorSecret: '0123456789abcdef' }),
  ]
  const model = can(adapter, 'versions') ? Events : Unversioned
  for (const db of mappers) {
    await db.ensureTables([model])
    await db.repository(model).putMany([{ host: 'a', n: 1 }, { host: 'a', n: 2 }, { host: 'b', n: 1 }]) // prettier-ignore
  }
  return mappers
}
