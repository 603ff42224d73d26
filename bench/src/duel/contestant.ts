import type { ServerName } from '@rowkey/servers'

/** What is found out about a contestant before the clock runs. */
export interface Facts {
  /** Mean length of a key. */
  readonly keyBytes?: number
  /** Heap, array buffers and memory of others per row, keys included. */
  readonly rowBytes?: number
  /** Operations with wrong results and how many, such as `3/1024`. They are not timed. */
  readonly wrong?: Readonly<Record<string, string>>
  /** Outcome by case, where a contest consists of cases. */
  readonly cases?: Readonly<Record<string, string>>
}

/** One call per input. */
export interface Operation {
  readonly inputs: readonly unknown[]
  run(input: never): unknown
  /** `run` gives promises, and each is waited for before the next call. */
  readonly isAsync?: boolean
}

/** One party of a contest, inside its process. */
export interface Contestant {
  readonly operations: Readonly<Record<string, Operation>>
  readonly facts: Facts
  /** What else happens in the process, before each measurement and not counted. */
  meanwhile?(): void
}

/** For calls that take milliseconds and wait for a server. */
export interface Pace {
  /** How often each operation is called at least before time counts. */
  readonly warmUpCalls: number
  /** How many calls a slice has at least. */
  readonly leastCalls: number
  /** How many times as long slices and warm-up are. */
  readonly stretch: number
}

/** What is compared: operations of the same names, by parties that each run in a process of their own. */
export interface Contest {
  readonly id: string
  readonly title: string
  /** Whom the others are compared with. */
  readonly base: string
  /** The same for an operation that the base gets wrong. */
  readonly otherBase?: Readonly<Record<string, string>>
  readonly operations: readonly string[]
  /** Whether bytes per call are measured too. */
  readonly allocation: boolean
  /** Whether time on the clock is told as well as that of the processor. */
  readonly wall?: boolean
  readonly pace?: Pace
  /** It is started before, and its connection given to all parties. Without it the contest does not take place. */
  readonly server?: ServerName
  /** By name. A party that cannot take part throws. */
  readonly parties: ReadonlyMap<string, (connection?: unknown) => Contestant | Promise<Contestant>>
}
