// pnpm test [FILE…]: without files, what some tests run as plain Node.js is built first, once. Single files build what they need by themselves.
// Runs where no server is required leave out the tests of `leftToGate`, unless they are named.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const args = process.argv.slice(2)
const module = (path) => fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url))
const isWhole = args.every((arg) => arg.startsWith('-'))
const builds = ['examples', 'packages/rowkey/test/model/decorators/legacy', 'packages/rowkey/test/model/decorators/standard']

// The children get the signal too, and clean up.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined)
process.env.ROWKEY_TEST_WHOLE = isWhole ? '1' : '0'
process.exitCode =
  (isWhole ? await run(fileURLToPath(new URL('../../build.mjs', import.meta.url)), ...builds) : 0) ||
  (await run(module('vitest/vitest.mjs'), 'run', ...args))

function run(...command) {
  return new Promise((resolve) => {
    spawn(process.execPath, command, { stdio: 'inherit' }).on('close', (code) => resolve(code ?? 1))
  })
}
