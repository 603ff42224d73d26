import { lmdb } from '@rowkey/lmdb'
import { checkupTitles } from 'rowkey/conformance'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ended, program, project, started, withTables } from './command.js'
import { hasTerminal, inTerminal, plainText } from './terminal.js'

const { rowkey, folder, path } = project(withTables)
const cheap = ['--only', 'GET-']

interface Report {
  readonly rowkey: number
  readonly versions: object
  readonly store: { readonly name: string; readonly product: string | null; readonly capabilities: object }
  readonly check: { readonly prefix: string; readonly seed: number }
  readonly counts: object
  readonly verdicts: readonly { readonly rule: string; readonly verdict: string; readonly because?: string }[]
  readonly latencies: readonly { readonly call: string; readonly count: number; readonly median: number; readonly p99: number }[]
  readonly left: readonly string[]
}

const reportOf = (stdout: string): Report => JSON.parse(stdout) as Report

/** The catalogs of a folder of LMDB, by the names of tables that a check could have. */
async function tablesIn(name: string, tables: readonly string[]): Promise<readonly string[]> {
  const adapter = lmdb(path(name))
  const found: string[] = []
  for (const table of tables) if ((await adapter.describeTable(table)) !== undefined) found.push(table)
  await adapter.close()
  return found
}

/** The tables of a check with a prefix. */
async function planned(url: string, prefix: string, args: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await rowkey(['check', url, '--dry-run', '--json', ...args])
  const { tables, prefix: own } = JSON.parse(stdout) as { readonly tables: readonly string[]; readonly prefix: string }
  return tables.map((name) => name.replace(own, prefix))
}

test('in memory every rule holds, a line each, then the latencies and the sum', async () => {
  const { code, stdout, stderr } = await rowkey(['check', 'memory:', '--quick', '--yes'])
  const count = checkupTitles({ prefix: '', seed: 1, size: 'quick' }).length + 1 // also that the adapter is what its description says
  const lines = stdout.split('\n')
  expect(lines[0]).toBe('memory:  memory')
  expect(lines.filter((line) => line.startsWith('✓ ') && /^✓ [A-Z]+-?\d|^✓ oracle/.test(line))).toHaveLength(count)
  expect(stdout).toMatch(/\ncall +count +median ms +p99 ms\nscan +\d+ +\d+\.\d\d +/)
  expect(stdout).toMatch(new RegExp(`\\n✓ ${count} passed, 0 refused by capability, 0 failed, in [\\d.]+ s\\n$`))
  expect(stderr).toMatch(new RegExp(`^${count} rules, on tables rowkey_check_[a-z0-9]{4}_…\n`))
  expect(code).toBe(0)
})

test('the report has versions, capabilities, a verdict for each rule, and latencies; the store has nothing of it', async () => {
  mkdirSync(path('data'))
  const { code, stdout } = await rowkey(['check', 'lmdb:data', '--yes', '--json', '--seed', '9', ...cheap])
  const { rowkey: form, versions, store, check, counts, verdicts, latencies, left } = reportOf(stdout)
  expect({ code, form, left }).toEqual({ code: 0, form: 1, left: [] })
  expect(Object.keys(versions)).toEqual(['rowkey', 'node', 'system'])
  expect(store).toMatchObject({ name: 'lmdb', product: null, capabilities: { reverse: true, conditions: 'columns' } })
  expect(check).toMatchObject({ seed: 9, size: 'large', only: 'GET-' })
  const titles = checkupTitles({ prefix: '', seed: 9, only: 'GET-' })
  expect(counts).toEqual({ passed: titles.length, refused: 0, failed: 0, notRun: 0 })
  expect(verdicts.map(({ rule }) => rule)).toEqual(titles)
  expect(latencies.map(({ call }) => call)).toEqual(expect.arrayContaining(['get', 'scan', 'write one', 'create', 'drop']))
  expect(stdout).not.toContain(folder)
  expect(await tablesIn('data', await planned('lmdb:data', check.prefix, cheap))).toEqual([])
})

