import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCompiler } from '../compat/compilers.mjs'
import { faultsOf, messagesIn, mistakes, modes, writePages } from '../compat/mistakes.mjs'
import { build } from '../setup/build.js'

// The compiler of this repository and the one that says least, on the built declarations. `pnpm compat` asks all of them, on the packed packages.

const folder = mkdtempSync(join(tmpdir(), 'rowkey-mistakes-'))
mkdirSync(join(folder, 'node_modules'))
symlinkSync(fileURLToPath(new URL('../../packages/rowkey', import.meta.url)), join(folder, 'node_modules', 'rowkey'), 'junction')
beforeAll(() => build('tsconfig.build.json'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

/** Only the pages are checked, not the sources that they import. */
function askApi(app: string): string {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(app, 'tsconfig.json'),
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
  )
  if (config === undefined) throw new Error('no tsconfig.json')
  const program = ts.createProgram(config.fileNames, config.options)
  const pages = config.fileNames.map((name) => program.getSourceFile(name))
  const found = pages.flatMap((page) => [...program.getSyntacticDiagnostics(page), ...program.getSemanticDiagnostics(page)])
  return ts.formatDiagnostics(found, {
    getCanonicalFileName: (name) => basename(name),
    getCurrentDirectory: () => app,
    getNewLine: () => '\n',
  })
}

const tsc7 = join(dirname(createRequire(import.meta.url).resolve('typescript-7.0/package.json')), 'bin', 'tsc')
const compilers = { '6.0': askApi, '7.0': async (app: string) => (await runCompiler(tsc7, app)).text }
const asked = Object.entries(compilers).flatMap(([version, output]) => modes.map((mode) => ({ version, output, mode })))
const seen = new Map<string, ReturnType<typeof messagesIn>>()

test.each(asked)('TypeScript $version, $mode decorators: every mistake is told', async ({ version, output, mode }) => {
  const app = mkdtempSync(join(folder, 'app-'))
  writePages(app, mode, { lib: ['es2024', 'dom'] })
  const messages = messagesIn(await output(app))
  seen.set(`${version} ${mode}`, messages)
  expect(faultsOf(messages, mode)).toEqual([])
})

test('what one reads of each mistake', async () => {
  expect(seen.size).toBe(asked.length)
  const texts = mistakes.map(({ at, line }) => {
    const said = new Map<string, string[]>()
    for (const [who, messages] of seen) {
      const text = (messages.get(at) ?? ['nothing']).map((each) => `    ${each}`).join('\n')
      said.set(text, [...(said.get(text) ?? []), who])
    }
    return [line, ...[...said].map(([text, who]) => `  ${who.join(', ')}:\n${text}`)].join('\n')
  })
  await expect(`${texts.join('\n\n')}\n`).toMatchFileSnapshot('mistakes.txt')
})

test('a compiler that says nothing, or something else, is seen', () => {
  expect(faultsOf(new Map(), 'standard')).toHaveLength(mistakes.length)
  expect(faultsOf(messagesIn('calls.ts(1,2): error TS1: wrong'), 'legacy')).toContain('calls.ts:1: no mistake\n  TS1: wrong')
  expect(mistakes.length).toBeGreaterThan(90)
})
