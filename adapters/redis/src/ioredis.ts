import { Command } from 'ioredis'
import type { RedisClient } from './client-options.js'
import { CommandError, type Argument, type Commands, type Reply, type Script } from './commands.js'
import { isReplyError, OnceCommand, type OnceCaller } from './once-command.js'

/** {@link Commands} by a client of ioredis 6, for one server or a cluster. */
export class IoredisCommands implements Commands {
  private readonly client: RedisClient

  constructor(client: RedisClient) {
    this.client = client
  }

  get(key: string): Promise<Buffer | null> {
    return this.send(new Command('get', [key])) as Promise<Buffer | null>
  }

  hashFields(key: string, fields: readonly Argument[]): Promise<readonly (Buffer | null)[]> {
    return this.send(new Command('hmget', [key, ...fields])) as Promise<readonly (Buffer | null)[]>
  }

  async info(section: string): Promise<string> {
    return String(await this.send(new Command('info', [section])))
  }

  run(script: Script, keys: readonly string[], args: readonly Argument[]): Promise<Reply> {
    const make = (name: string, text: string): Command => new Command(name, [text, String(keys.length), ...keys, ...(args as Argument[])])
    return this.known(script, (name, text) => this.send(make(name, text)))
  }

  runOnce(script: Script, keys: readonly string[], args: readonly Argument[], caller: OnceCaller): Promise<Reply> {
    return this.known(script, (name, text) => this.sendOnce(new OnceCommand(name, text, keys, args, caller)))
  }

  /** By the hash of the script, and with its text where the server does not know it: it has restarted, or is another one. */
  private async known(script: Script, send: (name: 'eval' | 'evalsha', text: string) => Promise<Reply>): Promise<Reply> {
    try {
      return await send('evalsha', script.sha)
    } catch (error) {
      if (!(error instanceof CommandError) || error.word !== 'NOSCRIPT') throw error
      return send('eval', script.lua)
    }
  }

  private async send(command: Command): Promise<Reply> {
    try {
      // It gives the promise of the command, which replies in bytes.
      return (await this.client.sendCommand(command)) as Reply
    } catch (error) {
      throw failed(error, 'open')
    }
  }

  private async sendOnce(command: OnceCommand): Promise<Reply> {
    try {
      return (await this.client.sendCommand(command)) as Reply
    } catch (error) {
      const { isOpen } = command
      command.isAbandoned = true // it may still stand in a queue of the client
      throw isOpen ? new CommandError('open', asError(error)) : failed(error, 'unsent')
    }
  }
}

function failed(error: unknown, unanswered: 'open' | 'unsent'): CommandError {
  const cause = asError(error)
  if (!isReplyError(cause)) return new CommandError(unanswered, cause)
  return new CommandError(refusals.test(cause.message) || !cause.message.includes('script: ') ? 'refused' : 'broken', cause)
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

/**
 * What Redis says before the first write of a script, also when it is the script that hears it. Every script looks at all of its keys before
 * it writes, so one of a wrong type is among it.
 */
const refusals = /^(?:WRONGTYPE|OOM|MISCONF|READONLY|NOREPLICAS|MASTERDOWN|CLUSTERDOWN|LOADING|BUSY|TRYAGAIN|MOVED|ASK|NOSCRIPT)\b/
