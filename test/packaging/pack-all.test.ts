import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { published, root } from './workspace.mjs'

const script = fileURLToPath(new URL('pack-all.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'rowkey pack-all ')) // with spaces, as folders of people have
const target = join(folder, 'packed')
let printed = ''

beforeAll(() => {
  printed = execFileSync(process.execPath, [script, target, '--all'], { encoding: 'utf8' })
})
afterAll(() => {
  rmSync(folder, { recursive: true })
})

/** The command that is printed below a title. */
function commandOf(title: string): string {
  const lines = printed.split('\n')
  const command = lines[lines.indexOf(`# ${title}`) + 1]
  if (command?.startsWith('npm install ') !== true) throw new Error(`no command for '${title}' in ${printed}`)
  return command
}

/** A new project after the command has run in it, without a network: drivers come from this workspace. */
function installed(title: string, driver?: string): string {
  const project = mkdtempSync(join(folder, 'project-'))
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }')
  const command = commandOf(title).replace(/ '[^' ]+@\^[\d.]+'/g, '')
  execFileSync('sh', ['-c', `${command} --offline --no-audit --no-fund --legacy-peer-deps`], { cwd: project, stdio: 'pipe' })
  if (driver !== undefined) {
    const link = join(project, 'node_modules', driver)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(root, 'adapters', title.replace('@rowkey/', ''), 'node_modules', driver), link)
  }
  return project
}

function run(project: string, code: string): string {
  writeFileSync(join(project, 'main.js'), code)
  return execFileSync(process.execPath, ['main.js'], { cwd: project, encoding: 'utf8' })
}

const roundTrip = (adapter: string): string => `
  import { createMapper, defineTable, memory, text } from 'rowkey'
  ${adapter === 'memory()' ? '' : "import { lmdb } from '@rowkey/lmdb'"}
  const Notes = defineTable('notes', { columns: { id: text(), body: text() }, key: ['id'] })
  const db = createMapper(${adapter})
  await db.ensureTables([Notes])
  await db.repository(Notes).insert({ id: '1', body: 'it works' })
  console.log((await db.repository(Notes).get({ id: '1' })).body)
  await db.close()
`

test('pack:all writes a tarball of every package', () => {
  const names = published.map(({ manifest: { name, version } }) => `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
  expect(names.filter((name) => !existsSync(join(target, name)))).toEqual([])
  expect(printed).toContain(`${published.length} tarballs in ${target}.`)
})

test('pack:all: the line for memory installs a rowkey that runs', () => {
  const project = installed('In memory only')
  expect(run(project, roundTrip('memory()'))).toBe('it works\n')
})

test('pack:all: the line for LMDB installs an adapter that keeps rows', () => {
  const project = installed('@rowkey/lmdb', 'lmdb')
  expect(run(project, roundTrip("lmdb('data')"))).toBe('it works\n')
  expect(existsSync(join(project, 'data'))).toBe(true)
})

describe.each(published.filter(({ folder: path }) => path.startsWith('adapters/')))(
  'pack:all: $manifest.name',
  ({ manifest: { name, peerDependencies = {} } }) => {
    const [driver, ...others] = Object.keys(peerDependencies).filter((peer) => peer !== 'rowkey' && !peer.startsWith('@rowkey/'))

    test('has a line with its driver, in a range that the adapter accepts', () => {
      const command = commandOf(name)
      const [, range] = /'([^' ]+@\^[\d.]+)'$/.exec(command) ?? []
      expect(others).toEqual([])
      if (driver === undefined) {
        // It is a client of this project, which comes as another tarball.
        expect(command).toContain(`${name.slice(1).replace('/', '-')}-client-`)
        expect(range).toBeUndefined()
        return
      }
      expect(peerDependencies[driver]?.split(' || ').map((each) => `${driver}@${each}`)).toContain(range)
    })

    test('can be imported after its line and its driver', () => {
      const project = installed(name, driver)
      const factory = name.replace('@rowkey/', '')
      expect(run(project, `import * as all from '${name}'\nconsole.log(typeof all.${factory})`)).toBe('function\n')
      const { dependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { dependencies: Record<string, string> }
      expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(['rowkey', name]))
    })
  },
)

test('pack:all: the line for NestJS leaves the version of NestJS to the application', () => {
  const command = commandOf('@rowkey/nestjs, in an application of NestJS')
  expect(command).toContain('rowkey-nestjs-')
  expect(command).not.toContain('@nestjs/')
})

test.each(['pnpm', 'yarn', 'bun'])(
  'pack:all: every line of npm is followed by one for %s, with the same packages and where they are',
  (manager) => {
    const blocks = printed.split('\n# ').slice(1)
    expect(blocks.length).toBeGreaterThan(5)
    for (const block of blocks) {
      const [npm = '', ...others] = block.split('\n').slice(1)
      const line = others.find((each) => each.includes(` && ${manager} add `)) ?? ''
      const files = (text: string): readonly string[] => [...new Set(text.match(/rowkey[\w-]*-\d[\w.-]*\.tgz/g))].toSorted()
      const [where = '', add = ''] = line.split(` && ${manager} add `)
      expect(files(npm).length).toBeGreaterThan(0)
      expect([files(where), files(add)]).toEqual([files(npm), files(npm)])
    }
  },
)

test('pack:all prints one line to copy first, which installs rowkey, and where the others are', () => {
  const short = execFileSync(process.execPath, [script, target], { encoding: 'utf8' })
  const [line = '', ...more] = short.split('\n')
  expect(line).toMatch(/^npm install '[^']+rowkey-\d[\w.-]*\.tgz'$/)
  expect(short.length - line.length).toBeLessThan(600)
  expect(more.join(' ')).toContain('@rowkey/lmdb')
  const one = execFileSync(process.execPath, [script, target, '@rowkey/redis'], { encoding: 'utf8' })
  expect(one.split('\n# ').length).toBe(2)
  expect(one).toContain('ioredis@')
})

test('pack:all for what has no lines says so, with exit code 2', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, target, '@rowkey/kudo'], { encoding: 'utf8' })
  expect([status, stderr.trim(), stdout.startsWith('npm install ')]).toEqual([2, 'There are no lines for @rowkey/kudo.', true])
})

test('pack:all without a folder says what it needs and writes nothing', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toContain('npx -y pnpm@12 pack:all DIR')
})
