// pnpm compat: shows what docs/compatibility.md says, with the packed packages, and fails if the page says something else.
// --write writes the page; --only TEXT runs the cells whose names contain it (or the mistakes), and prints what they print; --keep leaves the folder.
// Build first. The tools of test/compat/tools come from the registry; ROWKEY_REQUIRE_TOOLS=1 makes a missing one a failure.
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { installLines } from '../packaging/install-lines.mjs'
import { packAll } from '../packaging/pack.mjs'
import { root } from '../packaging/workspace.mjs'
import { adapters, programs } from './adapters.mjs'
import { adapterCells, binaryOf, otherCells, tscCells, versions } from './cells.mjs'
import { startCompilers } from './compilers.mjs'
import { faultsOf, messagesIn, modes, writePages } from './mistakes.mjs'
import { page, pagePath } from './page.mjs'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const { values: options } = parseArgs({
  options: { write: { type: 'boolean' }, only: { type: 'string' }, keep: { type: 'boolean' } },
})
const nameOf = ({ group = 'tsc', column = '', row }) => `${group} ${column} ${row}`
const cells = [...tscCells, ...adapterCells, ...otherCells].filter(
  (cell) => options.only === undefined || nameOf(cell).includes(options.only),
)

const folder = mkdtempSync(join(tmpdir(), 'rowkey-compat-'))
const modules = join(folder, 'node_modules')
/** Projects of package managers, which would find those of the tools above them. */
const projects = mkdtempSync(join(tmpdir(), 'rowkey compat projects '))
const compilers = startCompilers(modules)
try {
  const began = performance.now()
  installTools()
  const packed = pack()
  const app = installPackages(packed)
  const managers = managersOf(packed)
  console.log(`tools and packages installed after ${seconds(began)}`)
  const results = await all(cells, (cell, index) => run(cell, join(cell.manager === undefined ? app : projects, `cell-${index}`), managers))
  console.log(`${cells.length} cells after ${seconds(began)}`)
  report(results)
  if (options.only === undefined || options.only === 'mistakes') await askCompilers(app)
  if (options.only === undefined) await comparePage(results)
} finally {
  await compilers.stop()
  if (options.keep === true) console.log(`${folder}\n${projects}`)
  else for (const each of [folder, projects]) rmSync(each, { recursive: true, force: true })
}

