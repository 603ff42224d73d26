import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { openProxy, type Proxy } from '../../../../test/setup/proxy.js'
import { ended, project, started, type Ended } from '../command.js'
import { rowsOf, sorted, withEverything } from '../stored.js'
import { eachPlace } from './places.js'

const { rowkey, write, path, folder } = project(withEverything)
const count = 4000
const rows = rowsOf(count)
write('rows.ndjson', rows)
const prefix = `fault${process.pid}_`

/** Answers come so slowly that no command ends before its fault, in milliseconds. */
const slow = 20
/** A command that waits longer than this for a store is never patient enough for the test. */
const patienceMs = 100_000

const exported = (url: string, before: string): string => rowkey(['export', 'everything', '--url', url, '--prefix', before]).stdout

/** The files of one crossing. */
interface Files {
  readonly output: string
  readonly checkpoint: string
  readonly prefix: string
}

/** Every command that goes on for long. `isUnderWay`: whether it has done a part of its work. */
const commands: readonly {
  readonly name: string
  args(url: string, files: Files): readonly string[]
  isUnderWay(files: Files): boolean
}[] = [
  {
    name: 'export',
    args: (url, { output }) => ['export', 'everything', '--url', url, '--prefix', prefix, '--output', output],
    isUnderWay: ({ output }) => existsSync(path(`.${output}.part`)) && statSync(path(`.${output}.part`)).size > 0,
  },
  {
    name: 'export --checkpoint',
    args: (url, { output, checkpoint }) => ['export', 'everything', '--url', url, '--prefix', prefix, '--output', output, '--checkpoint', checkpoint],
    isUnderWay: ({ checkpoint }) => existsSync(path(checkpoint)),
  },
  {
    name: 'import --checkpoint',
    args: (url, { prefix, checkpoint }) => ['import', 'everything', 'rows.ndjson', '--create', '--url', url, '--prefix', prefix, '--checkpoint', checkpoint],
    isUnderWay: ({ checkpoint }) => existsSync(path(checkpoint)),
  },
  {
    name: 'copy --checkpoint',
    args: (url, { output, checkpoint }) => ['copy', 'everything', '--url', url, '--prefix', prefix, '--to', `lmdb:${output}`, '--create', '--checkpoint', checkpoint],
    isUnderWay: ({ checkpoint }) => existsSync(path(checkpoint)),
  },
]

eachPlace(({ name, port, url }) => {
  let whole = ''
  beforeAll(() => {
    expect(rowkey(['import', 'everything', 'rows.ndjson', '--create', '--url', url(), '--prefix', prefix]).code).toBe(0)
    whole = exported(url(), prefix)
    expect(sorted(whole)).toEqual(sorted(rows))
  })

  /** Runs a command until it is under way, then lets something happen to its store. */
  async function struck(at: number, files: Files, fault: (proxy: Proxy) => unknown): Promise<{ readonly proxy: Proxy; readonly end: Ended; args: readonly string[] }> {
    const { args, isUnderWay } = commands[at] as (typeof commands)[number]
    const proxy = await openProxy(port)
    proxy.slowDown(slow)
    const given = args(url(proxy.port), files)
    const child = started(folder, given)
    const running = ended(child)
    while (!isUnderWay(files) && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 5))
    await fault(proxy)
    const t = Date.now()
    const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
    const end = await running
    clearTimeout(timer)
    console.log(name, at, String(fault), Date.now() - t, end)
    return { proxy, end, args: given }
  }

  for (const how of ['dies', 'hangs'] as const) {
    test(`a store that ${how} while a command is under way: exit code 4, one line, and the same command goes on`, async () => {
      await Promise.all(commands.map(async (_, at) => {
        const files = { output: `${name}-${how}-${at}`, checkpoint: `${name}-${how}-${at}.json`, prefix: `${how}_${prefix}` }
        const { proxy, end, args } = await struck(at, files, (proxy) => how === 'dies' ? proxy.refuse(true) : proxy.holdAnswers(true))
        onTestFinished(() => proxy.close())
      }))
    })
  }
})
