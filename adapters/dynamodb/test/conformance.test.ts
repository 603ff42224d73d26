import { conformance, type SkippedRule } from 'rowkey/conformance'
import { dynamodb, dynamodbStore } from '@rowkey/dynamodb'
import { isShort } from '@rowkey/servers/scale'
import { afterAll, expect, test } from 'vitest'
import { withoutHuge } from '../../../test/setup/large-rules.js'
import { clientOf } from './client.js'
import { withServer } from '../../../test/setup/with-server.js'

withServer('dynamodb', (connection) => {
  const skipped: SkippedRule[] = []

  conformance({
    test: withoutHuge(test, isShort),
    afterAll,
    createAdapter() {
      const client = clientOf(connection)
      return { adapter: dynamodb(client), dispose: () => client.destroy() }
    },
    description: dynamodbStore,
    capabilities: { reverse: true, conditions: 'columns', eventual: true },
    onSkip: (rule) => skipped.push(rule),
  })

  test('no rule is skipped', () => expect(skipped).toEqual([]))
})
