import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Facts } from './contestant.js'
import type { Answer, Measured, Question } from './protocol.js'

/** The parent's end of a contestant's process. */
export class ContestantProcess {
  readonly name: string
  readonly facts: Facts
  readonly operations: readonly string[]
  private readonly child: ChildProcess

  private constructor(name: string, child: ChildProcess, facts: Facts, operations: readonly string[]) {
    this.name = name
    this.child = child
    this.facts = facts
    this.operations = operations
  }

  /** @throws Error with the contestant's own words if it cannot take part */
  static async start(
    worker: URL,
    contestId: string,
    name: string,
    flags: readonly string[],
    connection: string,
  ): Promise<ContestantProcess> {
    const child = fork(worker, [contestId, name, connection], { execArgv: [...flags] })
    try {
      const ready = await answerOf(child)
      if (ready.is === 'ready') return new ContestantProcess(name, child, ready.facts, ready.operations)
      throw new Error(ready.is === 'failure' ? ready.message : 'it spoke out of turn')
    } catch (error) {
      if (child.connected) child.disconnect()
      throw error
    }
  }

  async ask(question: Question): Promise<Measured> {
    this.child.send(question)
    const answer = await answerOf(this.child)
    if (answer.is === 'number') return answer
    throw new Error(`${this.name}, ${question.operation}: ${answer.is === 'failure' ? answer.message : 'it spoke out of turn'}`)
  }

  /** It stops by itself when nobody listens any more. */
  release(): void {
    if (this.child.connected) this.child.disconnect()
  }
}

async function answerOf(child: ChildProcess): Promise<Answer> {
  const gone = new AbortController()
  const died = once(child, 'exit', { signal: gone.signal }).then(([code]) => {
    throw new Error(`its process ended with ${String(code)}`)
  })
  try {
    const [answer] = (await Promise.race([once(child, 'message', { signal: gone.signal }), died])) as [Answer]
    return answer
  } finally {
    died.catch(() => undefined)
    gone.abort()
  }
}
