import { conformance, type SkippedRule } from 'rowkey/conformance'
import { redis, redisStore } from '@rowkey/redis'
import { Redis } from 'ioredis'
import { isShort } from '@rowkey/servers/scale'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withoutHuge } from '../../../test/setup/large-rules.js'
import { skippedOn } from '../../../test/kit/skipped-rules.js'
import { silentWire } from '../../../test/setup/silence.js'
import { withServer } from '../../../test/setup/with-server.js'
import { listed } from './acl.js'

withServer('redis', ({ url }) => {
  const skipped: SkippedRule[] = []
  const admin = new Redis(url, { lazyConnect: true })
  const user = `suite${process.pid}`
  beforeAll(async () => {
    await admin.acl('SETUSER', user, ...listed, '+info')
  })
  afterAll(() => admin.disconnect())

  conformance({
    test: withoutHuge(test, isShort),
    afterAll,
    async createAdapter() {
      const { port, silence, traffic, close } = await silentWire(Number(new URL(url).port))
      const client = new Redis(port, { username: user, password: 'secret' })
      const dispose = async (): Promise<void> => {
        client.disconnect()
        await close()
      }
      return { adapter: redis(client), silence, traffic, dispose }
    },
    description: redisStore,
    capabilities: { reverse: true, conditions: 'columns' },
    onSkip: (rule) => skipped.push(rule),
  })

  test('the only rules that are skipped are those of batches over several tables', () => {
    expect(skipped.map(({ rule }) => rule).sort()).toEqual(skippedOn.redis.titles)
  })

  // The suite's user may do what the README lists, and nothing else.
  test('nothing that the suite does is refused for its rights', async () => {
    const refused = (await admin.acl('LOG')) as string[][]
    expect(refused.filter((entry) => entry.includes(user))).toEqual([])
  })
})
