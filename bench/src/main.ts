import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codecBenchmark } from './codec/bench.js'
import { runDecode } from './decode/run.js'
import { engineBenchmark } from './engine/bench.js'
import { runGrowth } from './growth/run.js'
import { help, readOptions, type BenchmarkName, type Options } from './options.js'
import { runContests, type Benchmark } from './run-contests.js'
import { runStart } from './start/run.js'
import { storesBenchmark } from './stores/bench.js'

type Run = (options: Options, progress: (line: string) => void) => Promise<{ readonly text: string; readonly data: object }>

const contestsOf =
  (benchmark: Benchmark): Run =>
  (options, progress) =>
    runContests(benchmark, options, progress)

const benchmarks: Record<BenchmarkName, Run> = {
  codec: contestsOf(codecBenchmark),
  engine: contestsOf(engineBenchmark),
  stores: contestsOf(storesBenchmark),
  growth: runGrowth,
  decode: runDecode,
  start: runStart,
}
const results = new URL('../results/', import.meta.url)

try {
  const options = readOptions(process.argv.slice(2))
  if (options === 'help') console.log(help)
  else await run(options)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}

async function run(options: Options): Promise<void> {
  const began = Date.now()
  const { text, data } = await benchmarks[options.benchmark](options, (line) => console.error(line))
  console.log(text)
  // pnpm runs scripts in the folder of the workspace; paths are those of the shell.
  const file =
    options.json === undefined
      ? fileURLToPath(new URL(`${options.benchmark}.json`, results))
      : resolve(process.env['INIT_CWD'] ?? '.', options.json)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(data, null, 2)}\n`)
  console.log(`\n${Math.round((Date.now() - began) / 1000)} s. Data: ${file}`)
}
