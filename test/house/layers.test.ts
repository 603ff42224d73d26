import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

// What .dependency-cruiser.mjs refuses, asked of planted files: some of its folders may be empty today.
const { default: rules } = (await import(new URL('../../.dependency-cruiser.mjs', import.meta.url).href)) as {
  readonly default: { readonly forbidden: NonNullable<NonNullable<ICruiseOptions['ruleSet']>['forbidden']> }
}
const folder = mkdtempSync(join(tmpdir(), 'rowkey-layers-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The rules that a file breaks which imports another one by its path. */
async function broken(from: string, to: string): Promise<readonly string[]> {
  const base = mkdtempSync(join(folder, 'planted-'))
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(base, path)), { recursive: true })
    writeFileSync(join(base, path), text)
  }
  const up = '../'.repeat(from.split('/').length - 1)
  write(to, 'export const value = 1\n')
  write(from, `import { value } from '${up}${to}'\nexport const other = value\n`)
  const { output } = await cruise([from], { baseDir: base, validate: true, ruleSet: { forbidden: rules.forbidden }, tsPreCompilationDeps: true }) // prettier-ignore
  const { modules, summary } = output as ICruiseResult
  expect(modules.map(({ source }) => source).sort()).toEqual([from, to].sort()) // both were found
  return summary.violations.map(({ rule }) => rule.name)
}

/** It is for imports inside a package, which are by path. Other packages are imported by name. */
const barrel = 'barrel-only-from-outside'
const index = (name: string): string => `${name}/src/index.ts`

test.each([
  ['packages/codec', 'clients/paper', ['layer-codec']],
  ['packages/store', 'clients/paper', ['layer-store']],
  ['packages/rowkey', 'clients/paper', ['layer-rowkey']],
  ['clients/paper', 'packages/codec', ['layer-clients']],
  ['clients/paper', 'adapters/redis', ['layer-clients']],
  ['clients/paper', 'clients/other', ['layer-clients']],
  ['adapters/paper', 'clients/paper', []],
  ['adapters/paper', 'packages/formats', []],
  ['adapters/paper', 'packages/codec', ['layer-adapters']],
  ['adapters/paper', 'adapters/redis', ['layer-adapters']],
  ['packages/formats', 'packages/codec', []],
  ['packages/formats', 'packages/model', ['layer-formats']],
  ['packages/codec', 'packages/formats', ['layer-codec']],
] as const)('%s imports %s: %j', async (from, to, names) => {
  const rules = await broken(`${from}/src/planted.ts`, index(to))
  expect(rules.filter((rule) => rule !== barrel)).toEqual(names)
})

test('a file of a client that is no entry is for nobody else', async () => {
  expect(await broken('adapters/paper/src/planted.ts', 'clients/paper/src/thrift/frames.ts')).toEqual(['layer-adapters'])
  expect(await broken('clients/paper/src/planted.ts', 'clients/paper/src/thrift/frames.ts')).toEqual([])
  expect(await broken('clients/paper/src/planted.ts', index('clients/paper'))).toEqual([barrel])
})
