import { conformance, type SkippedRule } from '@rowkey/conformance'
import { afterAll, expect, test } from 'vitest'
import { connect } from '../cassandra/connected.js'
import { silentWire } from '../setup/silence.js'
import { withServer } from '../setup/with-server.js'

withServer('cassandra', (connection) => {
  const skipped: SkippedRule[] = []

  conformance({
    test,
    afterAll,
    async createAdapter() {
      const [contactPoint = ''] = connection.contactPoints
      const { port, silence, close } = await silentWire(Number(contactPoint.split(':')[1]))
      const connected = await connect({ ...connection, contactPoints: [`127.0.0.1:${port}`] })
      const dispose = async (): Promise<void> => {
        await connected.dispose()
        await close()
      }
      return { adapter: connected.adapter, silence, dispose }
    },
    capabilities: { reverse: true, conditions: 'version' },
    onSkip: (rule) => skipped.push(rule),
  })

  // Batches that span tables are none of Cassandra's.
  test('the only rules that are skipped are those of batches over several tables', () =>
    expect(skipped.map(({ rule }) => rule)).toEqual([expect.stringContaining('an atomic batch may span tables')]))
})
