import { conformance, type SkippedRule } from '@rowkey/conformance'
import { dynamodb } from '@rowkey/dynamodb'
import { afterAll, expect, test } from 'vitest'
import { clientOf } from '../dynamodb/client.js'
import { withServer } from '../setup/with-server.js'

withServer('dynalite', (connection) => {
  const skipped: SkippedRule[] = []

  conformance({
    test,
    afterAll,
    createAdapter() {
      const client = clientOf(connection)
      // It has neither.
      return { adapter: dynamodb(client, { transactions: false, nativeTtl: false }), dispose: () => client.destroy() }
    },
    capabilities: { reverse: true, conditions: 'version', eventual: true },
    onSkip: (rule) => skipped.push(rule),
  })

  test('only rules of atomic batches are skipped', () => {
    expect(skipped.length).toBeGreaterThan(0)
    expect(
      skipped.filter(({ because }) => because !== 'capabilities.atomic is row, 1' && because !== "capabilities.atomic.scope is 'row'"),
    ).toEqual([])
  })
})
