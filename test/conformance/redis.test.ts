import { conformance, type SkippedRule } from '@rowkey/conformance'
import { redis } from '@rowkey/redis'
import { Redis } from 'ioredis'
import { afterAll, expect, test } from 'vitest'
import { withServer } from '../setup/with-server.js'

withServer('redis', ({ url }) => {
  const skipped: SkippedRule[] = []

  conformance({
    test,
    afterAll,
    createAdapter() {
      const client = new Redis(url)
      return { adapter: redis(client), dispose: () => client.disconnect() }
    },
    capabilities: { reverse: true, conditions: 'version' },
    onSkip: (rule) => skipped.push(rule),
  })

  test('one rule is skipped: a batch over several tables', () => {
    expect(skipped).toEqual([{ rule: 'ADAPTER-11: an atomic batch may span tables', because: `capabilities.atomic.scope is 'partition'` }])
  })
})
