import { beforeAll, describe, expect, test } from 'vitest'
import { browse, chromium } from './chromium.js'
import { serve, type Visit } from './serve.js'
import { workOfNode, type Work } from './work-of-node.js'

const policy = "script-src 'self'" // no 'unsafe-eval'
const visits = [
  { name: 'open', policy: undefined, codegen: 'auto', worker: false },
  { name: 'policy', policy, codegen: 'auto', worker: false },
  { name: 'never', policy, codegen: 'never', worker: false },
  { name: 'worker', policy: undefined, codegen: 'auto', worker: true },
  { name: 'worker-policy', policy, codegen: 'auto', worker: true },
] as const satisfies Visit[]

const violations = ['script-src eval']
const refused = { asked: 1, made: 0 }
const missing = 'skipped: no chromium, chromium-browser or google-chrome on the PATH'
const required = process.env['ROWKEY_REQUIRE_CHROMIUM'] === '1'

describe('Chromium, the built codec as it is served', () => {
  let node: Work
  let results: Map<string, unknown>
  beforeAll(async () => {
    if (chromium === undefined) {
      console.log(missing)
      return
    }
    node = workOfNode('auto')
    const server = await serve(visits)
    try {
      results = await browse(server.url, server.results, 120_000)
    } finally {
      server.close()
    }
  }, 180_000)

  test.for([
    ['a page: the bytes of Node, from code that was made', { name: 'open', violations: [] }],
    ["a page under script-src 'self': the same from closures, after one violation", { name: 'policy', code: refused, violations }],
    ["the same with codegen 'never': no violation", { name: 'never', code: { asked: 0, made: 0 }, violations: [] }],
    ['a worker: the bytes of Node, from code that was made', { name: 'worker', violations: [] }],
    ["a worker under script-src 'self': as the page", { name: 'worker-policy', code: refused, violations }],
  ] as const)('%s', ([, { name, violations, ...rest }], { skip }) => {
    skip(chromium === undefined && !required, missing)
    expect(chromium, 'ROWKEY_REQUIRE_CHROMIUM is set: install chromium').toBeDefined()
    const host = name.startsWith('worker') ? 'worker' : 'page'
    expect(results.get(name)).toEqual({ ...node, host, violations, ...rest })
  })
})