function installTools() {
  cpSync(here('tools'), folder, { recursive: true, filter: (path) => !path.includes('node_modules') })
  // Their scripts would download binaries, which also come as packages.
  execFileSync('npx', ['-y', 'pnpm@12', 'install', '--frozen-lockfile', '--ignore-scripts', '--prefer-offline'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  for (const { folder: adapter, drivers } of adapters) {
    for (const driver of drivers.filter((name) => !existsSync(join(modules, name)))) {
      mkdirSync(dirname(join(modules, driver)), { recursive: true })
      symlinkSync(join(root, adapter, 'node_modules', driver), join(modules, driver))
    }
  }
}

function pack() {
  const tarballs = join(projects, 'tarballs')
  mkdirSync(tarballs)
  return packAll(tarballs)
}

/** A project with the packages, as npm installs their tarballs, without a network. Drivers are found among the tools above it. */
function installPackages(packed) {
  const app = join(folder, 'app')
  mkdirSync(app)
  writeFileSync(join(app, 'package.json'), '{ "private": true, "type": "module" }')
  const command = ['install', '--offline', '--legacy-peer-deps', '--no-package-lock', '--no-audit', '--no-fund']
  // The command has dependencies of its own, which are not here without a network, and no program imports it.
  const imported = packed.filter(({ name }) => name !== '@rowkey/cli')
  execFileSync('npm', [...command, ...imported.map(({ tarball }) => tarball)], { cwd: app, stdio: 'pipe' })
  return app
}

/** For each package manager: what pack:all prints for it, and a folder whose commands run it. */
function managersOf(packed) {
  const [npm, pnpm, yarn, bun] = installLines(packed)[0].commands
  const node = (path) => `'${process.execPath}' '${join(modules, path)}'`
  const of = {
    npm: { line: npm, commands: {} },
    pnpm: { line: pnpm, commands: { pnpm: 'npx -y pnpm@12' } },
    yarn: { line: yarn, commands: { yarn: node('@yarnpkg/cli-dist/bin/yarn.js') } },
    'yarn-classic': { line: yarn, commands: { yarn: node('yarn/bin/yarn.js') } },
    bun: { line: bun, commands: { bun: `'${binaryOf(['@oven', 'bin/bun'], modules)}'` } },
  }
  for (const [name, { commands }] of Object.entries(of)) {
    const bin = (of[name].bin = join(projects, 'bin', name))
    mkdirSync(bin, { recursive: true })
    for (const [command, what] of Object.entries(commands)) {
      writeFileSync(join(bin, command), `#!/bin/sh\nexec ${what} "$@"\n`, { mode: 0o755 })
    }
  }
  return of
}

/** Runs the steps of a cell in a folder of its own. `tsc CONFIG` is the compiler in the cell's column. */
async function run(cell, own, managers) {
  mkdirSync(own)
  cpSync(here('program'), own, { recursive: true })
  for (const [name, text] of Object.entries({ ...programs, ...cell.files })) writeFileSync(join(own, name), text)
  let output = ''
  for (const step of cell.steps) {
    if (step[0] === 'tsc') {
      const { works, text } = await compilers.compile(cell.column, own, step[1])
      output += text
      if (!works) return { cell, works, output }
      continue
    }
    const command = commandOf(cell, step, managers[cell.manager])
    if (command === undefined || !existsSync(command[0])) return { cell, missing: true, output: '' }
    const { error, text } = await execute(command, own)
    output += text
    if (error !== null) return { cell, works: false, output }
  }
  return { cell, works: output.includes(cell.prints), output }
}

/**
 * `node FILE` runs a file of the cell if it starts with a dot, otherwise one of a tool; `binary` is the tool itself. `line` is what pack:all
 * prints for a package manager, and `shell` runs words after it.
 */
function commandOf(cell, [program, ...args], manager) {
  if (program === 'line' || program === 'shell') {
    const line = program === 'line' ? manager.line : args.join(' ')
    return ['/bin/sh', '-c', `PATH='${manager.bin}':"$PATH"; ${line}`]
  }
  if (program === 'binary') {
    const binary = binaryOf(cell.binary, modules)
    return binary === undefined ? undefined : [binary, ...args]
  }
  const isOfTool = (arg) => /^[\w@][\w@./-]*\.(m?js)$|\/bin\/\w+$/.test(arg)
  return [process.execPath, ...args.map((arg) => (isOfTool(arg) ? join(modules, arg) : arg))]
}

function execute([file, ...args], cwd) {
  const env = { ...process.env, NO_COLOR: '1', CI: '1', EXPECTED: otherCells[0].prints, DENO_NO_UPDATE_CHECK: '1' }
  delete env.NODE_OPTIONS
  return new Promise((resolve) => {
    execFile(file, args, { cwd, env, timeout: 120_000, maxBuffer: 2 ** 24 }, (error, stdout, stderr) => {
      resolve({ error, text: stdout + stderr })
    })
  })
}

/** The results in order; as many at a time as there are cores. */
async function all(items, work) {
  const results = []
  let next = 0
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index], index)
  }
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, worker))
  return results
}

/** Every compiler must say of every mistake what the pages want, in both decorator modes. */
async function askCompilers(app) {
  const asked = versions.flatMap((version) => modes.map((mode) => ({ version, mode })))
  await all(asked, async ({ version, mode }, index) => {
    const own = join(app, `mistakes-${index}`)
    mkdirSync(own)
    writePages(own, mode)
    const { text } = await compilers.compile(version, own)
    const faults = faultsOf(messagesIn(text), mode)
    if (faults.length === 0) return console.log(`TypeScript ${version}, ${mode} decorators: every mistake is told`)
    process.exitCode = 1
    console.error(
      `TypeScript ${version}, ${mode} decorators: ${faults.length} mistakes are not told as they should be\n${faults.join('\n')}`,
    )
  })
}

function report(results) {
  for (const { cell, works, missing, output } of results) {
    if (missing) console.log(`not run: ${nameOf(cell)}: the tool does not run on this machine`)
    else if (options.only !== undefined) console.log(`${works ? 'works' : 'does not work'}: ${nameOf(cell)}\n${output}`)
  }
  if (results.some(({ missing }) => missing) && process.env.ROWKEY_REQUIRE_TOOLS === '1') process.exitCode = 1
}

async function comparePage(results) {
  const found = await page(results)
  if (options.write === true) {
    writeFileSync(pagePath, found)
    return
  }
  if (results.some(({ missing }) => missing)) return
  const written = readFileSync(pagePath, 'utf8')
  if (found === written) {
    console.log('docs/compatibility.md says what was found')
    return
  }
  const [before, after] = [written, found].map((text) => text.split('\n'))
  for (const line of before.filter((each) => !after.includes(each))) console.log(`- ${line}`)
  for (const line of after.filter((each) => !before.includes(each))) console.log(`+ ${line}`)
  console.error('docs/compatibility.md does not say what was found. If it is right: pnpm compat --write')
  process.exitCode = 1
}

function seconds(began) {
  return `${((performance.now() - began) / 1000).toFixed(0)} s`
}
