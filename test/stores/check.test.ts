import { redis } from '@rowkey/redis'
import type { Adapter } from 'rowkey/adapter'
import { isShort } from '@rowkey/servers/scale'
import { checkupTitles, type CheckupReport } from 'rowkey/conformance'
import { Redis } from 'ioredis'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ended, project, started } from '../../packages/cli/test/command.js'
import { isSkippedOn } from '../kit/skipped-rules.js'
import { openProxy } from '../setup/proxy.js'
import { eachCheckPlace, type Place } from './check-places.js'

const { rowkey, folder } = project()

type Report = CheckupReport & { readonly store: { readonly product: string | null } }

async function checked(
  place: Place,
  args: readonly string[],
  port?: number,
): Promise<{ readonly code: number | null; readonly report: Report; readonly stderr: string }> {
  const { code, stdout, stderr } = await rowkey(['check', place.url(port), '--yes', '--json', ...args])
  return { code, report: JSON.parse(stdout) as Report, stderr }
}

const some = ['--quick', ...(isShort ? ['--only', 'ADAPTER-1'] : [])]

/** The rules of a gate: all on the fastest server, elsewhere some; a long run has all of `--quick` everywhere. */
const rules: Readonly<Record<Place['name'], readonly string[]>> = {
  redis: ['--parallel', '2'],
  kudu: ['--quick', '--parallel', '2'],
  dynalite: some,
  moto: some,
  cassandra: some,
  hbase: some,
}

/** Those of tests that only begin. */
const begun = ['--only', 'ADAPTER-1']

eachCheckPlace((place) => {
  const { name, contents } = place

  test(`it has the verdicts of the repository's own tests on ${name}, and leaves nothing`, async () => {
    const before = await contents()
    const { code, report } = await checked(place, rules[name])
    const { verdicts, notRun, left } = report
    const seen = verdicts.filter(({ verdict }) => verdict !== 'passed')
    expect(seen.filter(({ rule, verdict, because = '' }) => verdict === 'failed' || !isSkippedOn(name, { rule, because }))).toEqual([])
    expect({ code, notRun, left }).toEqual({ code: 0, notRun: [], left: [] })
    const passed = verdicts.filter(({ verdict }) => verdict === 'passed')
    expect(passed.filter(({ rule }) => isSkippedOn(name, { rule, because: '' }))).toEqual([])
    expect(await contents()).toEqual(before)
    if (name === 'redis') {
      expect(verdicts.length).toBe(checkupTitles({ prefix: '', seed: 1 }).length + 1)
      expect(report.store.product).toMatch(/^redis \d+\.\d+/)
    }
    if (name === 'cassandra') expect(report.store.product).toMatch(/^Cassandra \d+\.\d+/)
  })

  test(`Ctrl-C while it creates tables on ${name} leaves nothing`, async () => {
    const before = await contents()
    const child = started(folder, ['check', place.url(), '--yes', ...begun])
    const end = ended(child)
    while ((await contents()).length === before.length && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 5))
    child.kill(name === 'kudu' ? 'SIGTERM' : 'SIGINT')
    const { code, stdout, stderr } = await end
    expect(stderr).toMatch(/\nrowkey: interrupted after \d+ of \d+ rules\. Nothing of it is left\.\n$/)
    expect({ code, stdout }).toEqual({ code: name === 'kudu' ? 143 : 130, stdout: '' })
    expect(await contents()).toEqual(before)
  })

  if (name === 'redis') describe('a server that fails', () => serverThatFails(place))
})

