// Tested by packages/cli/test/stores-url.test.ts.

/** A URL of a store, without credentials. */
export interface OpeningUrl {
  readonly scheme: string
  /** A path, or hosts with their ports. */
  readonly place: string
  /** After the first slash: a database, a keyspace, a namespace. */
  readonly inside: string
  /** After the question mark. */
  readonly parameters: ReadonlyMap<string, string>
}

/** What a tool does for a store that it opens: parts of the URL in other forms, the environment, refusals. */
export interface Opener {
  readonly url: OpeningUrl
  /** Whether the store may be new. */
  readonly isNew: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  /** How long a client may wait for a connection, in milliseconds. */
  readonly connectMs: number
  /** How long a client may wait for one answer, in milliseconds. */
  readonly answerMs: number
  /** A host and its port. */
  host(place: string, otherwise: number): { readonly host: string; readonly port: number }
  /** A path from the folder of the caller. */
  path(place: string): string
  /** `<PREFIX>_USERNAME` and `<PREFIX>_PASSWORD` of the environment. */
  credentials(prefix: string): { readonly username: string | undefined; readonly password: string | undefined }
  /** A parameter that is true or false; false if it is not given. */
  flag(name: string): boolean
  /** A parameter that is one of some names; the first one if it is not given. */
  oneOf<Name extends string>(name: string, known: readonly [Name, ...Name[]]): Name
  /** Refuses the URL. @throws always */
  refuse(message: string): never
  /** Says that there is no such store. @throws always */
  notThere(message: string): never
}

/** A client that is about to be ready. */
export interface OpenedClient {
  /** The arguments of the adapter's function, such as its client and options. */
  readonly arguments: readonly unknown[]
  /** Resolves when the store answers; absent: the first read says it. */
  readonly connected?: Promise<unknown>
  /** Closes the client, after the adapter. */
  close(): unknown
  /** Resolves to the product and its version, as the store tells them; absent: it tells none. */
  product?(): Promise<string>
  /** What all tables share, for tools that leave nothing of tables that they made; absent: a dropped table leaves nothing. */
  readonly shared?: SharedTable
}

/** The table that has the catalogs of all tables. It is created with the first one. */
export interface SharedTable {
  /** As people call it: its name in the store. */
  readonly name: string
  isThere(): Promise<boolean>
  /** Deletes what it still has of dropped tables whose names begin with a prefix, and drops it if `isNew` and nothing is in it. */
  forget(prefix: string, isNew: boolean): Promise<void>
}

/**
 * How a tool opens a store that a URL names. The tool loads the drivers and calls the function of the store's name with the arguments.
 *
 * @example
 * ```ts
 * const opening: StoreOpening = {
 *   form: 'tiny://host:port', parameters: [], drivers: ['tiny-client'],
 *   open: ([{ Client }]: readonly [typeof tiny], { url, host }) => ({ arguments: [new Client(host(url.place, 7000))], close: () => undefined }),
 * }
 * ```
 */
export interface StoreOpening {
  /** How its URLs look: `redis://host:port/0`. */
  readonly form: string
  /** What may follow the question mark, besides `prefix`. */
  readonly parameters: readonly string[]
  /** The variables of the environment for credentials, as a phrase: a URL with credentials is refused. */
  readonly credentials?: string
  /** What the rights of the store must allow for tables with a prefix, from their creation to their drop: a line for each right, in its own words. */
  readonly rights?: (prefix: string, url: OpeningUrl) => readonly string[]
  /** The packages that have its client, in the order in which `open` takes them. */
  readonly drivers: readonly string[]
  /** Makes a client, and waits for nothing. `drivers`: the modules of the packages. */
  open(drivers: never, opener: Opener): OpenedClient
}
