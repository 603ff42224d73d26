import { duel } from '../duel/duel.js'
import { machine, machineText } from '../machine.js'
import type { Options } from '../options.js'
import { contests } from './contests.js'
import { dataOf } from './report/data.js'
import { report } from './report/report.js'
import type { Result } from './results.js'

const worker = new URL('worker.js', import.meta.url)

/** Runs the contests and puts the figures together. */
export async function benchCodec(
  { effort, only }: Options,
  progress: (line: string) => void,
): Promise<{ readonly text: string; readonly data: object }> {
  const chosen = only === undefined ? contests : only.map(contestOf)
  const here = machine()
  const results: Result[] = []
  for (const contest of chosen) {
    const began = Date.now()
    results.push({ contest, standings: await duel(contest, worker, effort) })
    progress(`${contest.id} (${results.length} of ${chosen.length}): ${Math.round((Date.now() - began) / 1000)} s`)
  }
  return { text: `${machineText(here)}\n\n${report(results)}`, data: dataOf(here, effort, results) }
}

function contestOf(id: string): (typeof contests)[number] {
  const found = contests.find((contest) => contest.id === id)
  if (found === undefined) throw new Error(`there is no contest '${id}'. There are ${contests.map((each) => each.id).join(', ')}.`)
  return found
}
