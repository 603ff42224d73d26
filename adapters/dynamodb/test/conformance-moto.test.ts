import { conformance, type SkippedRule } from 'rowkey/conformance'
import { dynamodb, dynamodbStore } from '@rowkey/dynamodb'
import { isLong } from '@rowkey/servers/scale'
import { afterAll, expect, test } from 'vitest'
import { allActions, allow } from './allow.js'
import { clientOf } from './client.js'
import { withoutLarge, withoutScans } from '../../../test/setup/large-rules.js'
import { silentWire } from '../../../test/setup/silence.js'
import { withServer } from '../../../test/setup/with-server.js'

withServer('moto', (connection) => {
  const skipped: SkippedRule[] = []
  const used = new Set<string>()

  conformance({
    // moto takes a hundred rows a second. Every gate scans on dynalite, which is stricter.
    test: isLong ? withoutLarge(test, false) : withoutScans(withoutLarge(test, true)),
    afterAll,
    async createAdapter() {
      const { port, silence, traffic, close } = await silentWire(Number(new URL(connection.endpoint).port))
      const client = clientOf({ endpoint: `http://127.0.0.1:${port}` })
      allow(client, allActions, used)
      const dispose = async (): Promise<void> => {
        client.destroy()
        await close()
      }
      // It ignores segments of scans.
      return { adapter: dynamodb(client, { segments: false }), silence, traffic, dispose }
    },
    description: dynamodbStore,
    capabilities: { reverse: true, conditions: 'columns', eventual: true },
    onSkip: (rule) => skipped.push(rule),
  })

  test('no rule is skipped', () => expect(skipped).toEqual([]))

  // The client refuses whatever else is asked for.
  test('the README lists the actions that the suite needs, and no other', () => expect([...used].sort()).toEqual([...allActions].sort()))
})
