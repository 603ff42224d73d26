import { defineTable, desc, int32, nullable, text, timestamp, uuid } from 'rowkey'

// Tables as they were made when every partition key began with the bucket, and their catalogs, as they were written then.

export const Events = defineTable('events', {
  columns: { user: text(), at: desc(timestamp('ms')), n: nullable(int32()) },
  partition: ['user'],
  key: ['at'],
  writes: 'plain',
})

export const Stock = defineTable('stock', {
  columns: { shop: text(), item: text(), left: int32(), note: nullable(text()) },
  partition: ['shop'],
  key: ['item'],
  ttl: '1d',
  version: 'rev',
})

export const Users = defineTable('by_id', {
  columns: { id: uuid(), name: nullable(text()), hits: int32({ default: 0 }) },
  partition: ['id'],
  key: [],
})

/** `KEYSPACE` stands for its name. */
export const firstForm: Readonly<Record<string, { readonly statement: string; readonly catalog: string }>> = {
  events: {
    statement:
      'CREATE TABLE IF NOT EXISTS KEYSPACE."events" (\n  "rk_bucket" int,\n  "user" text,\n  "at" timestamp,\n  "n" int,\n  PRIMARY KEY (("rk_bucket", "user"), "at")\n) WITH CLUSTERING ORDER BY ("at" DESC)',
    catalog:
      '{"format":1,"schema":{"format":1,"name":"events","writes":"plain","salt":[],"columns":[{"name":"user","physical":"user","role":"partition","type":{"kind":"text","desc":false,"nullable":false}},{"name":"at","physical":"at","role":"key","type":{"kind":"timestamp","desc":true,"nullable":false,"as":"Date","unit":"ms"}},{"name":"n","physical":"n","role":"value","type":{"kind":"int32","desc":false,"nullable":true,"nulls":"first"}}]},"values":["n"]}',
  },
  stock: {
    statement:
      'CREATE TABLE IF NOT EXISTS KEYSPACE."stock" (\n  "rk_bucket" int,\n  "shop" text,\n  "item" text,\n  "rk_guard" boolean STATIC,\n  "left" int,\n  "note" text,\n  "rk_expires" bigint,\n  "rk_version" text,\n  PRIMARY KEY (("rk_bucket", "shop"), "item")\n) WITH CLUSTERING ORDER BY ("item" ASC)',
    catalog:
      '{"format":1,"schema":{"format":1,"name":"stock","writes":"conditional","salt":[],"columns":[{"name":"shop","physical":"shop","role":"partition","type":{"kind":"text","desc":false,"nullable":false}},{"name":"item","physical":"item","role":"key","type":{"kind":"text","desc":false,"nullable":false}},{"name":"left","physical":"left","role":"value","type":{"kind":"int32","desc":false,"nullable":false}},{"name":"note","physical":"note","role":"value","type":{"kind":"text","desc":false,"nullable":true,"nulls":"first"}},{"name":"rk_expires","physical":"rk_expires","role":"expiry","type":{"kind":"timestamp","desc":false,"nullable":true,"nulls":"first","as":"number","unit":"ms"}},{"name":"rev","physical":"rk_version","role":"version","type":{"kind":"text","desc":false,"nullable":true,"nulls":"first"}}],"ttl":86400000},"values":["left","note","rk_expires","rk_version"],"store":{"expiry":"native"}}',
  },
  by_id: {
    statement:
      'CREATE TABLE IF NOT EXISTS KEYSPACE."by_id" (\n  "rk_bucket" int,\n  "id" uuid,\n  "rk_guard" boolean,\n  "hits" int,\n  "name" text,\n  PRIMARY KEY (("rk_bucket", "id"))\n)',
    catalog:
      '{"format":1,"schema":{"format":1,"name":"by_id","writes":"conditional","salt":[],"columns":[{"name":"id","physical":"id","role":"partition","type":{"kind":"uuid","desc":false,"nullable":false}},{"name":"hits","physical":"hits","role":"value","type":{"kind":"int32","desc":false,"nullable":false,"default":{"kind":"constant","value":0}}},{"name":"name","physical":"name","role":"value","type":{"kind":"text","desc":false,"nullable":true,"nulls":"first"}}]},"values":["hits","name"]}',
  },
}
