// Also tested by faults.test.ts.
import { Command, ReplyError } from 'ioredis'
import type { RedisClient } from './redis-client.js'
import { CommandError, type Argument, type Commands, type OnceCaller, type Reply, type Script } from './commands.js'
import { encodeCommand } from './resp.js'

/** {@link Commands} by a client of ioredis 5 or 6, for one server or a cluster. */
export class IoredisCommands implements Commands {
  private readonly client: RedisClient

  constructor(client: RedisClient) {
    this.client = client
  }

  get(key: string): Promise<Reply> {
    return this.send(new ByteCommand('get', [key]))
  }

  hashFields(key: string, fields: readonly Argument[]): Promise<Reply> {
    return this.send(new ByteCommand('hmget', [key, ...fields]))
  }

  async info(section: string): Promise<string> {
    return String(await this.send(new ByteCommand('info', [section])))
  }

  run(script: Script, keys: readonly string[], args: readonly Argument[]): Promise<Reply> {
    return this.sent(new ByteCommand('evalsha', argumentsOf(script.sha, keys, args))).catch((cause: unknown) => {
      const error = failed(cause, 'open')
      if (!isScriptUnknown(error)) throw error
      return this.send(new ByteCommand('eval', argumentsOf(script.lua, keys, args)))
    })
  }

  runOnce(script: Script, keys: readonly string[], args: readonly Argument[], caller: OnceCaller): Promise<Reply> {
    const command = new OnceCommand('evalsha', script.sha, keys, args, caller)
    return this.sent(command).catch((cause: unknown) => {
      const error = failedOnce(command, cause)
      if (!isScriptUnknown(error)) throw error
      const whole = new OnceCommand('eval', script.lua, keys, args, caller)
      return this.sent(whole).catch((again: unknown) => {
        throw failedOnce(whole, again)
      })
    })
  }

  private send(command: Command): Promise<Reply> {
    return this.sent(command).catch((error: unknown) => {
      throw failed(error, 'open')
    })
  }

  /** The reply has buffers in place of strings. */
  private sent(command: Command): Promise<Reply> {
    try {
      return this.client.sendCommand(command as never) as Promise<Reply>
    } catch (error) {
      return Promise.reject(asError(error))
    }
  }
}

/** A script is sent by its hash. If the server does not know the hash, because it has restarted or is another one, the text is sent. */
const isScriptUnknown = ({ word }: CommandError): boolean => word === 'NOSCRIPT'

const argumentsOf = (script: string, keys: readonly string[], args: readonly Argument[]): Argument[] => [
  script,
  String(keys.length),
  ...keys,
  ...args,
]

/** The position of the first `arg` in `EVALSHA sha count key… arg…`. */
const flagAt = (keys: number): number => 2 + keys

/** A command that is encoded by {@link encodeCommand}. Its arguments are strings and buffers, so the client has nothing to convert. */
class ByteCommand extends Command {
  constructor(name: string, args: Argument[]) {
    super(name) // with the arguments, the client would copy them and examine each
    this.args = args
  }

  override toWritable(_socket: object): string | Buffer {
    return encodeCommand(this.name, this.args as Argument[])
  }
}

/**
 * A script that never runs twice. After a cut connection ioredis sends a command without a reply again, although Redis may have run it. An
 * insert would then find its own row. So if the script is sent again, or after its caller was told that it failed, its first argument is
 * '1', and it does nothing. A redirect or a refusal is a reply, and the script has not run, so it is sent again with '0'. If an earlier
 * reply was lost, that remains '1', because a redirect says nothing about the earlier attempt.
 */
class OnceCommand extends ByteCommand {
  /** Whether it was written to a socket, so that Redis may have run it. */
  isOpen = false
  /** Whether it was written again because a reply was lost. */
  private isRepeated = false
  /** Whether its caller has given up. */
  isAbandoned = false
  private readonly flag: number
  private readonly caller: OnceCaller

  constructor(name: 'eval' | 'evalsha', script: string, keys: readonly string[], args: readonly Argument[], caller: OnceCaller) {
    super(name, argumentsOf(script, keys, args))
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

/** Whether this is an error of Redis. All others are of the client. */
const isReplyError = (error: unknown): error is Error =>
  error instanceof (ReplyError as typeof Error) || (error instanceof Error && error.name === 'ReplyError')

/** The error of a command that is not sent again, and what became of it. */
function failedOnce(command: OnceCommand, error: unknown): CommandError {
  const { isOpen } = command
  command.isAbandoned = true // it may still be in a queue of the client
  return isOpen ? new CommandError('open', asError(error)) : failed(error, 'unsent')
}

function failed(error: unknown, unanswered: 'open' | 'unsent'): CommandError {
  const cause = asError(error)
  if (!isReplyError(cause)) return new CommandError(unanswered, cause)
  return new CommandError(refusals.test(cause.message) || !cause.message.includes('script: ') ? 'refused' : 'broken', cause)
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

/**
 * Errors that Redis returns before the first write of a script, also inside of a script. A key of a wrong type is one of them, because
 * every script reads all of its keys before it writes.
 */
const refusals = /^(?:WRONGTYPE|OOM|MISCONF|READONLY|NOREPLICAS|MASTERDOWN|CLUSTERDOWN|LOADING|BUSY|TRYAGAIN|MOVED|ASK|NOSCRIPT)\b/
