import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const script = fileURLToPath(new URL('check-path.mjs', import.meta.url))
const run = (...args: readonly string[]) => spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' })

test.each(['#', '%', '?', '*', '"', '\\'])(
  'a clone in a path with %s: one line says that the tests cannot run there, and why',
  (character) => {
    const { status, stdout, stderr } = run(`/home/ann/a${character}b/rowkey`)
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toBe(
      `The tests cannot run in /home/ann/a${character}b/rowkey: Vite loads no files from a path with ${character}. Move the clone, or rename the folder.\n`,
    )
  },
)

test.each(["/home/ann/it's (a) $HOME [x] {y} & 日本", `/${'a'.repeat(200)}/${'b'.repeat(200)}`])('in %s they can', (path) => {
  expect(run(path)).toMatchObject({ status: 0, stdout: '', stderr: '' })
})

test('pnpm test looks at the path first, here as well', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { scripts: { test: string } }
  expect(scripts.test).toMatch(/^node test\/setup\/check-path\.mjs && /)
  expect(run()).toMatchObject({ status: 0, stderr: '' })
})
