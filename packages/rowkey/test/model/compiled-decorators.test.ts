import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { schemaOf } from '#model'
import { beforeAll, expect, test } from 'vitest'
import { twins } from './decorators/models.js'
import { build } from '../../../../test/setup/build.js'

// The models as a user's program has them: compiled by tsc in one mode, run by node on the built packages.
const run = promisify(execFile)
const require = createRequire(import.meta.url)
const decorators = join(dirname(fileURLToPath(import.meta.url)), './decorators')
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
  return (await printed(`${mode}/dist/run.js`, options)) as Output
}

async function printed(program: string, options: readonly string[]): Promise<unknown> {
  const { stdout } = await run(process.execPath, [...options, join(decorators, program)])
  return JSON.parse(stdout)
}

interface Inferred {
  readonly twins: readonly (readonly [inferred: unknown, given: unknown])[]
  readonly uncertain: unknown
}
const inferred = async (options: readonly string[]): Promise<Inferred> =>
  (await printed('legacy/dist/legacy/run-inferred.js', options)) as Inferred

test('design:type: a column without a type is the same as with the type that is inferred', async () => {
  const { twins, uncertain } = await inferred(reflect)
  for (const [without, given] of twins) expect(without).toEqual(given)
  expect(twins).toHaveLength(1)
  expect(uncertain).toEqual([
    "column 'count' has no type, and its field is declared as Number, which int32(), uint32(), float64() and int64({ as: 'number' }) hold in different bytes. Choose one.",
    "column 'list' has no type, and its field is declared as Array. Write json<T[]>().",
    ...['maybe', 'data'].map(
      (name) =>
        `column '${name}' has no type, and its field is a union, an interface or may be null, which the compiler calls Object. Write nullable(text()), text<T>() or json<T>().`,
    ),
    "column 'level' has no type, and its field is declared as Number, which int32(), uint32(), float64() and int64({ as: 'number' }) hold in different bytes. Choose one.",
    "column 'pattern' has no type, and its field is declared as RegExp, which can be held in several ways. Write json<T>(), or another type.",
  ])
})

test('design:type: without reflect-metadata, and when it is loaded too late, nothing is inferred', async () => {
  for (const [options, cause] of [
    [[], 'reflect-metadata is not loaded'],
    [['--import', 'data:text/javascript,Reflect.getMetadata=()=>undefined'], 'the compiler has emitted nothing about its field'],
  ] as const) {
    const [[without] = []] = (await inferred(options)).twins
    const messages = without as readonly string[]
    expect(messages).toHaveLength(8)
    for (const message of messages) expect(message).toContain(cause)
  }
})
