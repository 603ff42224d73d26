import { conformance, type SkippedRule } from 'rowkey/conformance'
import { hbaseStore } from '@rowkey/hbase'
import { isLong, isShort } from '@rowkey/servers/scale'
import { afterAll, describe, expect, test } from 'vitest'
import { isSkippedOn } from '../../../test/kit/skipped-rules.js'
import { withoutHuge, withoutLarge } from '../../../test/setup/large-rules.js'
import { silentWire } from '../../../test/setup/silence.js'
import { withServer } from '../../../test/setup/with-server.js'
import { allCalls, allowing } from './allowing.js'
import { connectSuite, suiteRuns } from './connected.js'

withServer('hbase', (connection) => {
  describe.each(suiteRuns)('%s, profile %s', (transport, profile) => {
    const skipped: SkippedRule[] = []
    const used = new Set<string>()

    conformance({
      // Forty thousand rows of twenty columns take it a minute.
      test: isLong ? withoutHuge(test, isShort, 'less') : withoutLarge(test, isShort),
      afterAll,
      async createAdapter() {
        const { port, traffic, close } = await silentWire(connection.gateways[transport])
        const gateways = { ...connection.gateways, [transport]: port }
        const options = { namespace: `suite_${transport}_${profile}`, profile }
        const { adapter, dispose } = await connectSuite({ ...connection, gateways }, transport, options, {}, (client) =>
          allowing(client, allCalls, used),
        )
        const end = async (): Promise<void> => {
          await dispose()
          await close()
        }
        return { adapter, traffic, dispose: end }
      },
      ...(profile === 'hbase' ? { description: hbaseStore } : {}),
      capabilities: { reverse: true, conditions: 'columns' },
      onSkip: (rule) => skipped.push(rule),
    })

    // HBase changes one row atomically, and no two.
    test('the only rules that are skipped are those of atomic batches', () => {
      expect(skipped.filter((each) => !isSkippedOn('hbase', each))).toEqual([])
      expect(skipped.length).toBe(10)
    })

    // The client refuses whatever else is called. One call of the README follows a race, and one is of `tableId`.
    test.runIf(transport !== 'framed')('the README lists the calls that the suite makes, and two others', () => {
      expect(allCalls.filter((call) => !used.has(call)).sort()).toEqual(['enableTable', 'getClusterId'])
    })
  })
})