test('a dry run lists the tables that the check creates, with the rights that they need, and connects to nothing', async () => {
  const listed = await rowkey(['check', 'redis://127.0.0.1:1', '--dry-run', '--json', '--only', 'TABLE-'])
  expect(listed).toMatchObject({ code: 0, stderr: '' })
  const { tables, rights } = JSON.parse(listed.stdout) as { readonly tables: readonly string[]; readonly rights: readonly string[] }
  expect(tables).toEqual([...new Set(tables)].sort())
  expect(tables.length).toBeGreaterThan(15)
  for (const name of tables) expect(name).toMatch(/^rowkey_check_[a-z0-9]{4}_\d+_/)
  expect(rights).toEqual([expect.stringMatching(/^ACL SETUSER app on >secret ~rk:\{rowkey_check_[a-z0-9]{4}_\* \+get .* \+info$/)])
  const shown = await rowkey(['check', 'redis://127.0.0.1:1', '--dry-run', ...cheap])
  expect(shown.stdout).toMatch(/^\d+ tables, each created by a rule and dropped after it\n {2}rowkey_check_/)
  expect(shown.stderr).toMatch(/^Nothing was connected\./)
})

test.each<[message: string, args: readonly string[], code?: number]>([
  ['there is no store: give its URL, or set ROWKEY_URL. For example: rowkey check redis://localhost:6379.', []],
  ['check asks on a terminal only. Elsewhere, give --yes.', ['memory:']],
  ['--quick and --full exclude each other.', ['memory:', '--yes', '--quick', '--full']],
  ["no rule has 'GET-99' in its title.", ['memory:', '--yes', '--only', 'GET-99']],
  ["error: option '--seed <number>' argument 'x' is invalid. Give a whole number from 0.", ['memory:', '--seed', 'x']],
  ['--remove takes the prefix that a check has told, such as rowkey_check_k3x9_. Nothing has changed.', ['memory:', '--remove', 'orders']],
  ['there is no folder nowhere.', ['lmdb:nowhere', '--yes'], 4],
  ['redis://127.0.0.1:1 cannot be opened:', ['redis://127.0.0.1:1', '--yes'], 4],
  ['accepts 1 to 48 letters', ['cassandra://127.0.0.1:1/shop', '--yes', '--prefix', 'a_long_prefix_of_mine_']],
])('%s', async (message, args, expected = 2) => {
  const { code, stdout, stderr } = await rowkey(['check', ...args])
  expect(stderr).toContain(message.replace(/^error: /, ''))
  expect({ code, stdout }).toEqual({ code: expected, stdout: '' })
})

test('what a store refuses by its capabilities is told with the reason', async () => {
  const { stdout } = await rowkey(['check', 'kudu://127.0.0.1:1', '--dry-run', '--only', 'R18'])
  expect(stdout).toContain('CREATE, ALTER, DROP')
})

test('an earlier check that was killed leaves tables, which --remove drops, and no others', async () => {
  mkdirSync(path('killed'))
  const child = started(folder, ['check', 'lmdb:killed', '--yes', '--only', 'WRITE-19'])
  const end = ended(child)
  const prefix = await new Promise<string>((resolve) => {
    child.stderr?.on('data', (text: Buffer) => {
      const [found] = /rowkey_check_[a-z0-9]{4}_/.exec(String(text)) ?? []
      if (found !== undefined) setTimeout(() => resolve(found), 150)
    })
  })
  child.kill('SIGKILL')
  await end
  const before = await rowkey(['import', 'events', '--create', '--url', 'lmdb:killed'], { input: '' })
  expect(before.code).toBe(0)
  const removal = ['check', 'lmdb:killed', '--remove', prefix, '--only', 'WRITE-19']
  const { code, stderr } = await rowkey(removal)
  expect(stderr).toMatch(new RegExp(`^Nothing of ${prefix} is left: [1-9]\\d* tables looked for\\.\n$`))
  expect(code).toBe(0)
  expect(await tablesIn('killed', await planned('lmdb:killed', prefix, ['--only', 'WRITE-19']))).toEqual([])
  expect((await rowkey(['tables', 'events', '--url', 'lmdb:killed'])).stdout).toBe('✓ events\n')
})

test.runIf(hasTerminal)('on a terminal it asks, and anything but yes changes nothing', () => {
  const no = inTerminal(folder, ['check', 'memory:', ...cheap], { typed: { after: 'y/N', keys: 'n\r' } })
  expect(plainText(no.screen)).toMatch(/Test memory: on tables rowkey_check_[a-z0-9]{4}_… that are dropped afterwards\? \[y\/N\]/)
  expect(plainText(no.screen)).toContain('rowkey: nothing has changed.')
  expect(no.code).toBe(1)
  const yes = inTerminal(folder, ['check', 'memory:', ...cheap], { typed: { after: 'y/N', keys: 'y\r' } })
  expect(plainText(yes.screen)).toMatch(/\d of 6 {2}\w+-\d/)
  expect(yes.code).toBe(0)
  const stopped = inTerminal(folder, ['check', 'memory:', ...cheap], { typed: { after: 'y/N', keys: '\x03' } })
  expect(plainText(stopped.screen)).toContain('rowkey: interrupted. Nothing has changed.')
  expect(stopped.code).toBe(130)
})

test('no other command loads the suite: only what check imports when it runs', () => {
  const dist = join(program, '..')
  const files = readdirSync(dist).filter((name) => name.endsWith('.js'))
  const textOf = new Map(files.map((name) => [name, readFileSync(join(dist, name), 'utf8')]))
  const importsOf = (name: string): readonly string[] =>
    [...(textOf.get(name) ?? '').matchAll(/^(?:import|export)\b[^;]*?from "([^"]+)"|^import "([^"]+)"/gm)].map(([, from = '', bare = '']) =>
      (from || bare).replace('./', ''),
    )
  const withSuite = (name: string, seen = new Set<string>()): boolean => {
    if (seen.has(name)) return false
    seen.add(name)
    return importsOf(name).some((each) => each === 'rowkey/conformance' || withSuite(each, seen))
  }
  const loaded = files.filter((name) => withSuite(name))
  expect(files.length).toBeGreaterThan(20)
  expect(loaded).toHaveLength(1) // the chunk of the check itself
  const importers = files.filter((name) => (textOf.get(name) ?? '').includes(`import("./${loaded[0]}")`))
  expect(importers).toHaveLength(1)
  expect(textOf.get(importers[0] ?? '')).toContain('print JSON, as a report')
})
