import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { build, output, start } from './child.js'
import { scratchFolder } from '../../../test/kit/folder.js'

const folder = scratchFolder()
beforeAll(build, 180_000)
afterAll(folder.remove)

/** A small disk in a namespace of its own, which ends with its process: nothing is left, even after a kill. */
const disk = folder.path('disk')
const mounted = [
  'unshare',
  ...(process.getuid?.() === 0 ? [] : ['--map-root-user']),
  '--mount',
  'sh',
  '-c',
  'mount -t tmpfs -o size=1m tmpfs "$0" && exec "$@"',
  disk,
]
mkdirSync(disk)
const canMount = spawnSync(mounted[0] as string, [...mounted.slice(1), 'true']).status === 0
if (!canMount) console.log('full disk: skipped, this process may not mount a small disk (unshare --mount)')

interface Refusal {
  readonly code: string
  readonly reason: string
  readonly message: string
}
interface Attempt {
  readonly free: number
  readonly opening?: Refusal
  readonly ensuring?: Refusal
  readonly written?: number
  readonly failed?: Refusal
  readonly read?: number
  readonly readAgain?: number
  readonly later?: readonly [string, number]
}

/** What the program says, which LMDB would end on a full disk. */
async function said(sync: boolean): Promise<{ readonly attempts: readonly Attempt[]; readonly sparse: unknown }> {
  const { code, signal, lines, errors } = await output(start('full-disk.mjs', [disk, String(sync)], mounted))
  const others = errors.replaceAll(/Write error: No space left on device position \d+, size \d+/g, '') // what LMDB itself prints
  expect({ code, signal, errors: others }).toEqual({ code: 0, signal: null, errors: '' })
  const answers = lines.map((line) => JSON.parse(line) as unknown)
  return { attempts: answers.slice(0, -1) as Attempt[], sparse: answers.at(-1) }
}

const full = (what: string): object => ({
  code: 'STORE_UNUSABLE',
  reason: 'write',
  message: expect.stringMatching(new RegExp(`${what}.*Free disk space`)) as string,
})

describe.runIf(canMount).each([true, false])('a disk that is nearly full, sync: %s', (sync) => {
  let answers: Awaited<ReturnType<typeof said>>
  beforeAll(async () => {
    answers = await said(sync)
  }, 180_000)

  test('a store that has no space to open, to make a table, or to write, is STORE_UNUSABLE, and the process lives', () => {
    const refusals = answers.attempts.map(({ opening, ensuring, failed }) => opening ?? ensuring ?? failed)
    expect(refusals).toEqual(
      answers.attempts.map(({ opening }) => full(opening === undefined ? 'could not be written' : 'cannot be opened: ENOSPC')),
    )
    expect(new Set(answers.attempts.map(({ opening }) => opening === undefined))).toEqual(new Set([true, false]))
  })

  test('what was written is read, also by the next one that opens the full store, and writes go on when there is space', () => {
    const opened = answers.attempts.filter(({ written }) => written !== undefined)
    expect(opened.length).toBeGreaterThan(2)
    expect(opened.at(-1)?.written).toBeGreaterThan(0)
    for (const { written = 0, ...rest } of opened) {
      expect(rest).toMatchObject({ read: written, readAgain: written, later: ['applied', written + 1] })
    }
  })

  test('a lock file without its blocks is not touched on a full disk', () => {
    expect(answers.sparse).toEqual({ opening: full('cannot be opened: ENOSPC'), rows: 1 })
  })
})
