// Plants each mutant in a copy of the workspace and runs the oracle there; two copies, side by side. A mutant that survives is a failure.
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mutants } from './mutants.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const copies = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'rowkey-mutants-')))
/** Of the layouts of an ordinary run: with fewer, one is missed. */
const scale = '0.6'

try {
  copies.forEach(copyWorkspace)
  await Promise.all([
    check(copies[0], 'no mutant', [], true),
    check(copies[1], 'no mutant', [], true, ['packages/rowkey/test/store/asynchronous.test.ts']),
  ])
  console.log(`mutant${' '.repeat(46)}| caught by`)
  const survivors = []
  const waiting = [...mutants]
  await Promise.all(
    copies.map(async (copy) => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { name, edits, tests } = next
        const caught = await check(copy, name, edits, false, tests)
        console.log(`${name.padEnd(52)}| ${caught ?? 'NOBODY'}`)
        if (caught === undefined) survivors.push(name)
      }
    }),
  )
  console.log(`${mutants.length - survivors.length} of ${mutants.length} mutants caught`)
  process.exitCode = survivors.length === 0 ? 0 : 1
} finally {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true })
}

function copyWorkspace(copy) {
  const left = new Set(['node_modules', 'dist', '.git', '.servers'].map((name) => join(root, name)))
  cpSync(root, copy, {
    recursive: true,
    verbatimSymlinks: true, // workspace links are relative and then stay inside the copy
    filter: (source) => !left.has(source) && !source.endsWith(`${sep}dist`),
  })
  linkModules(join(root, 'node_modules'), join(copy, 'node_modules'))
}

/** Links what is installed. The packages of the workspace are those of the copy. */
function linkModules(from, to) {
  mkdirSync(to)
  for (const name of readdirSync(from)) {
    const isOwn = name === 'rowkey' || name === '@rowkey'
    if (isOwn) cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true })
    else symlinkSync(join(from, name), join(to, name))
  }
}

/** The first line of the failure, undefined if the oracle passed. */
async function check(copy, name, edits, mustPass, tests = ['test/oracle/part-1.test.ts', 'test/oracle/work.test.ts']) {
  const originals = new Map()
  for (const [file, from, to] of edits) {
    const path = join(copy, file)
    const text = readFileSync(path, 'utf8')
    if (!originals.has(path)) originals.set(path, text)
    if (text.split(from).length !== 2) throw new Error(`mutant '${name}': its text is not exactly once in ${file}`)
    writeFileSync(
      path,
      text.replace(from, () => to),
    )
  }
  const { status, output } = await run(copy, tests)
  for (const [path, text] of originals) writeFileSync(path, text)
  if (mustPass && status !== 0) throw new Error(`the oracle fails without a mutant:\n${output.slice(-4000)}`)
  if (status === 0) return undefined
  const lines = output.split('\n')
  const where = lines.findIndex((line) => line.startsWith('where '))
  return (where >= 0 ? lines[where + 1] : lines.find((line) => line.includes('Error')))?.trim().slice(0, 90) ?? `exit ${status}`
}

/** The tests of a copy, with what they say. */
function run(copy, tests) {
  const child = spawn(
    process.execPath,
    [join(copy, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'repository', '--project', 'rowkey', '--bail', '1', ...tests],
    {
      cwd: copy,
      timeout: 300_000,
      // One folder for all runs of a copy: what one has compiled, the next does not compile again, but for the mutant.
      env: { ...process.env, NO_COLOR: '1', ROWKEY_SCALE: scale, ROWKEY_TEST_TMP: join(copy, '.run') },
    },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (status) => resolve({ status, output }))
  })
}
