/** A Lua script; all keys it touches are named when it is run, as a cluster wants it. */
export interface Script {
  readonly lua: string
  readonly sha: string
}

export type Argument = string | Buffer

/** What Redis answers: bytes, integers (as text where the client is told so), null, and lists of these. */
export type Reply = Buffer | string | number | null | readonly Reply[]

/** All that the adapter wants of a client of Redis. Every method rejects with {@link CommandError} and with nothing else. */
export interface Commands {
  get(key: string): Promise<Buffer | null>
  hashFields(key: string, fields: readonly Argument[]): Promise<readonly (Buffer | null)[]>
  /** Sections of INFO. */
  info(section: string): Promise<string>
  /** A script that may be run twice: the client may send it again after a cut connection. */
  run(script: Script, keys: readonly string[], args: readonly Argument[]): Promise<Reply>
  /** A script whose first argument says '1' when it may have been run before, or is not wanted any more: then it does nothing but say so. */
  runOnce(script: Script, keys: readonly string[], args: readonly Argument[], caller: OnceCaller): Promise<Reply>
}

/** Whoever wants a script to be run once. */
export interface OnceCaller {
  /** Whether nobody waits for it any more: then it is not to be run, if it can still be helped. */
  isGivenUp(): boolean
  /** Told when it is on its way to Redis, which may run it from then on. */
  sent?(): void
}

/** What became of a command that gave no answer. */
export class CommandError extends Error {
  /**
   * refused: Redis said why, and nothing was begun. broken: a script was stopped in its midst. unsent: it never left this process, and never
   * will. open: it was sent, and nobody knows.
   */
  readonly state: 'refused' | 'broken' | 'unsent' | 'open'
  /** The first word of what Redis said, such as OOM. */
  readonly word: string

  constructor(state: CommandError['state'], cause: Error) {
    super(cause.message, { cause })
    this.state = state
    this.word = state === 'refused' || state === 'broken' ? (/^[A-Z]+/.exec(cause.message)?.[0] ?? '') : ''
  }
}

/** Runs when everything that is ready to run has run: what concurrent calls ask for can go together without waiting for anything. */
export function atEndOfTick(run: () => void): void {
  queueMicrotask(() => process.nextTick(run)) // after all microtasks, also those that they bring about
}
