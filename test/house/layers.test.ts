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
const index = (name: string): string => (name.includes('/src/') ? `${name}/index.ts` : `${name}/src/index.ts`)

test.each([
  ['packages/rowkey/src/codec', 'clients/paper', ['layer-rowkey/codec']],
  ['packages/rowkey/src/store', 'clients/paper', ['layer-rowkey/store']],
  ['packages/rowkey', 'clients/paper', ['layer-rowkey']],
  ['clients/paper', 'packages/rowkey', ['layer-clients']],
  ['clients/paper', 'adapters/redis', ['layer-clients']],
  ['clients/paper', 'clients/other', ['layer-clients']],
  ['adapters/paper', 'clients/paper', []],
  ['adapters/paper', 'packages/rowkey/src/formats/paper', []],
  ['adapters/paper', 'packages/rowkey', ['layer-adapters']],
  ['adapters/paper', 'packages/rowkey/src/codec', ['layer-adapters']],
  ['adapters/paper', 'adapters/redis', ['layer-adapters']],
  ['packages/advisor', 'packages/rowkey', []],
  ['packages/advisor', 'packages/rowkey/src/store', ['layer-advisor']],
  ['packages/rowkey/src/formats', 'packages/rowkey/src/codec', []],
  ['packages/rowkey/src/formats', 'packages/rowkey/src/model', ['layer-rowkey/formats']],
  ['packages/rowkey/src/codec', 'packages/rowkey/src/formats', ['layer-rowkey/codec']],
  ['packages/rowkey/src/memory', 'packages/rowkey/src/store/adapter', []],
  ['packages/rowkey/src/memory', 'packages/rowkey/src/store', ['layer-rowkey/memory']],
] as const)('%s imports %s: %j', async (from, to, names) => {
  const rules = await broken(`${from}${from.includes('/src/') ? '' : '/src'}/planted.ts`, index(to))
  expect(rules.filter((rule) => rule !== barrel)).toEqual(names)
})

test('a file of a client that is no entry is for nobody else', async () => {
  expect(await broken('adapters/paper/src/planted.ts', 'clients/paper/src/thrift/frames.ts')).toEqual(['layer-adapters'])
  expect(await broken('clients/paper/src/planted.ts', 'clients/paper/src/thrift/frames.ts')).toEqual([])
  expect(await broken('clients/paper/src/planted.ts', index('clients/paper'))).toEqual([barrel])
})

test('of the mapper only its sender imports how mutations are written', async () => {
  const write = 'packages/rowkey/src/store/write/index.ts'
  const others = ['mapper/write/planted', 'mapper/table/planted', 'mapper/copy/sender', 'conformance/planted'] as const
  for (const other of others) expect(await broken(`packages/rowkey/src/${other}.ts`, write), other).toEqual(['one-sender'])
  expect(await broken('packages/rowkey/src/mapper/table/sender.ts', write)).toEqual([])
  expect(await broken('packages/rowkey/src/mapper/table/planted.ts', 'packages/rowkey/src/store/write/write-many.ts')).toEqual([
    'layer-rowkey/mapper',
  ])
})
