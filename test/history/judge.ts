import type { History } from './clients.js'
import { historyText, linearise, type LastWrite } from './linearise.js'

/** What is wrong with a history; undefined if every object of it can be explained and no call ended strangely. */
export function faultOf(history: History, lastWrite: LastWrite = 'instants'): string | undefined {
  const [strange] = history.strange
  if (strange !== undefined) return `${history.strange.length} calls ended as none should, first ${strange}`
  for (const operations of history.objects) {
    const verdict = linearise(operations, lastWrite)
    if (verdict !== 'explained') return `the history of one object is ${verdict}:\n${historyText(operations)}`
  }
  return undefined
}

/** One line for the table of a run. */
export function summary(name: string, { calls, ends, objects }: History): string {
  const told = Object.entries(ends)
    .sort(([, a], [, b]) => b - a)
    .map(([end, count]) => `${count} ${end}`)
  return `${name}: ${calls} calls on ${objects.length} objects: ${told.join(', ')}`
}
