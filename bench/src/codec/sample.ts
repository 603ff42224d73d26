import { inputCount } from '../measure/loop.js'
import { Random } from '../measure/random.js'
import type { Cells, Workload } from './workloads.js'

/** The keys of a workload, the same in every process. */
export function sampleOf(workload: Workload): readonly Cells[] {
  const random = new Random(seedOf(workload))
  return Array.from({ length: inputCount }, () => workload.cells(random))
}

/** Each begins like the one before, by some columns: only then do the later columns decide about the order. */
export function relatedSampleOf(workload: Workload): readonly Cells[] {
  const random = new Random(seedOf(workload) + 1)
  let last = workload.cells(random)
  return Array.from({ length: inputCount }, () => {
    const shared = random.integer(workload.columns.length)
    last = [...last.slice(0, shared), ...workload.cells(random).slice(shared)]
    return last
  })
}

const seedOf = ({ id }: Workload): number => Buffer.from(id).readUInt16BE() * 2
