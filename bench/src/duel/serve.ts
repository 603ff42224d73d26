import type { Contest } from './contestant.js'
import type { Answer, Measured, Question } from './protocol.js'
import { bytesPerCall } from '../measure/allocation.js'
import { loopOf, type Loop } from '../measure/loop.js'
import { Stopwatch } from '../measure/stopwatch.js'

/** The process of one contestant: answers its parent until that one hangs up or is gone. */
export async function serve(contests: readonly Contest[], contestId: string, name: string, connection = ''): Promise<void> {
  process.on('disconnect', () => process.exit())
  const answer = (given: Answer): void => void process.send?.(given)
  try {
    const contestant = await contests.find(({ id }) => id === contestId)?.parties.get(name)?.(
      connection === '' ? undefined : JSON.parse(connection),
    )
    if (contestant === undefined) throw new Error(`no ${name} in ${contestId}`)
    const operations = Object.entries(contestant.operations)
    const loops = new Map(operations.map(([operation, given]) => [operation, loopOf(`${name}/${operation}`, given)]))
    const watches = new Map([...loops].map(([operation, loop]) => [operation, new Stopwatch(loop)]))
    const work = async (question: Question): Promise<void> => {
      try {
        contestant.meanwhile?.()
        answer({ is: 'number', ...(await reply(question, loops, watches)) })
      } catch (error) {
        answer({ is: 'failure', message: textOf(error) })
      }
    }
    process.on('message', (question: Question) => void work(question))
    answer({ is: 'ready', facts: contestant.facts, operations: [...loops.keys()] })
  } catch (error) {
    answer({ is: 'failure', message: textOf(error) })
  }
}

async function reply(question: Question, loops: ReadonlyMap<string, Loop>, watches: ReadonlyMap<string, Stopwatch>): Promise<Measured> {
  const loop = loops.get(question.operation)
  const watch = watches.get(question.operation)
  if (loop === undefined || watch === undefined) throw new Error(`no operation ${question.operation}`)
  switch (question.ask) {
    case 'allocation':
      return { number: await bytesPerCall(loop) }
    case 'warm up':
      await watch.warmUp(question.calls, question.milliseconds)
      return { number: 0 }
    case 'time':
      return watch.time(question.calls, question.milliseconds)
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
