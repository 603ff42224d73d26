import { show, type Cancellation } from '@rowkey/store'
import { CommandError, type Argument, type Commands, type Reply } from './commands.js'
import { atEndOfTick } from './end-of-tick.js'
import { mutateScript, type Code, type MutationKind } from './scripts/mutate.js'
import { putScript } from './scripts/put.js'
import type { OnceCaller } from './once-command.js'
import type { Refusal } from './scripts/script.js'

/** A mutation as a script takes it. */
export interface Change {
  readonly kind: MutationKind
  readonly key: Buffer
  /** What is stored; of a delete empty. */
  readonly record: Buffer
  /** Epoch milliseconds, '' = never. */
  readonly expiry: string
  /** A version or the bytes that must be there; '' if neither is asked for. */
  readonly condition: Argument
  /** The time by which rows have expired; '' = they do not. */
  readonly now: string
}

/** What became of a change: a code of the script, or an error that stands for it. */
export type Fate = Code | { readonly code: 'c'; readonly current: Buffer } | CommandError | Error

/** What one caller wants. */
interface Part {
  readonly changes: readonly Change[]
  readonly cancellation: Cancellation | undefined
  readonly resolve: (fates: readonly Fate[]) => void
}

/** What one script takes: more would keep the server from others. */
const mostChanges = 1000
const mostBytes = 1 << 20

/** Writes to one shard. Those of one tick go in one script, unless two are of one row: then in their order. */
export class WriteQueue {
  private readonly commands: Commands
  private readonly id: string
  private readonly keys: readonly string[]
  private readonly refused: (refusal: Refusal) => Error
  private parts: Part[] = []
  private count = 0
  private bytes = 0
  /** Of the first {@link named} parts. */
  private readonly rows = new Set<string>()
  private named = 0

  constructor(commands: Commands, id: string, keys: readonly string[], refused: (refusal: Refusal) => Error) {
    this.commands = commands
    this.id = id
    this.keys = keys
    this.refused = refused
  }

  /** Of different rows. Never rejects; fate i is that of change i. What was not sent when nobody waits any more never is. */
  async each(changes: readonly Change[], cancellation: Cancellation | undefined): Promise<readonly Fate[]> {
    const portions = portionsOf(changes)
    if (portions.length === 1) return this.add(changes, cancellation)
    return (await Promise.all(portions.map((portion) => this.add(portion, cancellation)))).flat()
  }

  /** All or none, of different rows. */
  all(changes: readonly Change[], cancellation: Cancellation | undefined): Promise<readonly Fate[]> {
    this.flush() // what was asked for before comes before
    return new Promise((resolve) => this.send([{ changes, cancellation, resolve }], 'all'))
  }

  private add(changes: readonly Change[], cancellation: Cancellation | undefined): Promise<readonly Fate[]> {
    const bytes = changes.reduce((sum, change) => sum + sizeOf(change), 0)
    const isTooMuch = this.count + changes.length > mostChanges || this.bytes + bytes > mostBytes
    if (this.count > 0 && (isTooMuch || this.hasRowOf(changes))) this.flush()
    if (this.count === 0) atEndOfTick(() => this.flush())
    this.count += changes.length
    this.bytes += bytes
    return new Promise((resolve) => this.parts.push({ changes, cancellation, resolve }))
  }

  /** Names are made when a second part comes: most parts go alone. */
  private hasRowOf(changes: readonly Change[]): boolean {
    for (const part of this.parts.slice(this.named)) {
      for (const change of part.changes) this.rows.add(nameOf(change))
    }
    this.named = this.parts.length
    return changes.some((change) => this.rows.has(nameOf(change)))
  }

  private flush(): void {
    const { parts } = this
    if (parts.length === 0) return
    this.parts = []
    this.count = 0
    this.bytes = 0
    this.rows.clear()
    this.named = 0
    this.send(parts, 'each')
  }

