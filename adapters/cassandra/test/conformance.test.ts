import { cassandraStore } from '@rowkey/cassandra'
import { conformance, type SkippedRule } from 'rowkey/conformance'
import { isShort } from '@rowkey/servers/scale'
import { afterAll, expect, test } from 'vitest'
import { skippedOn } from '../../../test/kit/skipped-rules.js'
import { withoutHuge } from '../../../test/setup/large-rules.js'
import { overSilentWire } from './connected.js'
import { granting, listed, type Used } from './granting.js'
import { withServer } from '../../../test/setup/with-server.js'

withServer('cassandra', (connection) => {
  const skipped: SkippedRule[] = []
  const used: Used = { kinds: new Set(), permissions: new Set() }

  conformance({
    test: withoutHuge(test, isShort, 'plainly'),
    afterAll,
    createAdapter: () => overSilentWire(connection, (client) => granting(client, listed.permissions, used)),
    description: cassandraStore,
    capabilities: { reverse: true, conditions: 'columns' },
    onSkip: (rule) => skipped.push(rule),
  })

  // Neither batches that span tables nor an order by the bytes of keys are Cassandra's.
  test('the only rules that are skipped are those of batches over several tables, and of keys ordered by their bytes', () => {
    expect(skipped.map(({ rule }) => rule).sort()).toEqual(skippedOn.cassandra.titles)
  })

  // The client refuses whatever else is sent.
  test('the README lists the statements that the suite sends and the permissions that it needs, and no other', () => {
    expect([...used.permissions].sort()).toEqual([...listed.permissions].sort())
    expect([...used.kinds].sort()).toEqual([...listed.statements].sort())
  })
})
