// Also tested by faults.test.ts.
import type { Cancellation } from 'rowkey/adapter'
import { atEndOfTick, CommandError, type Argument, type Commands, type OnceCaller, type Reply } from '../client/commands.js'
import type { Refusal } from '../scripts/script.js'
import { kindOf, refusalOf, textOf } from './replies.js'
import { mutateScript, putScript, resultOfLetter, type MutationKind, type MutationResult } from '../scripts/write.js'

/** A mutation in the form that scripts expect. */
export interface Change {
  readonly kind: MutationKind
  readonly key: Buffer
  /** The new record; empty for a delete. */
  readonly record: Buffer
  /** Epoch milliseconds, '' = never. */
  readonly expiry: string
  /** The version or the bytes that the record must have; '' = no condition. */
  readonly condition: Argument
  /** The current time, to recognize expired rows; '' if rows of the table do not expire. */
  readonly now: string
}

/** The result of a change: what the script returned, the record that a single change conflicts with, or an error. */
export type ScriptResult = MutationResult | { readonly conflicting: Buffer } | Error

/** The changes of one caller. */
interface Part {
  readonly changes: readonly Change[]
  readonly cancellation: Cancellation | undefined
  readonly resolve: (results: readonly ScriptResult[]) => void
}

/** Limits of one script, so that it does not block the server for long. */
const maxChanges = 1000
const maxBytes = 1 << 20

/** Writes to one shard. Those of one tick share one script, unless two are of one row: then there are several scripts, in order. */
export class WriteQueue {
  private readonly commands: Commands
  private readonly id: string
  private readonly keys: readonly string[]
  private readonly refused: (refusal: Refusal) => Error
  private parts: Part[] = []
  private count = 0
  private bytes = 0
  /** The rows of the first {@link named} parts. */
  private readonly rows = new Set<string>()
  private named = 0

  constructor(commands: Commands, id: string, keys: readonly string[], refused: (refusal: Refusal) => Error) {
    this.commands = commands
    this.id = id
    this.keys = keys
    this.refused = refused
  }

  /**
   * Applies changes of different rows. Never rejects. Result i is of change i. If their caller gives up before they are sent, they are not
   * applied, unless other callers who share the script still wait for it.
   */
  each(changes: readonly Change[], cancellation: Cancellation | undefined): Promise<readonly ScriptResult[]> {
    const bytes = bytesOf(changes)
    if (changes.length <= maxChanges && bytes <= maxBytes) return this.add(changes, bytes, cancellation)
    const portions = portionsOf(changes).map((portion) => this.add(portion, bytesOf(portion), cancellation))
    return Promise.all(portions).then((results) => results.flat())
  }

  /** All or none, of different rows. */
  all(changes: readonly Change[], cancellation: Cancellation | undefined): Promise<readonly ScriptResult[]> {
    this.flush() // earlier changes are sent first
    return new Promise((resolve) => this.send([{ changes, cancellation, resolve }], 'all'))
  }

  private add(changes: readonly Change[], bytes: number, cancellation: Cancellation | undefined): Promise<readonly ScriptResult[]> {
    const isTooMuch = this.count + changes.length > maxChanges || this.bytes + bytes > maxBytes
    if (this.count > 0 && (isTooMuch || this.hasRowOf(changes))) this.flush()
    if (this.count === 0) atEndOfTick(this.flush)
    this.count += changes.length
    this.bytes += bytes
    return new Promise((resolve) => this.parts.push({ changes, cancellation, resolve }))
  }

  /** Row names are only computed when a second part arrives, because most parts are sent alone. */
  private hasRowOf(changes: readonly Change[]): boolean {
    for (; this.named < this.parts.length; this.named++) {
      for (const change of (this.parts[this.named] as Part).changes) this.rows.add(nameOf(change))
    }
    return changes.some((change) => this.rows.has(nameOf(change)))
  }

  private readonly flush = (): void => {
    const { parts } = this
    if (parts.length === 0) return
    this.parts = []
    this.count = 0
    this.bytes = 0
    this.named = 0
    if (this.rows.size > 0) this.rows.clear()
    this.send(parts, 'each')
  }

