import { conformance, type SkippedRule } from '@rowkey/conformance'
import { dynamodb, dynamodbStore } from '@rowkey/dynamodb'
import { isLong } from '@rowkey/servers/scale'
import { afterAll, expect, test } from 'vitest'
import { clientOf } from './client.js'
import { silentWire } from '../../../test/setup/silence.js'
import { withServer } from '../../../test/setup/with-server.js'

/** Rules of many rows. moto stores a hundred a second, so only long runs have them; dynalite is tested with them in every run. */
const large = [
  'SCAN-1 ADAPTER-3 ADAPTER-5: thousands of rows',
  'SCAN-1: a merge of buckets with concurrent writers',
  'SCAN-1 R2 ADAPTER-2: any two bounds',
  'R18 ADAPTER-2: the same in reverse',
  'PRED-1 PRED-2 ADAPTER-4: a filter drops no row that passes',
  'WRITE-3: 2 × 1,000 interleaved updates',
]
const leftOut = isLong ? [] : large

withServer('moto', (connection) => {
  const skipped: SkippedRule[] = []

  conformance({
    test: (name, run) => (leftOut.some((title) => name.startsWith(title)) ? undefined : test(name, run)),
    afterAll,
    async createAdapter() {
      const { port, silence, close } = await silentWire(Number(new URL(connection.endpoint).port))
      const client = clientOf({ endpoint: `http://127.0.0.1:${port}` })
      const dispose = async (): Promise<void> => {
        client.destroy()
        await close()
      }
      // It ignores segments of scans.
      return { adapter: dynamodb(client, { segments: false }), silence, dispose }
    },
    description: dynamodbStore,
    capabilities: { reverse: true, conditions: 'columns', eventual: true },
    onSkip: (rule) => skipped.push(rule),
  })

  test('no rule is skipped', () => expect(skipped).toEqual([]))
})
