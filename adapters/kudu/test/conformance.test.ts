import { conformance, type SkippedRule } from 'rowkey/conformance'
import { kuduStore } from '@rowkey/kudu'
import { isLong, isShort } from '@rowkey/servers/scale'
import { afterAll, expect, test } from 'vitest'
import { skippedOn } from '../../../test/kit/skipped-rules.js'
import { withoutHuge, withoutLarge } from '../../../test/setup/large-rules.js'
import { withServer } from '../../../test/setup/with-server.js'
import { connect } from './connected.js'

withServer('kudu', (connection) => {
  const skipped: SkippedRule[] = []

  conformance({
    test: isLong ? withoutHuge(test, isShort, 'less') : withoutLarge(test, isShort),
    afterAll,
    createAdapter: () => connect(connection),
    description: kuduStore,
    capabilities: { reverse: false, conditions: 'presence' },
    onSkip: (rule) => skipped.push(rule),
  })

  test('the only rules that are skipped are those of what Kudu lacks', () => {
    expect([...new Set(skipped.map(({ because }) => because))].sort()).toEqual(skippedOn.kudu.because)
  })
})
