import { redis } from '@rowkey/servers'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { openProxy, type Proxy } from '../../../../test/setup/proxy.js'
import { ended, project, started, type Ended } from '../command.js'
import { rowsOf, sorted, stateIn, struck, withEverything, withoutProgress } from '../stored.js'
import { allPlaces, eachPlace, exported, slowMs, type Place } from './places.js'

const shop = project(withEverything)
const { rowkey, write, path, folder } = shop
const count = 4000
const rows = rowsOf(count)
write('rows.ndjson', rows)
const prefix = `fault${process.pid}_`

/** A command that waits so long for a store, in milliseconds, would wait for ever. */
const endlessMs = 120_000

/** The table that is read, as its export is. */
const contents = new Map<Place['name'], string>()
const fill = async ({ name, url }: Place): Promise<void> => {
  expect((await rowkey(['import', 'everything', 'rows.ndjson', '--create', '--url', url(), '--prefix', prefix])).code).toBe(0)
  contents.set(name, await exported(shop, url(), prefix))
}

/** A command that works for long. `name`: of its output, its checkpoint and the table that it fills. */
interface Work {
  args(url: string, name: string): readonly string[]
  /** Whether a part of the work is done; by default whether there is a checkpoint. */
  isUnderWay?(name: string): boolean
  /** What holds after the fault, and after the same command has ended well. */
  left?(name: string): void
  done(name: string, place: Place): unknown
}

const partOf = (name: string): string => path(`.${name}.part`)
const reading = (url: string): readonly string[] => ['everything', '--url', url, '--prefix', prefix]

const works: Readonly<Record<string, Work>> = {
  export: {
    args: (url, name) => ['export', ...reading(url), '--output', name],
    isUnderWay: (name) => existsSync(partOf(name)) && statSync(partOf(name)).size > 0,
    left: (name) => expect(readdirSync(folder).filter((file) => file.includes(name))).toEqual([]),
    done: (name, place) => expect(readFileSync(path(name), 'utf8')).toBe(contents.get(place.name)),
  },
  exportOn: {
    args: (url, name) => ['export', ...reading(url), '--output', name, '--checkpoint', `${name}.json`],
    left: (name) => expect(existsSync(path(name))).toBe(false),
    done: (name, place) => expect(readFileSync(path(name), 'utf8')).toBe(contents.get(place.name)),
  },
  importOn: {
    args: (url, name) => {
      const where = ['--url', url, '--prefix', `${name.replaceAll('-', '')}_${prefix}`, '--create']
      return ['import', 'everything', 'rows.ndjson', ...where, '--checkpoint', `${name}.json`]
    },
    done: async (name, place) =>
      expect(sorted(await exported(shop, place.url(), `${name.replaceAll('-', '')}_${prefix}`))).toEqual(sorted(rows)),
  },
  copyOn: {
    args: (url, name) => ['copy', ...reading(url), '--to', `lmdb:${name}`, '--create', '--checkpoint', `${name}.json`],
    isUnderWay: (name) => typeof stateIn(shop, `${name}.json`)?.['cursor'] === 'string',
    done: async (name) => expect(sorted((await rowkey(['export', 'everything', '--url', `lmdb:${name}`])).stdout)).toEqual(sorted(rows)),
  },
}

/** One line, exit code 4, and no stack. */
function expectOneLine({ code, stdout, stderr }: Ended): void {
  expect(withoutProgress(stderr)).toMatch(/^rowkey: [^\n]+\.\n$/)
  expect({ code, stdout }).toEqual({ code: 4, stdout: '' })
}

/** A command is under way when its store fails; when the store is back, the same command ends well. */
async function fails(place: Place, kind: string, fault: (proxy: Proxy) => unknown, back: (proxy: Proxy) => unknown): Promise<void> {
  const { args, isUnderWay, left, done } = works[kind] as Work
  const name = `${place.name}-${kind}-${fault.name}`
  const proxy = await openProxy(place.port)
  onTestFinished(() => proxy.close())
  proxy.slowDown(slowMs)
  const given = args(place.url(proxy.port), name)
  let timer: NodeJS.Timeout | undefined
  const end = await struck(shop, given, isUnderWay === undefined ? `${name}.json` : () => isUnderWay(name), async (child) => {
    await fault(proxy)
    timer = setTimeout(() => child.kill('SIGKILL'), endlessMs)
  })
  clearTimeout(timer)
  expectOneLine(end)
  if (kind === 'importOn') expect(end.stderr).toContain(`Run the same command again: ${name}.json says where it goes on.`)
  left?.(name)
  await back(proxy)
  proxy.slowDown(0)
  const { code, stderr } = await ended(started(folder, given))
  expect({ code, stderr: withoutProgress(stderr) }).toEqual({
    code: 0,
    stderr: expect.stringContaining(`${kind === 'importOn' ? '' : count}`) as string,
  })
  expect(readdirSync(folder).filter((file) => file === `${name}.json` || file.endsWith(`${name}.part`))).toEqual([])
  await done(name, place)
}

const dies = (proxy: Proxy): Promise<void> => proxy.refuse(true)
const revives = (proxy: Proxy): Promise<void> => proxy.refuse(false)
const hangs = (proxy: Proxy): void => proxy.holdAnswers(true)
const goesOn = (proxy: Proxy): void => proxy.holdAnswers(false, true)

/** All of them have to end before the test does. */
async function together(places: readonly Place[], fault: (proxy: Proxy) => unknown, back: (proxy: Proxy) => unknown): Promise<void> {
  const all = places.flatMap((place) => Object.keys(works).map((kind) => fails(place, kind, fault, back)))
  const ends = await Promise.allSettled(all)
  expect(ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []))).toEqual([])
}

eachPlace((place) => {
  beforeAll(async () => {
    await fill(place)
  })

  test('when it dies, every command ends with one line and leaves nothing half written, and the same command goes on', async () => {
    await together([place], dies, revives)
  })
})

allPlaces((places) => {
  test('when stores hang, every command ends with one line as well, and the same command goes on', async () => {
    await together(places, hangs, goesOn)
  })
})

test.skipIf(redis.missing() !== undefined)(
  'a Redis that is killed has every line of the checkpoint when it comes back, and the import goes on',
  async () => {
    const server = await redis.start({ folder: path('redis') })
    onTestFinished(() => server.stop())
    const port = Number(new URL(server.connection.url).port)
    const proxy = await openProxy(port)
    onTestFinished(() => proxy.close())
    proxy.slowDown(slowMs)
    const args = [
      'import',
      'everything',
      'rows.ndjson',
      '--create',
      '--url',
      `redis://127.0.0.1:${proxy.port}`,
      '--checkpoint',
      'killed.json',
    ]
    expectOneLine(await struck(shop, args, 'killed.json', () => server.kill()))
    const lines = Number(stateIn(shop, 'killed.json')?.['lines'])
    expect(lines).toBeGreaterThan(0)
    expect(lines).toBeLessThan(count)
    const again = await redis.start({ folder: path('redis'), port })
    onTestFinished(() => again.stop())
    const written = new Set(sorted(await exported(shop, again.connection.url, '')).map((row) => (row as { readonly n: number }).n))
    expect(Array.from({ length: lines }, (_, n) => n).filter((n) => !written.has(n))).toEqual([])
    const { stderr } = await ended(started(folder, args))
    expect(withoutProgress(stderr)).toBe(`${count - lines} rows written to 'everything'\n`)
    expect(sorted(await exported(shop, again.connection.url, ''))).toEqual(sorted(rows))
  },
)