  /** In one script. */
  private send(parts: readonly Part[], mode: 'each' | 'all'): void {
    const changes = parts.length === 1 ? (parts[0] as Part).changes : parts.flatMap((part) => part.changes)
    const isPlain = mode === 'each' && changes.every(({ kind }) => kind === 'put')
    const caller = callerOf(parts)
    void (isPlain ? this.put(changes, caller) : this.mutate(mode, changes, caller)).then((fates) => {
      caller.sent?.()
      let at = 0
      for (const part of parts) part.resolve(fates.slice(at, (at += part.changes.length)))
    })
  }

  private put(changes: readonly Change[], caller: OnceCaller): Promise<readonly Fate[]> {
    const args: Argument[] = ['0', this.id]
    for (const { key, record } of changes) args.push(key, record)
    if (this.keys.length === 3) for (const { expiry } of changes) args.push(expiry)
    return this.fates(changes, async () => {
      const reply = String(await this.commands.runOnce(putScript, this.keys, args, caller))
      return reply === 'done' ? changes.map(() => 'a') : this.instead(changes, reply)
    })
  }

  private mutate(mode: 'each' | 'all', changes: readonly Change[], caller: OnceCaller): Promise<readonly Fate[]> {
    const args: Argument[] = ['0', this.id, mode]
    for (const { kind, key, record, expiry, condition, now } of changes) args.push(kind, key, record, expiry, condition, now)
    return this.fates(changes, async () => {
      const reply = await this.commands.runOnce(mutateScript, this.keys, args, caller)
      const [codes, current] = (Array.isArray(reply) ? reply : [reply]) as [Reply, Buffer | undefined]
      if (current !== undefined) return [{ code: 'c', current }]
      const text = String(codes)
      return text.length === changes.length && /^[acmsx]*$/.test(text) ? (text.split('') as Code[]) : this.instead(changes, text)
    })
  }

  private async fates(changes: readonly Change[], run: () => Promise<readonly Fate[]>): Promise<readonly Fate[]> {
    try {
      return await run()
    } catch (error) {
      return changes.map(() => error as CommandError)
    }
  }

  private instead(changes: readonly Change[], said: string): readonly Fate[] {
    const fate = said === 'gone' || said === 'torn' ? this.refused(said) : new CommandError('open', unanswered(said))
    return changes.map(() => fate)
  }
}

/** Several callers share a script. One that gives up is told that nothing was sent, if that is so; the script is sent unless all have. */
function callerOf(parts: readonly Part[]): OnceCaller {
  if (parts.every(({ cancellation }) => cancellation === undefined)) return alwaysWanted
  const left = new Set(parts)
  const leaving = parts.map((part) =>
    part.cancellation?.onOver(() => {
      if (!left.delete(part) || left.size > 0) return // the others still want it: it will be sent
      for (const each of parts) each.resolve(each.changes.map(() => notSent))
    }),
  )
  return {
    isGivenUp: () => left.size === 0,
    sent: () => {
      for (const leave of leaving) leave?.() // it cannot be called back
    },
  }
}

const alwaysWanted: OnceCaller = { isGivenUp: () => false }
const notSent = new CommandError('unsent', new Error('nobody waited for it any more'))

/** Sent again after a cut connection; or the client is in a transaction of its owner, and Redis will run the script at its end. */
const unanswered = (said: string): Error =>
  new Error(said === 'resent' ? 'the connection was lost before an answer came' : `Redis answered ${show(said)}`)

const nameOf = ({ key }: Change): string => key.toString('latin1')

const sizeOf = ({ key, record, condition }: Change): number => key.length + record.length + condition.length

/** As many at a time as one script takes; a change that is larger alone goes alone. */
function portionsOf(changes: readonly Change[]): readonly (readonly Change[])[] {
  const portions: Change[][] = []
  let bytes = 0
  for (const change of changes) {
    const size = sizeOf(change)
    const last = portions.at(-1)
    if (last === undefined || last.length === mostChanges || bytes + size > mostBytes) {
      portions.push([change])
      bytes = size
    } else {
      last.push(change)
      bytes += size
    }
  }
  return portions
}
