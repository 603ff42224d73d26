import { kudu, type KuduOptions } from '@rowkey/kudu'
import { KuduClient } from '@rowkey/kudu-client'
import { bucket, defineTable, int32, nullable, text } from 'rowkey'
import { expect, test } from 'vitest'
import { nameIn } from '../src/options.js'

const client = new KuduClient({ masters: ['127.0.0.1:1'] })

test('ERR-1: no client, unknown options, and options that Kudu has no use for, are INVALID_OPTION', () => {
  const refused: readonly (readonly [unknown, unknown, string])[] = [
    [client, { database: 'a b' }, 'database cannot be "a b"'],
    [client, { database: '' }, 'database cannot be ""'],
    [client, { database: 7 }, 'database cannot be 7'],
    [client, { database: 'x'.repeat(101) }, 'database cannot be'],
    [client, { hash: 1 }, 'hash cannot be 1'],
    [client, { hash: 1001 }, 'hash cannot be 1001'],
    [client, { hash: 2.5 }, 'hash cannot be 2.5'],
    [client, { hash: '8' }, 'hash cannot be "8"'],
    [client, { replicas: 2 }, 'replicas cannot be 2'],
    [client, { replicas: 9 }, 'replicas cannot be 9'],
    [client, { Hash: 8 }, "The options are 'database' and 'hash' and 'replicas'"],
    [client, null, 'options cannot be null'],
    [{}, undefined, 'client cannot be'],
    [undefined, undefined, 'client cannot be undefined'],
  ]
  for (const [given, options, message] of refused) {
    expect(() => kudu(given as KuduClient, options as KuduOptions)).toThrow(message)
    expect(() => kudu(given as KuduClient, options as KuduOptions)).toThrow('INVALID_OPTION')
  }
})

test('a database is a part of the names of its tables', () => {
  expect([nameIn({}, 'orders'), nameIn({ database: 'shop' }, 'orders'), nameIn({ database: 'impala::shop' }, 'orders')]).toEqual([
    'orders',
    'shop.orders',
    'impala::shop.orders',
  ])
})

const columns = { g: int32(), k: text(), v: nullable(text()) }

test('hash is of tables without a salt: by their partition, or by the whole key', () => {
  const of = (options: KuduOptions, parts: object): object => {
    const { hash, range, replicas } = kudu(client, options).ddl(defineTable('t', { columns, ...parts } as never)).statements[1] ?? {}
    return { hash, range, replicas }
  }
  expect(of({ hash: 8 }, { key: ['g', 'k'] })).toEqual({ hash: [{ columns: ['g', 'k'], buckets: 8 }], range: [] })
  expect(of({ hash: 8, replicas: 3 }, { partition: ['g'], key: ['k'] })).toEqual({
    hash: [{ columns: ['g'], buckets: 8 }],
    range: [],
    replicas: 3,
  })
  expect(of({ hash: 8 }, { key: ['g', 'k'], salt: bucket({ of: 'k', count: 3 }) })).toEqual({ range: ['rk_bucket'] })
  expect(() => of({}, { key: ['g', 'k'] })).toThrow('NOT_SUPPORTED')
})

test('a table with a bucket column has at most 32 tablets, each of about as many buckets', () => {
  const splitsOf = (count: number): readonly unknown[] =>
    kudu(client)
      .ddl(defineTable('t', { columns, key: ['g', 'k'], salt: bucket({ of: 'k', count }) }))
      .statements[1]?.splits?.map((split) => split['rk_bucket']) ?? []
  expect(splitsOf(2)).toEqual([1])
  expect(splitsOf(5)).toEqual([1, 2, 3, 4])
  expect(splitsOf(32)).toEqual(Array.from({ length: 31 }, (_, i) => i + 1))
  expect(splitsOf(1000)).toHaveLength(31)
  expect(splitsOf(1000).slice(0, 3)).toEqual([31, 62, 93])
})
