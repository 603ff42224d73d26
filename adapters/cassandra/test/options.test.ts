import { cassandra, type CassandraOptions } from '@rowkey/cassandra'
import { Client, type ClientOptions } from 'cassandra-driver'
import { expect, test } from 'vitest'

const client = (options: ClientOptions): Client => new Client({ contactPoints: ['127.0.0.1:1'], localDataCenter: 'dc', ...options })

test('ERR-1: options of the client that the adapter cannot live with are CLIENT_OPTION', () => {
  const keyspace = 'shop'
  expect(() => cassandra(client({ keyspace, protocolOptions: { maxVersion: 3 } }))).toThrow(
    'CLIENT_OPTION: cassandra() cannot use a client with protocolOptions.maxVersion: 3. Before version 4, a statement cannot leave a column as it is. Leave it out.',
  )
  expect(() => cassandra(client({ keyspace, encoding: { useUndefinedAsUnset: false } }))).toThrow(
    'CLIENT_OPTION: cassandra() cannot use a client with encoding.useUndefinedAsUnset: false. Updates would clear columns that they must leave as they are.',
  )
  expect(() => cassandra(client({ keyspace, isMetadataSyncEnabled: false }))).toThrow(
    'CLIENT_OPTION: cassandra() cannot use a client with isMetadataSyncEnabled: false.',
  )
})

test('ERR-1: a client without keyspace, no client, and unknown options are INVALID_OPTION', () => {
  const refused: readonly (readonly [unknown, unknown, string])[] = [
    [client({}), undefined, 'keyspace cannot be undefined'],
    [client({}), { keyspace: 'a"b' }, 'keyspace cannot be "a\\"b"'],
    [client({}), { keyspace: '' }, 'keyspace cannot be ""'],
    [client({}), { keyspace: 7 }, 'keyspace cannot be 7'],
    [client({ keyspace: 'shop' }), { keySpace: 'x' }, `The only option is 'keyspace'`],
    [client({ keyspace: 'shop' }), null, 'options cannot be null'],
    [{}, undefined, 'client cannot be'],
    [undefined, undefined, 'client cannot be undefined'],
  ]
  for (const [given, options, message] of refused) {
    expect(() => cassandra(given as Client, options as CassandraOptions)).toThrow(message)
    expect(() => cassandra(given as Client, options as CassandraOptions)).toThrow('INVALID_OPTION')
  }
})

test('the keyspace is that of the options, else that of the client', () => {
  const named = client({ keyspace: 'shop' })
  expect(cassandra(named).name).toBe('cassandra')
  expect(cassandra(named, { keyspace: 'other' }).name).toBe('cassandra')
})
