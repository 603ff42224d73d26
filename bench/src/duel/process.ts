import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type { Facts } from './contestant.js'
import type { Answer, Measured, Question } from './protocol.js'

/** The parent's end of a contestant's process. One that does not answer in time is ended: nothing else stops a loop without an end. */
export class ContestantProcess {
  readonly name: string
  readonly facts: Facts
  readonly operations: readonly string[]
  private readonly child: ChildProcess
  private readonly patience: number

  private constructor(name: string, child: ChildProcess, patience: number, { facts, operations }: Ready) {
    this.name = name
    this.child = child
    this.patience = patience
    this.facts = facts
    this.operations = operations
  }

  /**
   * @param patience milliseconds until it must be ready, and until each of its answers
   * @throws Error that ends the sentence that begins with the contestant's name
   */
  static async start(
    worker: URL,
    contestId: string,
    name: string,
    flags: readonly string[],
    connection: string,
    patience: number,
  ): Promise<ContestantProcess> {
    const child = fork(worker, [contestId, name, connection], { execArgv: [...flags] })
    try {
      const ready = await answerOf(child, patience, 'getting ready')
      if (ready.is === 'ready') return new ContestantProcess(name, child, patience, ready)
      throw new Error(`takes no part: ${ready.is === 'failure' ? ready.message : outOfTurn}`)
    } catch (error) {
      child.kill('SIGKILL')
      throw error
    }
  }

  /** @throws Error that ends the sentence that begins with the contestant's name */
  async ask(question: Question): Promise<Measured> {
    try {
      this.child.send(question, () => undefined) // that it is gone is seen below
      const answer = await answerOf(this.child, this.patience, question.operation)
      if (answer.is === 'number') return answer
      throw new Error(`broke off: ${question.operation}: ${answer.is === 'failure' ? answer.message : outOfTurn}`)
    } catch (error) {
      this.child.kill('SIGKILL')
      throw error
    }
  }

  /** It stops by itself when nobody listens any more. */
  release(): void {
    if (this.child.connected) this.child.disconnect()
  }
}

type Ready = Extract<Answer, { readonly is: 'ready' }>

const outOfTurn = 'it spoke out of turn'

async function answerOf(child: ChildProcess, patience: number, work: string): Promise<Answer> {
  const over = new AbortController()
  const { signal } = over
  const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit', { signal }) : Promise.resolve()
  const died = ended.then(() => {
    throw new Error(`broke off: ${work}: its process ended with ${String(child.exitCode ?? child.signalCode)}`)
  })
  const late = setTimeout(patience, undefined, { signal }).then(() => {
    throw new Error(`did not finish: ${work} took more than ${patience / 1000} s`)
  })
  try {
    const [answer] = (await Promise.race([once(child, 'message', { signal }), died, late])) as [Answer]
    return answer
  } finally {
    for (const other of [died, late]) other.catch(() => undefined)
    over.abort()
  }
}