  /** In one script. */
  private send(parts: readonly Part[], mode: 'each' | 'all'): void {
    const changes = parts.length === 1 ? (parts[0] as Part).changes : parts.flatMap((part) => part.changes)
    const isPlain = mode === 'each' && changes.every(({ kind }) => kind === 'put')
    const caller = callerOf(parts)
    const settle = (results: readonly ScriptResult[]): void => {
      caller.sent?.()
      let at = 0
      for (const part of parts) part.resolve(parts.length === 1 ? results : results.slice(at, (at += part.changes.length)))
    }
    const fail = (error: unknown): void => settle(changes.map(() => error as CommandError))
    const replied = (reply: Reply): void => {
      let results: readonly ScriptResult[]
      try {
        results = isPlain ? this.resultsOfPut(changes, reply) : this.resultsOfMutate(changes, reply)
      } catch (error) {
        fail(new CommandError('open', error as Error)) // or its callers would wait forever
        return
      }
      settle(results)
    }
    try {
      const sent = isPlain ? this.put(changes, caller) : this.mutate(mode, changes, caller)
      sent.then(replied, fail)
    } catch (error) {
      fail(error) // this may be the end of a tick, where nobody else catches it
    }
  }

  private put(changes: readonly Change[], caller: OnceCaller): Promise<Reply> {
    const args: Argument[] = ['0', this.id]
    for (const { key, record } of changes) args.push(key, record)
    if (this.keys.length === 3) for (const { expiry } of changes) args.push(expiry)
    return this.commands.runOnce(putScript, this.keys, args, caller)
  }

  private resultsOfPut(changes: readonly Change[], reply: Reply): readonly ScriptResult[] {
    return textOf(reply) === 'done' ? changes.map(() => 'applied') : this.instead(changes, reply)
  }

  private mutate(mode: 'each' | 'all', changes: readonly Change[], caller: OnceCaller): Promise<Reply> {
    const args: Argument[] = ['0', this.id, mode]
    for (const { kind, key, record, expiry, condition, now } of changes) args.push(kind, key, record, expiry, condition, now)
    return this.commands.runOnce(mutateScript, this.keys, args, caller)
  }

  private resultsOfMutate(changes: readonly Change[], reply: Reply): readonly ScriptResult[] {
    const [letters, conflicting] = (Array.isArray(reply) ? reply : [reply]) as readonly Reply[]
    const text = textOf(letters) ?? ''
    if (text.length !== changes.length) return this.instead(changes, reply)
    if (conflicting !== undefined) return text === 'c' && Buffer.isBuffer(conflicting) ? [{ conflicting }] : this.instead(changes, reply)
    const results = changes.map(({ kind }, i) => resultOfLetter(kind, text[i] as string))
    return results.includes(undefined) ? this.instead(changes, reply) : (results as readonly MutationResult[])
  }

  /** Of a script that did nothing, or whose reply says nothing. */
  private instead(changes: readonly Change[], reply: Reply): readonly ScriptResult[] {
    const refusal = refusalOf(reply)
    const isSure = refusal === 'gone' || refusal === 'torn'
    const result = isSure ? this.refused(refusal) : new CommandError('open', unanswered(reply))
    return changes.map(() => result)
  }
}

/** Several callers share a script. The script is not sent if all of them give up before that. Then each learns that nothing was sent. */
function callerOf(parts: readonly Part[]): OnceCaller {
  if (parts.every(({ cancellation }) => cancellation === undefined)) return alwaysWanted
  const left = new Set(parts)
  const leaving = parts.map((part) =>
    part.cancellation?.onOver(() => {
      if (!left.delete(part) || left.size > 0) return // others still wait for it, so it will be sent
      for (const each of parts) each.resolve(each.changes.map(() => notSent))
    }),
  )
  return {
    isGivenUp: () => left.size === 0,
    sent: () => {
      for (const leave of leaving) leave?.() // it cannot be stopped any more
    },
  }
}

const alwaysWanted: OnceCaller = { isGivenUp: () => false }
const notSent = new CommandError('unsent', new Error('nobody waited for it any more'))

/** The script was sent again after a cut connection, or the client is in a MULTI of its owner, so that Redis runs the script later. */
const unanswered = (reply: Reply): Error =>
  new Error(refusalOf(reply) === 'resent' ? 'the connection was lost before the reply' : `Redis replied ${kindOf(reply)}`)

const nameOf = ({ key }: Change): string => key.toString('latin1')

const sizeOf = ({ key, record, condition }: Change): number => key.length + record.length + condition.length

function bytesOf(changes: readonly Change[]): number {
  let bytes = 0
  for (const change of changes) bytes += sizeOf(change)
  return bytes
}

/** Splits changes by the limits of one script. A change that is larger than a script is sent alone. */
function portionsOf(changes: readonly Change[]): readonly (readonly Change[])[] {
  const portions: Change[][] = []
  let bytes = 0
  for (const change of changes) {
    const size = sizeOf(change)
    const last = portions.at(-1)
    if (last === undefined || last.length === maxChanges || bytes + size > maxBytes) {
      portions.push([change])
      bytes = size
    } else {
      last.push(change)
      bytes += size
    }
  }
  return portions
}
