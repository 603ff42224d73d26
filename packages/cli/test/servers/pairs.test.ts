import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { node, plainEnv, program, project } from '../command.js'
import { rowsOf, sorted, withEverything, withoutProgress } from '../stored.js'
import { allPlaces } from './places.js'

const { rowkey, write, folder } = project(withEverything)
const prefix = `pair${process.pid}_`

/** Values at the ends of their types, by column. The last value of a shorter list is repeated. */
const edges: Readonly<Record<string, readonly unknown[]>> = {
  host: ['', '\u0000', 'a\u0000b', '\u{10ffff}', '😀', 'h'.repeat(200), '\ud7ff\ue000', ' '],
  at: ['-271821-04-20T00:00:00.000Z', '+275760-09-13T00:00:00.000Z', '1969-12-31T23:59:59.999Z', '1970-01-01T00:00:00.000Z'],
  big: ['-9223372036854775808', '9223372036854775807', '0', '-1'],
  us: ['-271821-04-20T00:00:00.000000Z', '+275760-09-13T00:00:00.000000Z', '1969-12-31T23:59:59.999999Z', null],
  ns: ['1677-09-21T00:12:43.145224192Z', '2262-04-11T23:47:16.854775807Z', '1969-12-31T23:59:59.999999999Z', null],
  day: ['0001-01-01', '9999-12-31', '1969-12-31', null],
  price: ['-99999999999999999.999', '99999999999999999.999', '0.000', '-0.001'],
  score: ['NaN', '-0', 0, 'Infinity', '-Infinity', 5e-324, 1.7976931348623157e308, 0.1],
  raw: ['0x', '0x00', `0x${'00'.repeat(1000)}`, `0x${'ff'.repeat(1000)}`, null],
  id: ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  isPaid: [false, true],
  data: [{}, [], '', 0, { '': null }, { a: '\u0000😀' }, [[[[1e300, -1, 0.1]]]], null],
  note: ['', '\u0000', '\u{10ffff}', 'ä€𝒳'.repeat(7000), 'x'.repeat(65_535), '"\\\n\r\t', '\ufffd\ufeff', null],
  $expires: [null, '2100-01-01T00:00:00.001Z'],
}
const edgeCount = Math.max(...Object.values(edges).map((values) => values.length))

/** Rows of one source. No other source has a row with the same key. */
function linesOf(source: number): string {
  const plain = rowsOf(300).replaceAll(/"n":(\d+)/g, (_, n: string) => `"n":${source * 1000 + Number(n)}`)
  const extreme = Array.from({ length: edgeCount }, (_, at) => {
    const values = Object.entries(edges).map(([name, all]) => [name, all[Math.min(at, all.length - 1)]])
    const n = at % 2 === 0 ? -(2 ** 31) + source * edgeCount + at : 2 ** 31 - 1 - source * edgeCount - at
    return `${JSON.stringify({ ...Object.fromEntries(values), n })}\n`
  })
  return plain + extreme.join('')
}

allPlaces((places) => {
  const stores = [{ name: 'lmdb', url: 'lmdb:data' }, ...places.map(({ name, url }) => ({ name, url: url() }))]
  const sources = stores.map((_, at) => linesOf(at))

  test.each(stores.map((store, at) => ({ ...store, at })))(
    '$name takes values at the ends of their types, and gives them back',
    async ({ name, url, at }) => {
      write(`${name}.ndjson`, sources[at] as string)
      const { code, stderr } = await rowkey(['import', 'everything', `${name}.ndjson`, '--create', '--url', url, '--prefix', prefix])
      expect({ code, stderr: withoutProgress(stderr) }).toEqual({ code: 0, stderr: `${300 + edgeCount} rows written to 'everything'\n` })
      const { stdout } = await rowkey(['export', 'everything', '--url', url, '--prefix', prefix])
      expect(sorted(stdout)).toEqual(sorted(sources[at] as string))
      expect(stdout).not.toContain('"rev"')
    },
  )

  test.each(stores)('$name takes no text that is too long for a column, and says which line has it', async ({ url }) => {
    const long = (sources[0] as string).replaceAll('x'.repeat(65_535), 'x'.repeat(100_000))
    const { code, stderr } = await rowkey(['import', 'everything', '--url', url, '--prefix', prefix], { input: long })
    expect(stderr).toMatch(
      /^rowkey: line 305 is no row: .*column 'note' takes 100000 bytes, more than 65535\. Shorten it.* Nothing has been written\.\n$/,
    )
    expect(stderr).not.toContain('index')
    expect(code).toBe(2)
  })

  test.each(stores)('what export of each store writes to a pipe, import of $name reads, and nothing is lost', ({ url }) => {
    for (const from of stores) {
      const pipe = `"$0" "$1" export everything --url "$2" --prefix "$3" | "$0" "$1" import everything --create --url "$4" --prefix "to_$3"`
      const args = [node, program, from.url, prefix, url]
      const { status, stderr } = spawnSync('sh', ['-c', pipe, ...args], { cwd: folder, env: plainEnv(), encoding: 'utf8' })
      expect({ status, stderr: withoutProgress(stderr) }).toEqual({
        status: 0,
        stderr: `${300 + edgeCount} rows written to 'everything'\n`,
      })
    }
  })

  test('so all stores have the same rows, and copy finds the same digest in each', async () => {
    const digests: unknown[] = []
    for (const { name, url } of stores) {
      const to = ['--to', `lmdb:${name}-copied`, '--create', '--json']
      const { stdout } = await rowkey(['copy', 'everything', '--url', url, '--prefix', `to_${prefix}`, ...to])
      digests.push(JSON.parse(stdout))
    }
    expect(digests).toEqual(stores.map(() => digests[0]))
    expect(digests[0]).toMatchObject({
      rows: sources.length * (300 + edgeCount),
      digest: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    })
    for (const { name } of stores) {
      const { stdout } = await rowkey(['export', 'everything', '--url', `lmdb:${name}-copied`])
      expect(sorted(stdout)).toEqual(sorted(sources.join('')))
    }
  })
})
