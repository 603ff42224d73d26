/** A Lua script. Whoever runs it names all keys that it uses, because a cluster requires that. */
export interface Script {
  readonly lua: string
  readonly sha: string
}

export type Argument = string | Buffer

/** The same bytes as a Buffer, which ioredis sends as they are. */
export const toBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** A reply of Redis: bytes, integers (as text if the client is configured so), null, and lists of these. */
export type Reply = Buffer | string | number | null | readonly Reply[]

/** What the adapter needs of a client of Redis. Methods reject only with a {@link CommandError}. Replies are as the server sent them: check each. */
export interface Commands {
  get(key: string): Promise<Reply>
  hashFields(key: string, fields: readonly Argument[]): Promise<Reply>
  /** Sections of INFO. */
  info(section: string): Promise<string>
  /** A script that may be run twice: the client may send it again after a cut connection. */
  run(script: Script, keys: readonly string[], args: readonly Argument[]): Promise<Reply>
  /** A script whose first argument is '1' if it may have run before, or if nobody waits for it any more. Then it does nothing. */
  runOnce(script: Script, keys: readonly string[], args: readonly Argument[], caller: OnceCaller): Promise<Reply>
}

/** The caller of a script that runs at most once. */
export interface OnceCaller {
  /** Whether nobody waits for it any more. Unless it was sent already, it is then sent with '1', so that it does nothing. */
  isGivenUp(): boolean
  /** Called when it is sent. From then on Redis may run it. */
  sent?(): void
}

/** The error of a command, with what is known about its effect. */
export class CommandError extends Error {
  /**
   * refused: the answer is an error, and Redis did nothing; a proxy may have. broken: a script was stopped after it had begun. unsent: it was not sent, or only
   * so that it does nothing. open: it was sent, and its effect is unknown.
   */
  readonly state: 'refused' | 'broken' | 'unsent' | 'open'
  /** The first word of the error of Redis, such as OOM. */
  readonly word: string

  constructor(state: CommandError['state'], cause: Error) {
    super(cause.message, { cause })
    this.state = state
    this.word = state === 'refused' || state === 'broken' ? (/^[A-Z]+/.exec(cause.message)?.[0] ?? '') : ''
  }
}

/** Runs after everything that is ready to run. So concurrent calls can share one command without waiting for a timer. */
export function atEndOfTick(run: () => void): void {
  queueMicrotask(() => process.nextTick(run)) // after all microtasks, also those that they start
}
