/** A server of a test run. It listens on the loopback interface only and ends with the process that started it. */
export interface Server<Connection> {
  readonly connection: Connection
  readonly version: string
  /** Ends it as a crash does. What is in the folder it was started with stays: `start({ folder })` goes on with it. */
  kill(): Promise<void>
  /** It answers nothing until `resume()`. */
  pause(): void
  resume(): void
  /** Ends it in an orderly way; its temporary folder goes. */
  stop(): Promise<void>
}

export interface StartOptions {
  /** For its files; kept by `stop()`. Default: a temporary one. */
  readonly folder?: string
  /** Default: a free one. */
  readonly port?: number
}

/** How a server is had. */
export interface Launcher<Connection> {
  readonly name: string
  /** What is not on this machine; undefined if the server can be started. */
  missing(): string | undefined
  start(options?: StartOptions): Promise<Server<Connection>>
  /** Only a server of the user's own: nothing can be started. */
  readonly isOwnOnly?: true
  /** A server of the user's own, named in the environment. */
  own?(): Connection | undefined
  /** Brings what is missing; throws if it cannot. */
  fetch(): Promise<void>
}
