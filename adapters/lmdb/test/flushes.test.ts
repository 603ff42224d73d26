import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { build, output, start } from './child.js'
import { scratchFolder } from '../../../test/kit/folder.js'

const folder = scratchFolder()
beforeAll(build, 180_000)
afterAll(folder.remove)

const hasStrace = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0
if (!hasStrace) console.log('flushes: skipped, strace is missing or may not trace (it is a package of Debian)')

/** What the program did, in order: what it said, and what it had the system do with files. */
async function trace(sync: boolean): Promise<readonly string[]> {
  rmSync(folder.path(`new-${sync}`), { recursive: true, force: true })
  const log = folder.path(`trace-${sync}`)
  const child = start(
    'acknowledging.mjs',
    [folder.path(`new-${sync}/deep/store`), String(sync)],
    ['strace', '-f', '-e', 'trace=fdatasync,fsync,openat,pwrite64,pwritev,write', '-s', '40', '-o', log],
  )
  const { code } = await output(child)
  expect(code).toBe(0)
  return readFileSync(log, 'utf8').split('\n').map(readable)
}

/** A line with the names of files as they are: strace has bytes beyond ASCII as octal numbers. */
const readable = (line: string): string =>
  line.replace(/(?:\\[0-3][0-7]{2})+/g, (bytes) =>
    Buffer.from((bytes.match(/[0-7]{3}/g) ?? []).map((byte) => Number.parseInt(byte, 8))).toString(),
  )

/** The lines between begin and acknowledgement of a write. */
function during(lines: readonly string[], write: string): readonly string[] {
  const at = (what: string): number => lines.findIndex((line) => line.includes(`write(1, "${what} ${write}\\n"`))
  expect(at('begin')).toBeGreaterThan(0)
  expect(at('acknowledged')).toBeGreaterThan(at('begin'))
  return lines.slice(at('begin'), at('acknowledged'))
}

/** The flush has returned; a line of a call that another thread interrupted ends it too. */
const flushed = (line: string): boolean => /(fdatasync\(\d+\)|fdatasync resumed>\)?) += 0$/.test(line)

describe.runIf(hasStrace)('under strace', () => {
  test('fdatasync has returned, and then the root was written past the cache, before a write is acknowledged', async () => {
    const lines = await trace(true)
    const root = /openat\([^)]*data\.mdb", O_WRONLY\|O_DSYNC[^)]*\) = (\d+)/.exec(lines.join('\n'))?.[1]
    expect(root, 'what LMDB writes its root by').toBeDefined()
    for (let id = 1; id <= 20; id++) {
      const done = during(lines, String(id))
      const flush = done.findIndex(flushed)
      expect(flush, `write ${id}`).toBeGreaterThan(0)
      expect(
        done.slice(flush).some((line) => line.includes(`pwrite64(${root ?? ''},`)),
        `write ${id}`,
      ).toBe(true)
    }
    const together = during(lines, 'together').filter(flushed).length
    expect(together).toBeGreaterThan(0)
    expect(together, '500 writes at once share flushes').toBeLessThan(50)
    console.log(`${lines.filter(flushed).length} flushes in all, ${together} for 500 writes at once`)
  })

  test('the names of the new file and of the new folders above it are flushed before anything is written', async () => {
    const lines = await trace(true)
    const before = lines.slice(
      0,
      lines.findIndex((line) => line.includes('"begin 1\\n"')),
    )
    expect(before.length).toBeGreaterThan(0)
    const made = before.findIndex((line) => line.includes('data.mdb", O_RDWR|O_CREAT'))
    expect(made).toBeGreaterThan(0)
    for (const name of ['new-true/deep/store', 'new-true/deep', 'new-true', '']) {
      const path = folder.path(name).replace(/\/$/, '')
      const opened = before.findIndex((line, at) => at > made && line.includes(`"${path}", O_RDONLY`))
      expect(opened, path).toBeGreaterThan(made)
      const descriptor = / = (\d+)$/.exec(before[opened] ?? '')?.[1]
      const flush = before.findIndex((line, at) => at > opened && line.includes(`fsync(${descriptor ?? 'none'}`))
      expect(flush, path).toBeGreaterThan(opened)
    }
  })

  test('with sync: false nothing is flushed', async () => {
    expect((await trace(false)).filter((line) => flushed(line) || line.includes('fsync('))).toEqual([])
  })
})
