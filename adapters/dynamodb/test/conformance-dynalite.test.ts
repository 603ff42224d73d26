import { conformance, type SkippedRule } from 'rowkey/conformance'
import { dynamodb } from '@rowkey/dynamodb'
import { isShort } from '@rowkey/servers/scale'
import { afterAll, expect, test } from 'vitest'
import { allActions, allow } from './allow.js'
import { clientOf } from './client.js'
import { isSkippedOn } from '../../../test/kit/skipped-rules.js'
import { withoutLarge } from '../../../test/setup/large-rules.js'
import { silentWire } from '../../../test/setup/silence.js'
import { withServer } from '../../../test/setup/with-server.js'

withServer('dynalite', (connection) => {
  const skipped: SkippedRule[] = []

  conformance({
    test: withoutLarge(test, isShort),
    afterAll,
    async createAdapter() {
      const { port, silence, traffic, close } = await silentWire(Number(new URL(connection.endpoint).port))
      const client = clientOf({ endpoint: `http://127.0.0.1:${port}` })
      allow(client, allActions)
      const dispose = async (): Promise<void> => {
        client.destroy()
        await close()
      }
      // It has neither.
      return { adapter: dynamodb(client, { transactions: false, nativeTtl: false }), silence, traffic, dispose }
    },
    capabilities: { reverse: true, conditions: 'columns', eventual: true },
    onSkip: (rule) => skipped.push(rule),
  })

  test('only rules of atomic batches are skipped', () => {
    expect(skipped.length).toBeGreaterThan(0)
    expect(skipped.filter((each) => !isSkippedOn('dynalite', each))).toEqual([])
  })
})
