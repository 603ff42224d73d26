import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { schemaOf } from '@rowkey/model'
import { beforeAll, expect, test } from 'vitest'
import { twins } from '../decorators/models.js'
import { build } from '../setup/build.js'

// The models as a user's program has them: compiled by tsc in one mode, run by node on the built packages.
const run = promisify(execFile)
const require = createRequire(import.meta.url)
const decorators = join(dirname(fileURLToPath(import.meta.url)), '../decorators')
const reflect = ['--import', pathToFileURL(require.resolve('reflect-metadata')).href]
const polyfilled = ['--import', "data:text/javascript,Symbol.metadata=Symbol('another polyfill')"]

beforeAll(() => build(join(decorators, 'legacy'), join(decorators, 'standard')), 180_000)

const expected = twins.map(([, defined]) => ({ text: JSON.stringify(defined), ...schemaOf(defined).fingerprints }))

test.each([
  ['legacy', 'no Symbol.metadata', []],
  ['legacy', 'a Symbol.metadata of another', polyfilled],
  ['legacy', 'reflect-metadata', reflect],
  ['standard', 'no Symbol.metadata', []],
  ['standard', 'a Symbol.metadata of another', polyfilled],
  ['standard', 'reflect-metadata', reflect],
])('tsc and node, %s decorators, %s: the schemas of defineTable', async (mode, _, options) => {
  const { schemas, symbol, contradictions } = await outputOf(mode, options)
  expect(schemas).toEqual(expected)
  // A symbol that is there already stays, or classes decorated before would lose their metadata.
  expect(symbol).toBe(options === polyfilled ? 'Symbol(another polyfill)' : 'Symbol(Symbol.metadata)')
  if (mode === 'standard' || options !== reflect) expect(contradictions).toEqual([])
})

test('design:type: contradictions are reported where a compiler emits it', async () => {
  const { contradictions } = await outputOf('legacy', reflect)
  const problem = (field: string, declared: string, holds: string): string =>
    `FIELD_TYPE field '${field}' is declared as ${declared}, but its column holds ${holds}. Declare it as ${holds}, or change the column type.`
  expect(contradictions).toEqual([
    problem('aNumber', 'Number', 'String'),
    problem('aText', 'String', 'BigInt'),
    problem('aBigint', 'BigInt', 'Number'),
    problem('aFlag', 'Boolean', 'Date'),
    problem('aDate', 'Date', 'Number'),
    problem('aReversed', 'Number', 'BigInt'),
  ])
})

interface Output {
  readonly schemas: unknown
  readonly symbol: string
  readonly contradictions: readonly string[]
}

async function outputOf(mode: string, options: readonly string[]): Promise<Output> {
  const { stdout } = await run(process.execPath, [...options, join(decorators, mode, 'dist/run.js')])
  return JSON.parse(stdout) as Output
}
