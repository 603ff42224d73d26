import { conformance, type SkippedRule } from '@rowkey/conformance'
import { redis } from '@rowkey/redis'
import { Redis } from 'ioredis'
import { afterAll, expect, test } from 'vitest'
import { silentWire } from '../setup/silence.js'
import { withServer } from '../setup/with-server.js'

withServer('redis', ({ url }) => {
  const skipped: SkippedRule[] = []

  conformance({
    test,
    afterAll,
    async createAdapter() {
      const { port, silence, close } = await silentWire(Number(new URL(url).port))
      const client = new Redis(port)
      const dispose = async (): Promise<void> => {
        client.disconnect()
        await close()
      }
      return { adapter: redis(client), silence, dispose }
    },
    capabilities: { reverse: true, conditions: 'columns' },
    onSkip: (rule) => skipped.push(rule),
  })

  test('one rule is skipped: a batch over several tables', () => {
    expect(skipped).toEqual([{ rule: 'ADAPTER-11: an atomic batch may span tables', because: `capabilities.atomic.scope is 'partition'` }])
  })
})
