import { bucket, desc, dictionary, int32, int64, json, nullable, text, timestamp } from 'rowkey/codec'
import { copyTable, createMapper, defineTable, type Mapper, memory, type Model } from 'rowkey'
import type { Row } from 'rowkey/adapter'
import { wrapped, type Overrides } from '../kit/wrapped.js'

// Two tables with rows, in a store whose answers may be replaced.

export const columns = {
  host: text(),
  kind: dictionary({ login: 'z', logout: 'a' }),
  at: desc(timestamp('ms')),
  note: nullable(text()),
  size: int64({ default: 0n }),
  level: int32(),
  data: nullable(json()),
}
export const salt = bucket({ of: ['host', 'kind'], count: 16 })
export const Events = defineTable('events', { columns, key: ['host', 'kind', 'at'], salt })
export const orderColumns = { buyer: text(), no: int32(), cents: nullable(int32()) }
export const Orders = defineTable('orders', { columns: orderColumns, partition: ['buyer'], key: ['no'], writes: 'plain' })

export const key = { host: 'web', kind: 'login', at: new Date(0) } as const
export const row = { ...key, level: 1 }
export const rows = [row, { ...row, at: new Date(1000) }, { ...row, at: new Date(2000) }]
/** A row as reads return it. */
export const whole = { ...row, note: null, size: 0n, data: null }
/** As the adapter has it. */
export const rowAt = (ms: number, host = 'web'): Row => [host, 'login', ms, null, 1, null, 0n]
export const where = { host: 'web', kind: 'login' } as const

/** A store with the rows of events. */
export async function filled(): Promise<Mapper> {
  const mapper = createMapper(memory())
  await mapper.ensureTables([Events])
  await mapper.repository(Events).putMany(rows)
  return mapper
}

/** A store with the rows of events, one of which another program has damaged. */
export async function damaged(row: Row): Promise<Mapper> {
  const adapter = memory()
  const mapper = createMapper(adapter)
  await mapper.ensureTables([Events])
  await mapper.repository(Events).putMany(rows)
  adapter.table(Events, (await adapter.describeTable('events')) as never)
  await adapter.write([{ kind: 'put', schema: Events, row }], { now: 0 })
  return mapper
}

export const store = memory()
export const db = createMapper(store)
await db.ensureTables([Events, Orders])
export const events = db.repository(Events)
export const orders = db.repository(Orders)
await events.putMany(rows)
await orders.putMany([1, 2, 3].map((no) => ({ buyer: 'ann', no })))

export const with_ = (overrides: Overrides) => createMapper(wrapped(store, overrides), { retry: { attempts: 1 } }).repository(Events)

/** A new table with copies of all rows. */
export async function copied<M extends Model>(from: unknown, into: M, map?: (row: never) => unknown) {
  await db.ensureTables([into])
  const target = db.repository(into)
  await copyTable(from as never, target as never, { overwrite: true, ...(map === undefined ? {} : { map }) } as never)
  return target
}
