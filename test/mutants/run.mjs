// Plants each mutant in a copy of the workspace and runs the oracle there. A mutant that survives is a failure.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mutants } from './mutants.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const copy = mkdtempSync(join(tmpdir(), 'rowkey-mutants-'))
const layouts = process.env.ORACLE_LAYOUTS ?? '600'

try {
  copyWorkspace()
  const survivors = []
  check('no mutant', [], true)
  check('no mutant', [], true, ['test/store/asynchronous.test.ts'])
  console.log(`mutant${' '.repeat(46)}| caught by`)
  for (const { name, edits, tests } of mutants) {
    const caught = check(name, edits, false, tests)
    console.log(`${name.padEnd(52)}| ${caught ?? 'NOBODY'}`)
    if (caught === undefined) survivors.push(name)
  }
  console.log(`${mutants.length - survivors.length} of ${mutants.length} mutants caught with ${layouts} layouts`)
  process.exitCode = survivors.length === 0 ? 0 : 1
} finally {
  rmSync(copy, { recursive: true, force: true })
}

function copyWorkspace() {
  const left = new Set(['node_modules', 'dist', '.git'].map((name) => join(root, name)))
  cpSync(root, copy, {
    recursive: true,
    verbatimSymlinks: true, // workspace links are relative and then stay inside the copy
    filter: (source) => !left.has(source) && !source.endsWith(`${sep}dist`),
  })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
}

/** The first line of the failure, undefined if the oracle passed. */
function check(name, edits, mustPass, tests = ['test/oracle/part-1.test.ts', 'test/oracle/work.test.ts']) {
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
  const result = spawnSync(process.execPath, [join(copy, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'core', ...tests], {
    cwd: copy,
    encoding: 'utf8',
    timeout: 300_000,
    env: { ...process.env, NO_COLOR: '1', ORACLE_LAYOUTS: layouts },
  })
  for (const [path, text] of originals) writeFileSync(path, text)
  const output = `${result.stdout}${result.stderr}`
  if (mustPass && result.status !== 0) throw new Error(`the oracle fails without a mutant:\n${output.slice(-4000)}`)
  if (result.status === 0) return undefined
  const lines = output.split('\n')
  const where = lines.findIndex((line) => line.startsWith('where '))
  return (where >= 0 ? lines[where + 1] : lines.find((line) => line.includes('Error')))?.trim().slice(0, 90) ?? `exit ${result.status}`
}
