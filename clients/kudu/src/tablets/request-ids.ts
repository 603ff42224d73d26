import { randomBytes } from 'node:crypto'

/** What makes a server answer a repeated request as it answered the first one. */
export interface RequestId {
  readonly clientId: string
  readonly seqNo: bigint
  /** Servers forget the answers of all numbers before this one. */
  readonly firstIncompleteSeqNo: bigint
  readonly attemptNo: bigint
}

/** Numbers the writes of a client. */
export class RequestIds {
  readonly #clientId = randomBytes(16).toString('hex')
  readonly #running = new Set<number>()
  #next = 1
  #first = 1

  /** The number of a new request. */
  begin(): number {
    this.#running.add(this.#next)
    return this.#next++
  }

  /** The id of an attempt, from 1, at a request that has begun. */
  attempt(number: number, attempt: number): RequestId {
    return {
      clientId: this.#clientId,
      seqNo: BigInt(number),
      firstIncompleteSeqNo: BigInt(this.#first),
      attemptNo: BigInt(attempt),
    }
  }

  /** A request that will not be repeated any more. */
  end(number: number): void {
    this.#running.delete(number)
    while (this.#first < this.#next && !this.#running.has(this.#first)) this.#first++
  }
}
