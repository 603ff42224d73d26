import { temporaryFolder } from '@rowkey/servers'
import type { Effort } from '../duel/duel.js'
import { machine, machineText } from '../machine.js'
import { spreadOf } from '../measure/statistics.js'
import type { Options } from '../options.js'
import { spreadText } from '../report/numbers.js'
import { textTable } from '../text-table.js'
import { writeKeys, type Keys } from './keys.js'
import { checkOutputs, parties } from './parties.js'

/** Keys of a contest, in millions: each million is the same, so that they fit into memory for the codec alone. */
const contests: ReadonlyMap<string, number> = new Map([
  ['1M', 1],
  ['10M', 10],
])

const million = 1_000_000

/** Milliseconds of each party, round by round. */
export type Rounds = ReadonlyMap<string, readonly number[]>

/** Measures `rowkey decode` on a pipe beside the codec alone, and beside a program by hand. */
export async function runDecode(
  { effort, only }: Options,
  progress: (line: string) => void,
): Promise<{ readonly text: string; readonly data: object }> {
  const chosen = (only ?? [...contests.keys()]).map((id) => [id, millionsOf(id)] as const)
  const here = { ...machine(), clock: 'wall time' }
  const folder = temporaryFolder('rowkey-decode')
  const results: { readonly id: string; readonly rounds: Readonly<Record<string, readonly number[]>> }[] = []
  const tables: string[] = []
  try {
    const keys = writeKeys(folder.path, million)
    await checkOutputs(keys, effort.patience)
    for (const [id, passes] of chosen) {
      const rounds = await play(keys, passes, effort)
      results.push({ id, rounds: Object.fromEntries(rounds) })
      tables.push(`${id} keys\n${decodeReport(rounds, passes * million)}`)
      progress(`${id}: ${effort.rounds} rounds`)
    }
  } finally {
    folder.remove()
  }
  return { text: [machineText(here), legend, ...tables].join('\n\n'), data: { machine: here, results } }
}

/** All parties take turns, so that a neighbour that slows the machine down slows down all of them. */
async function play(keys: Keys, passes: number, { rounds, patience }: Effort): Promise<Rounds> {
  const times = new Map([...parties.keys()].map((name) => [name, [] as number[]]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, party] of parties) times.get(name)?.push(await party(keys, passes, patience))
  }
  return times
}

/** The table of a contest. A ratio is taken round by round: how fast the command is beside a party. */
export function decodeReport(rounds: Rounds, keys: number): string {
  const [command = []] = rounds.values()
  const rows = [...rounds].map(([name, times]) => {
    const rate = keys / spreadOf(times).median / 1000
    const ratios = times.map((ms, round) => ms / (command[round] as number))
    return [name, rate.toFixed(2), ...(times === command ? ['', ''] : spreadText(spreadOf(ratios)))]
  })
  return textTable(['', 'M keys/s', 'the command is', ''], rows)
}

const legend = `'rowkey decode logs' on a pipe, without the time that it takes to start. 'the command is': its speed beside that of a party, with the range of
the middle half of the rounds. The codec alone reads keys that are in memory and writes nothing: from the lines of the pipe, or from bytes.`

function millionsOf(id: string): number {
  const millions = contests.get(id)
  if (millions === undefined) throw new Error(`there is no contest '${id}'. There are ${[...contests.keys()].join(', ')}.`)
  return millions
}
