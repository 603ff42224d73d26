import type { Contest, Contestant } from '../duel/contestant.js'
import { awkwardCases, type AwkwardCase } from './awkward-cases.js'
import type { Candidate, Codec } from './candidates/candidate.js'
import { countMisplaced, sameCells } from './correct.js'
import type { Cells } from './workloads.js'

/** Nothing is timed: which codec keeps order and values of input that is seldom tested. */
export function awkwardContest(candidates: readonly Candidate[]): Contest {
  return {
    id: 'awkward',
    title: 'awkward input',
    base: '',
    operations: [],
    allocation: false,
    parties: new Map(candidates.map((candidate) => [candidate.name, () => contestant(candidate)])),
  }
}

async function contestant(candidate: Candidate): Promise<Contestant> {
  const cases: Record<string, string> = {}
  for (const each of awkwardCases) cases[each.name] = await outcome(candidate, each)
  return { operations: {}, facts: { cases } }
}

async function outcome(candidate: Candidate, { kinds, ascending }: AwkwardCase): Promise<string> {
  try {
    const codec = await candidate.codec({ columns: kinds.map((kind, i) => ({ name: `column${i}`, kind })) })
    const keys = ascending.map((cells) => encoded(codec, cells))
    const changed = ascending.filter((cells, i) => !comesBack(codec, keys[i], cells)).length
    const order = candidate.unordered === true ? 0 : countMisplaced(keys)
    const faults = [
      order === 0 ? '' : `order ${order}/${keys.length - 1}`,
      changed === 0 ? '' : `changed ${changed}/${keys.length}`,
    ].filter((fault) => fault !== '')
    return faults.length === 0 ? 'ok' : faults.join(', ')
  } catch {
    return 'refused'
  }
}

/** Some codecs hand out memory that they write to again. */
function encoded(codec: Codec, cells: Cells): Uint8Array | string {
  const key = codec.encode(codec.toKey(cells))
  return typeof key === 'string' ? key : Buffer.from(key)
}

function comesBack(codec: Codec, key: unknown, cells: Cells): boolean {
  try {
    const decoded = codec.decode?.(key as string)
    return sameCells(codec.toCells === undefined ? decoded : codec.toCells(decoded), cells)
  } catch {
    return false
  }
}
