import { MalformedAnswer } from '../malformed-answer.js'
import type { Settings } from '../options.js'
import { decode } from '../proto/codec.js'
import type { Channel, ChannelUser } from './channel.js'
import { answerOf, framed, Frames } from './frames.js'
import { openChannel } from './negotiation.js'
import type { Pending } from './pending.js'
import { refuse } from './refusals.js'
import type { Security } from './security.js'
import { unreachable } from './unreachable.js'

const maxCallId = 2 ** 31 - 1

/** A connection to one server. Calls are sent without waiting, and answered in any order. */
export class Connection implements ChannelUser {
  readonly address: string
  readonly #closed: () => void
  readonly #frames: Frames
  readonly #sent = new Map<number, Pending>()
  readonly #unsent = new Set<Pending>()
  readonly #opening = new AbortController()
  #channel: Channel | undefined
  #isClosed = false
  #isRetired = false
  #isCorked = false
  #nextId = 0
  #heardAt = 0

  constructor(address: string, settings: Settings, security: Security, closed: () => void) {
    this.address = address
    this.#closed = closed
    this.#frames = new Frames(settings.maxAnswerBytes, (frame) => this.#answered(frame))
    void this.#open(settings, security)
  }

  get #load(): number {
    return this.#sent.size + this.#unsent.size
  }

  /** Whether it takes calls. */
  get isUsable(): boolean {
    return !this.#isClosed && !this.#isRetired
  }

  send(pending: Pending): void {
    pending.onGivenUp = () => this.#givenUp(pending)
    if (this.#channel === undefined) this.#unsent.add(pending)
    else this.#write(this.#channel, pending)
  }

  /** Closes it as soon as no call waits. */
  retire(): void {
    this.#isRetired = true
    this.#closeIfUnused()
  }

  async #open({ connectTimeout, idleTimeout }: Settings, security: Security): Promise<void> {
    const timer = setTimeout(() => this.#opening.abort(`no connection within ${connectTimeout} ms`), connectTimeout)
    try {
      const channel = await openChannel(this.address, idleTimeout, security, this.#opening.signal)
      if (this.#opening.signal.aborted) throw new Error(String(this.#opening.signal.reason))
      channel.user = this
      channel.onIdle = () => this.#load === 0 && channel.close('it was idle')
      this.#channel = channel
    } catch (error) {
      this.closed((error as Error).message, error as Error)
      return
    } finally {
      clearTimeout(timer)
    }
    const unsent = [...this.#unsent]
    this.#unsent.clear()
    for (const pending of unsent) this.#write(this.#channel, pending)
    this.#restOrHold()
    this.#closeIfUnused()
  }

  #write(channel: Channel, pending: Pending): void {
    const { body, method, requestId } = pending
    if (body === undefined) return
    const callId = this.#nextId
    this.#nextId = callId === maxCallId ? 0 : callId + 1
    const frame = framed(body, {
      callId,
      remoteMethod: { serviceName: method.service, methodName: method.name },
      timeoutMillis: pending.remaining,
      requiredFeatureFlags: method.features ?? [],
      requestId,
    })
    pending.body = undefined
    pending.isSent = true
    if (pending.mayAct) pending.waiting.inDoubt++
    pending.sentAt = performance.now()
    pending.callId = callId
    this.#sent.set(callId, pending)
    if (this.#sent.size === 1) this.#restOrHold()
    // Requests of one tick leave together.
    if (!this.#isCorked) {
      this.#isCorked = true
      channel.cork()
      process.nextTick(() => {
        this.#isCorked = false
        channel.uncork()
      })
    }
    channel.write(frame)
  }

  read(chunk: Buffer): void {
    this.#heardAt = performance.now()
    this.#frames.push(chunk)
  }

  #answered(frame: Buffer): void {
    const { header, message, sidecars } = answerOf(frame)
    const { callId } = header
    const pending = this.#sent.get(callId)
    if (pending === undefined) {
      // Of a call that nobody waits for; or of none.
      if (callId >= 0 && callId < this.#nextId) return
      throw new MalformedAnswer(`it answers the call ${callId}, which was not sent`)
    }
    try {
      if (header.isError === true) {
        const { isFatal, isInDoubt } = refuse(pending, message)
        if (isFatal) this.#isRetired = true
        if (isInDoubt) pending.waiting.inDoubt++
      } else pending.resolve({ message: decode(pending.method.response, message), sidecars })
    } catch (error) {
      if (error instanceof MalformedAnswer) pending.fail('MALFORMED_ANSWER', `was answered wrongly: ${error.message}.`)
      throw error
    }
    if (pending.mayAct) pending.waiting.inDoubt--
    this.#forget(pending)
  }

  #forget(pending: Pending): void {
    this.#unsent.delete(pending)
    if (pending.callId !== undefined) this.#sent.delete(pending.callId)
    if (this.#load === 0) this.#restOrHold()
    this.#closeIfUnused()
  }

  /** A connection without calls does not keep the process alive. */
  #restOrHold(): void {
    this.#channel?.hold(this.#load > 0)
  }

  #givenUp(pending: Pending): void {
    if (this.#isClosed) return
    // Where nothing has come since it was sent, nothing may ever come: new calls go over another connection.
    if (pending.isSent && this.#heardAt < pending.sentAt) this.#isRetired = true
    this.#forget(pending)
  }

  #closeIfUnused(): void {
    if (!this.#isRetired || this.#load > 0) return
    this.#opening.abort('it was retired')
    this.#channel?.close('it was retired')
  }

  closed(reason: string, cause?: Error): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#closed()
    if (this.#unsent.size > 0) {
      const { code, problem, status } = unreachable(this.address, reason, cause)
      for (const pending of this.#unsent) pending.fail(code, problem, { status }, cause)
    }
    // Whoever sends bytes that are no answer, or too many, would send them again.
    const code = cause instanceof MalformedAnswer ? 'MALFORMED_ANSWER' : 'CONNECTION_LOST'
    for (const pending of this.#sent.values())
      pending.fail(code, `was sent to ${this.address} and not answered: ${reason}. The server may have executed it.`, {}, cause)
    this.#unsent.clear()
    this.#sent.clear()
  }
}
