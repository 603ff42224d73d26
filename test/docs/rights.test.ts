import { cassandraStore } from '@rowkey/cassandra'
import { dynamodbStore } from '@rowkey/dynamodb'
import { hbaseStore } from '@rowkey/hbase'
import { kuduStore } from '@rowkey/kudu'
import { lmdbStore } from '@rowkey/lmdb'
import { redisStore } from '@rowkey/redis'
import type { StoreDescription } from 'rowkey/adapter'
import { expect, test } from 'vitest'
import { listed as ofCassandra } from '../../adapters/cassandra/test/granting.js'
import { allActions } from '../../adapters/dynamodb/test/allow.js'
import { listed as ofRedis } from '../../adapters/redis/test/acl.js'
import { read } from './pages.js'

const rightsOf = ({ opening }: StoreDescription, inside = ''): readonly string[] =>
  opening?.rights?.('scratch_', { scheme: '', place: 'host', inside, parameters: new Map() }) ?? []

test('the rights that tools tell are those that the READMEs list, which the suite needs and no others', () => {
  const [line = ''] = rightsOf(redisStore)
  const [before, after] = [line.replace('~rk:{scratch_* ', '~rk:* ').replace(' +info', ''), `ACL SETUSER app ${ofRedis.join(' ')}`]
  expect(before).toBe(after)
  const actions = rightsOf(dynamodbStore).map((right) => /^dynamodb:(\w+) on arn:aws:dynamodb:\*:\*:table\/scratch_\*$/.exec(right)?.[1])
  expect(actions.sort()).toEqual([...allActions].sort())
  const granted = rightsOf(cassandraStore, 'shop').map((right) => /^GRANT (\w+) ON KEYSPACE shop TO app;$/.exec(right)?.[1])
  expect(granted.sort()).toEqual([...ofCassandra.permissions].sort())
  const [hbase = ''] = rightsOf(hbaseStore, 'shop')
  expect(read('adapters/hbase/README.md')).toContain(hbase.replace("'app'", "'deploy'"))
  expect(rightsOf(kuduStore, 'shop')).toEqual([expect.stringContaining('on the tables shop.scratch_* and shop.rk_catalog')])
  expect(rightsOf(lmdbStore)).toEqual([])
})
