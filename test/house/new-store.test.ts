import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { published } from '../packaging/workspace.mjs'
import { everywhere } from './adapters.js'
import { copyRepository, writeFiles } from './new-store/copy.js'
import { edits, ownFiles } from './new-store/paper.js'
import { read } from './sources.js'

// A new store, added to a copy of the repository: what its author writes and edits is in new-store/paper.ts.

const copy = join(realpathSync(mkdtempSync(join(tmpdir(), 'rowkey-new-store-'))), 'clone')
const patience = { timeout: 1_200_000 }

beforeAll(() => {
  copyRepository(copy, { '@rowkey/paper': join(copy, 'adapters/paper'), '@rowkey/servers': join(copy, 'test/servers') })
  writeFiles(copy, ownFiles)
}, patience.timeout)
afterAll(() => rmSync(join(copy, '..'), { recursive: true }))

/** The files that CONTRIBUTING tells the author of an adapter to edit. */
function listed(): readonly string[] {
  const [, recipe = ''] = /\*\*An adapter\.\*\*([^]*?)\n\*\*/.exec(read('CONTRIBUTING.md')) ?? []
  return [...recipe.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path = '']) => path)
}

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

/** Runs tests of the copy in a process of its own. */
function run(...args: readonly string[]): { readonly output: string; readonly report: Report } {
  const report = join(copy, '..', 'report.json')
  const outer = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|TEST$|NODE_ENV$|NODE_OPTIONS$|ROWKEY_TEST_(REPORT|SECONDS)$)/.test(name),
  )
  const vitest = join(copy, 'node_modules/vitest/vitest.mjs')
  const { stdout, stderr } = spawnSync(process.execPath, [vitest, 'run', ...args], {
    cwd: copy,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    env: { ...Object.fromEntries(outer), NO_COLOR: '1', ROWKEY_TEST_REPORT: report },
  })
  const output = stdout + stderr
  try {
    return { output, report: JSON.parse(readFileSync(report, 'utf8')) as Report }
  } catch (cause) {
    throw new Error(output, { cause })
  }
}

/** Titles of failed tests, and files that could not be loaded. */
const failedIn = (files: Report['testResults']): readonly string[] =>
  files.flatMap(({ name, message, assertionResults }) => [
    ...(assertionResults.length === 0 ? [`${name}: ${message}`] : []),
    ...assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  ])

const guards = ['test/house/adapters', 'test/house/documents', 'test/house/folders', 'test/docs/stores', 'test/docs/guides-coverage']
const packages = ['test/packaging/manifests', 'test/errors/hostile-stores']
const papers = ['conformance', 'seen', 'tools', 'long/hours'].map((name) => `adapters/paper/test/${name}`)

test('CONTRIBUTING names the files that a new store edits, and they are at most eight', () => {
  expect(listed().length).toBeLessThanOrEqual(8)
  // The paper store has no driver whose version has to be locked.
  expect(
    listed()
      .filter((path) => path !== 'pnpm-workspace.yaml')
      .toSorted(),
  ).toEqual(Object.keys(edits).toSorted())
  expect(Object.entries(edits).filter(([path, edit]) => edit(read(path)) === read(path))).toEqual([])
})

describe('with files of its own only', () => {
  test('the guards tell which edits are missing', patience, () => {
    const { output, report } = run('--project', 'repository', ...guards, ...packages)
    const wanted = [
      'adapters/paper has the files of every adapter',
      'the command has every adapter in its list',
      'the list of stores has every adapter, each once, with letters of their own',
      'packages: pnpm build makes all of them and the examples, and no tests',
      'ERR-3: every adapter has its function here',
    ]
    expect(failedIn(report.testResults).toSorted(), output).toEqual(wanted.toSorted())
  })
})

describe('with the edits', () => {
  let output = ''
  const own: Report['testResults'][number][] = []
  const others: Report['testResults'][number][] = []
  beforeAll(() => {
    for (const [path, edit] of Object.entries(edits)) writeFileSync(join(copy, path), edit(readFileSync(join(copy, path), 'utf8')))
    const ran = run('--project', 'repository', '--project', 'paper', ...guards, ...packages, ...papers)
    output = ran.output
    for (const file of ran.report.testResults) (file.name.includes('adapters/paper') ? own : others).push(file)
  }, patience.timeout)

  test('every guard passes, but for the one that wants it split into files', () => {
    expect(failedIn(others), output).toEqual(['adapters/paper has the files of every adapter'])
    expect(everywhere.filter((file) => ownFiles[`adapters/paper/src/${file}`] === undefined).length).toBeGreaterThan(0)
    const titles = others.flatMap(({ assertionResults }) => assertionResults.map(({ fullName }) => fullName))
    expect(titles).toEqual(
      expect.arrayContaining([
        'every file directly in the sources of adapters/paper has a name from ARCHITECTURE',
        'adapters/paper: its folders and the files next to them import each other without a circle',
        "package '@rowkey/paper' says what it is and what is in it",
        'ERR-3: paper() shows no hostile text in its client and options',
      ]),
    )
  })

  test('its project starts its server, runs the conformance suite, and is a line of the table of results', () => {
    expect(failedIn(own), output).toEqual([])
    expect(own.map(({ name }) => name.slice(copy.length + 1)).toSorted(), output).toEqual([
      'adapters/paper/test/conformance.test.ts',
      'adapters/paper/test/seen.test.ts',
      'adapters/paper/test/tools.test.ts',
    ])
    const [, rules = '0', passed] = /^paper +A4 +(\d+) +(\d+)$/m.exec(output) ?? []
    expect(Number(rules), output).toBeGreaterThan(50)
    expect(passed).toBe(rules)
  })

  test('it is built, packed, and has lines to install it', patience, async () => {
    const tsc = join(copy, 'node_modules/typescript/bin/tsc')
    const { stdout } = spawnSync(process.execPath, [tsc, '-b', 'tsconfig.build.json', '--dry'], { cwd: copy, encoding: 'utf8' })
    expect(stdout).toContain(`${copy}/adapters/paper/tsconfig.json`)
    const load = async (path: string): Promise<unknown> => import(pathToFileURL(join(copy, path)).href)
    const { published: all } = (await load('test/packaging/workspace.mjs')) as { readonly published: typeof published }
    const { installLines } = (await load('test/packaging/install-lines.mjs')) as {
      installLines(packed: readonly object[]): readonly { readonly title: string; readonly commands: readonly string[] }[]
    }
    const packed = all.map(({ folder, manifest }) => ({ folder, manifest, name: manifest.name, tarball: `/${manifest.name}.tgz` }))
    const line = installLines(packed).find(({ title }) => title === '@rowkey/paper')
    expect(line?.commands[0]).toContain('/@rowkey/paper.tgz')
  })
})
