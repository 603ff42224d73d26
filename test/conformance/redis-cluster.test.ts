import { conformance, type SkippedRule } from '@rowkey/conformance'
import { redis } from '@rowkey/redis'
import { Cluster } from 'ioredis'
import { afterAll, expect, test } from 'vitest'
import { withServer } from '../setup/with-server.js'

withServer('redis-cluster', ({ nodes }) => {
  const skipped: SkippedRule[] = []

  conformance({
    test,
    afterAll,
    createAdapter() {
      const client = new Cluster([...nodes])
      return { adapter: redis(client), dispose: () => client.disconnect() }
    },
    capabilities: { reverse: true, conditions: 'columns' },
    onSkip: (rule) => skipped.push(rule),
  })

  test('one rule is skipped: a batch over several tables', () => {
    expect(skipped.map(({ because }) => because)).toEqual([`capabilities.atomic.scope is 'partition'`])
  })
})
