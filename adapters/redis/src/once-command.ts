import { Command, ReplyError } from 'ioredis'

/** Whoever wants a script to be run once. */
export interface OnceCaller {
  /** Whether nobody waits for it any more: then it is not to be run, if it can still be helped. */
  isGivenUp(): boolean
  /** Told when it is on its way to Redis, which may run it from then on. */
  sent?(): void
}

/** Where `EVALSHA sha count key… arg…` has its first argument. */
const flagAt = (keys: number): number => 2 + keys

/**
 * A script that is never run twice. After a cut connection ioredis sends again what had no answer, though Redis may have run it: an insert
 * would then find its own row. So whoever is sent again, or sent after its caller was told that it failed, says '1' in its first argument,
 * and the script does nothing. Redirects and refusals are answers, after which it is sent as new, unless an earlier answer was lost: they
 * tell nothing of that one.
 */
export class OnceCommand extends Command {
  /** It was written to a socket, and Redis may have run it. */
  isOpen = false
  /** It was written again because an answer was lost. */
  private isRepeated = false
  /** Its caller has given up. */
  isAbandoned = false
  private readonly flag: number
  private readonly caller: OnceCaller

  constructor(name: 'eval' | 'evalsha', script: string, keys: readonly string[], args: readonly (string | Buffer)[], caller: OnceCaller) {
    super(name, [script, String(keys.length), ...keys, ...args])
    this.flag = flagAt(keys.length)
    this.caller = caller
  }

  override toWritable(socket: object): string | Buffer {
    this.isRepeated ||= this.isOpen
    this.isAbandoned ||= !this.isOpen && this.caller.isGivenUp()
    this.args[this.flag] = this.isRepeated || this.isAbandoned ? '1' : '0'
    if (!this.isAbandoned) this.caller.sent?.()
    this.isOpen = true
    const { reject } = this
    this.reject = (error) => {
      if (isReplyError(error)) this.isOpen = this.isRepeated
      reject.call(this, error)
    }
    return super.toWritable(socket)
  }
}

/** Whether Redis itself said this; everything else is the client's. */
export const isReplyError = (error: unknown): error is Error =>
  error instanceof (ReplyError as typeof Error) || (error instanceof Error && error.name === 'ReplyError')
