import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { build } from './build.js'

const servers = fileURLToPath(new URL('../servers/dist/index.js', import.meta.url))
beforeAll(() => {
  build('test/servers')
})

/** A program that makes a temporary folder, says where, and then does what is given. */
async function program(then: string) {
  const code = `
    import { temporaryFolder } from ${JSON.stringify(servers)}
    const { path, remove } = temporaryFolder('rowkey-test')
    ${then}
    process.stdout.write(path)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit') as Promise<[code: number | null, signal: string | null]>
  const [path] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, ended, path: String(path) }
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('a temporary folder is gone after %s', async (signal) => {
  const { child, ended, path } = await program('setInterval(() => undefined, 1000)')
  expect(existsSync(path)).toBe(true)
  child.kill(signal)
  expect(await ended).toEqual([128 + constants.signals[signal], null])
  expect(existsSync(path)).toBe(false)
})

test('and after the end of a program that did not remove it', async () => {
  const { ended, path } = await program('')
  expect(await ended).toEqual([0, null])
  expect(existsSync(path)).toBe(false)
})

test('and the temporary folders of a test run are in one of these', () => {
  expect(process.env['TMPDIR']).toMatch(/rowkey-tests-\w+$/)
  expect(process.env['TMPDIR']).toBe(process.env['ROWKEY_TEST_TMP'])
})
