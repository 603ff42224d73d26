import { spawnSync } from 'node:child_process'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { machine, machineText } from '../machine.js'
import { spreadOf } from '../measure/statistics.js'
import type { Options } from '../options.js'
import { spreadText } from '../report/numbers.js'
import { textTable } from '../text-table.js'
import { startFolder, startsIn, type Start } from './parties.js'

/** Every process of a start tells its CPU time on stderr when it ends, its children too. */
const meter = `data:text/javascript,${encodeURIComponent(
  `import { writeSync } from 'node:fs'
process.on('exit', () => { const { user, system } = process.cpuUsage(); writeSync(2, '\\ncpu ' + (user + system) / 1000 + '\\n') })`,
)}`

/** Measures what it costs to start: CPU time of all processes, without that of an empty program, and the bytes of a bundle. */
export async function runStart(
  { effort }: Options,
  progress: (line: string) => void,
): Promise<{ readonly text: string; readonly data: object }> {
  const here = { ...machine(), clock: 'CPU time' }
  const starts = startsIn(startFolder)
  const times = new Map(starts.map((start) => [start, [] as number[]]))
  const rounds = 3 * effort.rounds
  for (let round = -1; round < rounds; round++) {
    // All take turns, so that a neighbour that slows the machine down slows down all of them. The first round fills caches.
    for (const [start, all] of times) {
      const ms = millisecondsOf(start)
      if (round >= 0) all.push(ms)
    }
    if (round >= 0) progress(`round ${round + 1} of ${rounds}`)
  }
  const sizes = new Map(await Promise.all(starts.map(async (start) => [start, await bundleOf(start)] as const)))
  const data = starts.map((start) => ({ name: start.name, milliseconds: times.get(start), bundle: sizes.get(start) }))
  return { text: [machineText(here), startReport(times, sizes), legend].join('\n\n'), data: { machine: here, starts: data } }
}

function millisecondsOf({ name, args }: Start): number {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: startFolder,
    encoding: 'utf8',
    timeout: 60_000,
    env: { ...process.env, NODE_OPTIONS: `--import ${meter}` },
  })
  const told = [...stderr.matchAll(/^cpu ([\d.]+)$/gm)].map(([, ms]) => Number(ms))
  if (status !== 0 || told.length === 0) throw new Error(`${name} ended with ${status ?? 'a signal'}: ${stdout}${stderr}`)
  return told.reduce((sum, ms) => sum + ms, 0)
}

/** What everything that a module exports adds to a page, minified: bytes, and bytes after gzip. */
async function bundleOf({ imported }: Start): Promise<readonly [bytes: number, gzip: number] | undefined> {
  if (imported === undefined) return undefined
  const { outputFiles } = await build({
    stdin: { contents: `export * from '${imported}'`, resolveDir: startFolder },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    write: false,
    logLevel: 'silent',
  })
  const [{ contents } = { contents: new Uint8Array() }] = outputFiles
  return [contents.length, gzipSync(contents).length]
}

/** Each round is compared with the empty program of the same round. */
function startReport(
  times: ReadonlyMap<Start, readonly number[]>,
  sizes: ReadonlyMap<Start, readonly [bytes: number, gzip: number] | undefined>,
): string {
  const [nothing = []] = times.values()
  const kB = (bytes: number | undefined): string => (bytes === undefined ? '' : (bytes / 1000).toFixed(1))
  const rows = [...times].map(([start, all]) => {
    const added = all.map((ms, round) => (all === nothing ? ms : ms - (nothing[round] as number)))
    const [bytes, gzip] = sizes.get(start) ?? []
    return [start.name, ...spreadText(spreadOf(added)), kB(bytes), kB(gzip)]
  })
  return textTable(['', 'CPU ms', '', 'bundle kB', 'gzip kB'], rows)
}

const legend = `CPU time of all processes, without that of the empty program, which is the first line. The range holds the middle half of the rounds. A bundle has
everything that the module exports, minified by esbuild.`