function serverThatFails(place: Place): void {
  const { contents } = place
  const oneRule = ['--only', 'GET-1 GET-2']

  test('an adapter that loses an update fails the rules that see it, which say what they saw', async () => {
    const { prototype } = redis(new Redis({ lazyConnect: true })).constructor as { readonly prototype: Adapter }
    const { write } = prototype
    let updates = 0
    const spy = vi.spyOn(prototype, 'write').mockImplementation(function (this: Adapter, batch, options) {
      const isLost = batch.length === 1 && batch[0]?.kind === 'update' && updates++ % 3 === 1
      return isLost ? Promise.resolve([{ kind: 'applied' }]) : write.call(this, batch, options)
    })
    onTestFinished(() => spy.mockRestore())
    const { code, report } = await checked(place, ['--only', 'WRITE-3'])
    const failed = report.verdicts.filter(({ verdict }) => verdict === 'failed')
    expect(failed.map(({ rule }) => rule)).toContainEqual(expect.stringMatching(/^WRITE-3: 2 × 1,000 interleaved updates/))
    expect(failed.map(({ because }) => because).join('\n')).toMatch(/lost its last update/)
    expect({ code, left: report.left, contents: await contents() }).toEqual({ code: 1, left: [], contents: [] })
  })

  test('answers that are dropped: the rules that miss them fail by their names, the rest is tested, and nothing is left', async () => {
    const failed: CheckupReport['verdicts'][number][] = []
    for (const nth of [1, 3, 5, 8, 15]) {
      const proxy = await openProxy(place.port)
      onTestFinished(() => proxy.close())
      const running = checked(place, ['--only', 'GET-'], proxy.port)
      // The first requests are those of the client.
      while (!(await contents()).length) await new Promise((resolve) => setTimeout(resolve, 1))
      proxy.swallow(nth)
      const { report } = await running
      failed.push(...report.verdicts.filter(({ verdict }) => verdict === 'failed'))
      expect({ notRun: report.notRun, left: report.left, contents: await contents() }).toEqual({ notRun: [], left: [], contents: [] })
    }
    expect(failed).toContainEqual(expect.objectContaining({ rule: expect.stringMatching(/^(?:SCAN-1 )?GET-\d/) as string }))
    expect(
      failed.map(({ because = '' }) => because).filter((text) => !/STORE_UNAVAILABLE|OUTCOME_UNKNOWN|WRITE_FAILED|the outcome/.test(text)),
    ).toEqual([])
  })

  test('a server that hangs: the rule under way fails by its name, and what is left is named with what removes it', async () => {
    const proxy = await openProxy(place.port)
    onTestFinished(() => proxy.close())
    const args = ['check', place.url(proxy.port), '--yes', '--limit', '2', ...oneRule]
    const child = started(folder, args)
    const end = ended(child)
    while (!(await contents()).length) await new Promise((resolve) => setTimeout(resolve, 1))
    proxy.holdAnswers(true)
    const { code, stdout, stderr } = await end
    expect(stdout).toMatch(/\n✗ GET-1 GET-2: rows are returned[^✓✗]*\n +it has not ended within 2 s\n/)
    expect(stdout).toContain('The store does not answer any more: ')
    expect(code).toBe(1)
    const [, name = '', removal = ''] =
      /^rowkey: (rowkey_check_\w+)[^\n]* could not be removed\. Remove it: rowkey (.*)$/m.exec(stderr) ?? []
    expect(await contents()).toContainEqual(expect.stringContaining(name))
    proxy.holdAnswers(false, true)
    const remove = removal.split(' ').map((word) => word.replaceAll("'", ''))
    const given = ['check', place.url(), '--remove', remove[remove.indexOf('--remove') + 1] ?? '', '--seed', '1', ...oneRule]
    expect((await rowkey(given)).stderr).toMatch(/^Nothing of rowkey_check_\w+ is left: 1 table looked for\.\n$/)
    expect(await contents()).toEqual([])
  })

  test('a second Ctrl-C ends it where it is, and says what removes the rest', async () => {
    const proxy = await openProxy(place.port)
    onTestFinished(() => proxy.close())
    const child = started(folder, ['check', place.url(proxy.port), '--yes', ...oneRule])
    const end = ended(child)
    while (!(await contents()).length) await new Promise((resolve) => setTimeout(resolve, 1))
    proxy.holdAnswers(true)
    child.kill('SIGINT')
    await new Promise((resolve) => setTimeout(resolve, 200))
    child.kill('SIGINT')
    const { code, stderr } = await end
    expect(code).toBe(130)
    const [, prefix = ''] = /may be left\. Remove them: rowkey check '[^']*' --remove (\w+) /.exec(stderr) ?? []
    proxy.holdAnswers(false, true)
    await rowkey(['check', place.url(), '--remove', prefix, '--seed', '1', ...oneRule])
    expect(await contents()).toEqual([])
  })
}
