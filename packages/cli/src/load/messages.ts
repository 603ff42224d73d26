/** What the process that loads models is asked for, as its one argument in JSON. */
export interface LoadRequest {
  /** The folder from which messages name files. */
  readonly folder: string
  /** A config to read first. */
  readonly config?: string
  readonly files: readonly string[]
  /** Whether JavaScript is compiled as well, because Node.js alone cannot load it. */
  readonly isCompiled?: boolean
}

/** What it answers, one JSON text a line. */
export type LoadMessage =
  /** What a config exports. */
  | { readonly config: unknown }
  /** The file that it imports now. */
  | { readonly file: string }
  /** The JSON of a schema in this file, the name of its export, and whether that is a class. */
  | { readonly schema: unknown; readonly name: string; readonly isClass?: boolean }
  /** Why a file cannot be loaded. It is the last message. */
  | { readonly problem: string; readonly stack: string }
  /** The whole message of a failure. It is the last message. */
  | { readonly failure: string; readonly stack: string }
  | { readonly done: true }
  /** Node.js alone cannot load it: it is asked for once more, compiled. It is the last message. */
  | { readonly uncompiled: true }
  /** A line that is no answer. */
  | { readonly foreign: string }

/** The file descriptor of the answers: stdout is for what models print. */
export const answers = 3
