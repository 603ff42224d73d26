import { conformance } from '#conformance'
import { memory } from '#memory'
import { afterAll, test } from 'vitest'
import { Random } from '../../src/conformance/oracle/random.js'
import { restless } from '../../../../test/kit/restless.js'
import { withoutCounts } from '../../../../test/setup/large-rules.js'
import { Watch } from '../../../../test/kit/watched.js'

// What a store may do is not what the suite expects of one: late answers, pages of any size, empty ones, filters applied.
conformance({
  test: withoutCounts(test),
  afterAll,
  createAdapter: () => restless(memory(), new Random(5), new Watch(), { blocks: true, filters: true }),
})
