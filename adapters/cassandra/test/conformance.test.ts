import { cassandraStore } from '@rowkey/cassandra'
import { conformance, type SkippedRule } from '@rowkey/conformance'
import { afterAll, expect, test } from 'vitest'
import { overSilentWire } from './connected.js'
import { withServer } from '../../../test/setup/with-server.js'

withServer('cassandra', (connection) => {
  const skipped: SkippedRule[] = []

  conformance({
    test,
    afterAll,
    createAdapter: () => overSilentWire(connection),
    description: cassandraStore,
    capabilities: { reverse: true, conditions: 'columns' },
    onSkip: (rule) => skipped.push(rule),
  })

  // Batches that span tables are none of Cassandra's.
  test('the only rules that are skipped are those of batches over several tables', () => {
    expect(skipped.map(({ rule }) => rule).sort()).toEqual([
      'ADAPTER-11: an atomic batch may span tables',
      'TABLE-10: a dropped table is TABLE_NOT_FOUND for atomic batches',
    ])
  })
})
