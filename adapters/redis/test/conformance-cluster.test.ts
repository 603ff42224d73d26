import { conformance, type SkippedRule } from 'rowkey/conformance'
import { redis, redisStore } from '@rowkey/redis'
import { Cluster } from 'ioredis'
import { isShort } from '@rowkey/servers/scale'
import { afterAll, expect, test } from 'vitest'
import { withoutHuge } from '../../../test/setup/large-rules.js'
import { withServer } from '../../../test/setup/with-server.js'

withServer('redis-cluster', ({ nodes }) => {
  const skipped: SkippedRule[] = []

  conformance({
    test: withoutHuge(test, isShort),
    afterAll,
    createAdapter() {
      const client = new Cluster([...nodes])
      return { adapter: redis(client), dispose: () => client.disconnect() }
    },
    description: redisStore,
    capabilities: { reverse: true, conditions: 'columns' },
    onSkip: (rule) => skipped.push(rule),
  })

  test('the only rules that are skipped are those of batches over several tables', () => {
    expect(skipped.map(({ rule }) => rule).sort()).toEqual([
      'ADAPTER-11: an atomic batch may span tables',
      'TABLE-10: a dropped table is TABLE_NOT_FOUND for atomic batches',
    ])
  })
})
