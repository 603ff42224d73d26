import { isLong } from '@rowkey/servers/scale'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openProxy, type Proxy } from '../../../../test/setup/proxy.js'
import { ended, project, started } from '../command.js'
import { interrupted, rowsOf, sorted, stateIn, withEverything, withoutProgress } from '../stored.js'
import { allPlaces, eachPlace, exported, slowMs, type Place } from './places.js'

const shop = project(withEverything)
const { write, path, folder } = shop
const count = 4000
const rows = rowsOf(count)
write('rows.ndjson', rows)
const prefix = `stop${process.pid}_`

/** A window of an import, and a page of an export or a copy, has at most so many rows. */
const portion = 1024

/** How commands end in the tests of a place: the command does the same whatever the store, so a gate has each signal on two stores. */
const signalsOf = (name: Place['name']): readonly ('SIGINT' | 'SIGKILL')[] =>
  isLong ? ['SIGINT', 'SIGKILL'] : [name === 'redis' || name === 'cassandra' ? 'SIGINT' : 'SIGKILL']

const numbersOf = (lines: string): ReadonlySet<number> => new Set(sorted(lines).map((row) => (row as { readonly n: number }).n))

eachPlace(({ name, port, url }) => {
  let proxy: Proxy
  beforeAll(async () => {
    proxy = await openProxy(port)
  })
  afterAll(() => proxy.close())
  const slowly = async (args: readonly string[], file: string, signal: NodeJS.Signals): ReturnType<typeof interrupted> => {
    proxy.slowDown(slowMs)
    const stopped = await interrupted(shop, args, file, signal)
    proxy.slowDown(0)
    return stopped
  }

  test.each(signalsOf(name))('an import to it that %s ends loses no line of its checkpoint, and goes on there', async (signal) => {
    const [file, before] = [`in-${name}-${signal}.json`, `${signal.toLowerCase()}_${prefix}`]
    const args = ['import', 'everything', 'rows.ndjson', '--create', '--url', url(proxy.port), '--prefix', before, '--checkpoint', file]
    const { code, stderr } = await slowly(args, file, signal)
    expect(code).toBe(signal === 'SIGINT' ? 130 : null)
    if (signal === 'SIGINT')
      expect(stderr).toMatch(/^rowkey: interrupted after \d+ lines\. .*: in-\w+-SIGINT\.json says where it goes on\.$/m)
    const lines = Number(stateIn(shop, file)?.['lines'])
    expect(lines).toBeGreaterThan(0)
    expect(lines).toBeLessThan(count)
    const written = numbersOf(await exported(shop, url(), before))
    expect(Array.from({ length: lines }, (_, n) => n).filter((n) => !written.has(n))).toEqual([])
    expect(written.size).toBeLessThanOrEqual(lines + portion)
    const again = await ended(started(folder, args))
    expect({ code: again.code, stderr: withoutProgress(again.stderr) }).toEqual({
      code: 0,
      stderr: `${count - lines} rows written to 'everything'\n`,
    })
    expect(existsSync(path(file))).toBe(false)
    expect(sorted(await exported(shop, url(), before))).toEqual(sorted(rows))
  })

  test.each(signalsOf(name))('an export from it that %s ends goes on at its checkpoint, and the file is the same', async (signal) => {
    // The table is that of the import before.
    const [file, output, before] = [`out-${name}-${signal}.json`, `${name}-${signal}.ndjson`, `${signal.toLowerCase()}_${prefix}`]
    const args = ['export', 'everything', '--url', url(proxy.port), '--prefix', before, '--output', output, '--checkpoint', file]
    const { code, stderr } = await slowly(args, file, signal)
    expect(code).toBe(signal === 'SIGINT' ? 130 : null)
    if (signal === 'SIGINT')
      expect(stderr).toMatch(/^rowkey: interrupted after \d+ rows\. .*: out-\w+-SIGINT\.json says where it goes on\.$/m)
    const state = stateIn(shop, file)
    expect(state?.['rows']).toBeGreaterThan(0)
    expect(state?.['rows']).toBeLessThan(count)
    expect(state?.['next']).toEqual(expect.any(String))
    expect(existsSync(path(output))).toBe(false)
    const again = await ended(started(folder, args))
    expect({ code: again.code, stderr: withoutProgress(again.stderr) }).toEqual({ code: 0, stderr: `${output}: ${count} rows\n` })
    expect(readFileSync(path(output), 'utf8')).toBe(await exported(shop, url(), before))
    expect(readdirSync(folder).filter((each) => each.endsWith('.part') || each === file)).toEqual([])
  })
})

allPlaces((places) => {
  test.each([
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 0],
  ])('a copy from store %i to store %i that Ctrl-C ends goes on at its checkpoint, and both have equal rows', async (source, target) => {
    const [from, to] = [places[source], places[target]] as [Place, Place]
    const proxy = await openProxy(from.port)
    proxy.slowDown(slowMs)
    onTestFinished(() => proxy.close())
    const [file, before] = [`copy-${from.name}.json`, `${from.name}_${prefix}`]
    const args = ['copy', 'everything', '--url', from.url(proxy.port), '--prefix', `${signalsOf(from.name)[0]?.toLowerCase()}_${prefix}`]
    const there = ['--to', to.url(), '--to-prefix', before, '--create', '--checkpoint', file]
    const { code, stderr } = await interrupted(
      shop,
      [...args, ...there],
      () => typeof stateIn(shop, file)?.['cursor'] === 'string',
      'SIGINT',
    )
    expect(stderr).toMatch(/^rowkey: interrupted after \d+ rows\. Run the same command again: copy-\w+\.json says where it goes on\.$/m)
    proxy.slowDown(0)
    expect(code).toBe(130)
    const copied = numbersOf(await exported(shop, to.url(), before)).size
    expect(copied).toBeGreaterThan(0)
    expect(copied).toBeLessThan(count)
    const { stderr: summary } = await ended(started(folder, [...args, ...there]))
    expect(summary).toMatch(/^4000 rows copied, digest [0-9a-f]{32}$/m)
    expect(existsSync(path(file))).toBe(false)
    expect(sorted(await exported(shop, to.url(), before))).toEqual(sorted(rows))
  })
})
