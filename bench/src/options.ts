import { parseArgs } from 'node:util'
import type { Effort } from './duel/duel.js'

export const help = `pnpm bench codec [options]    the key codec side by side with others
pnpm bench engine [options]   the engine of the memory adapter, and a repository on it
pnpm bench stores [options]   the adapters of servers beside their drivers and other mappers
pnpm bench growth [options]   memory and LMDB with 100,000, a million and ten million rows
pnpm bench decode [options]   the command 'rowkey decode' beside the codec alone
pnpm bench start [options]    what it costs to import rowkey and to start its command
  --quick        a third of the time, more noise
  --only LIST    contests by id, such as W1,W5,compare, E100k,repository, memory-1M or 10M
  --rounds N     measurements of each operation per process
  --json FILE    where the data goes; bench/results/codec.json and so on by default`

const benchmarks = ['codec', 'engine', 'stores', 'growth', 'decode', 'start'] as const

export type BenchmarkName = (typeof benchmarks)[number]

/** What the command line says. */
export interface Options {
  readonly benchmark: BenchmarkName
  readonly effort: Effort
  readonly only?: readonly string[]
  readonly json?: string
}

const thorough: Effort = { generations: 3, rounds: 5, slices: 6, milliseconds: 4, warmUpMilliseconds: 120, patience: 180_000 }
const quick: Effort = { generations: 1, rounds: 5, slices: 3, milliseconds: 3, warmUpMilliseconds: 40, patience: 60_000 }

/** @throws Error that says what cannot be */
export function readOptions(given: readonly string[]): Options | 'help' {
  const { values, positionals } = parseArgs({
    args: [...given],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      rounds: { type: 'string' },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return 'help'
  const benchmark = benchmarks.find((name) => name === positionals.join(' '))
  if (benchmark === undefined)
    throw new Error(`There are benchmarks ${benchmarks.join(', ')}, and not '${positionals.join(' ')}'.\n${help}`)
  const effort = values.quick ? quick : thorough
  return {
    benchmark,
    effort: values.rounds === undefined ? effort : { ...effort, rounds: roundsOf(values.rounds) },
    ...(values.only === undefined ? {} : { only: values.only.split(',') }),
    ...(values.json === undefined ? {} : { json: values.json }),
  }
}

function roundsOf(text: string): number {
  const rounds = Number(text)
  if (Number.isInteger(rounds) && rounds >= 1 && rounds <= 1000) return rounds
  throw new Error(`--rounds is an integer from 1 to 1000, not '${text}'.`)
}
