import { memory } from '#memory'
import { scaled } from '@rowkey/servers/scale'
import { expect, test } from 'vitest'
import { openAdapter } from '../../src/conformance/open-adapter.js'
import { answers, lasts, splits } from '../../src/conformance/rules/open-ended.js'
import { createWorld } from '../../src/conformance/suite/world.js'

// The rules of the suite ask each store a few queries. Here are many more, of the core and the memory adapter.

const runs = scaled(8)

test.each([...lasts, ...splits].map((subject) => [subject.schema.name, subject] as const))(
  'SCAN-13: %s: random queries return the rows that they must, in order',
  { timeout: 60_000 + runs * 2000 },
  async (_, subject) => {
    const session = await openAdapter(memory)
    for (let seed = 100; seed < 100 + runs; seed++) {
      const { world } = createWorld(session, `run${seed}_`, 60_000, true)
      await answers(world, subject, seed, 100)
    }
    await session.end()
    expect(runs).toBeGreaterThan(0)
  },
)
