/** A version of Cassandra that is started here. */
export interface Release {
  readonly version: string
  /** Of Java, which it runs on. */
  readonly java: 11 | 17
  /** Whether cassandra.yaml says 32MiB and 2ms; older ones have the unit in the name. */
  readonly hasUnits: boolean
}

/** The newest of each line. */
export const releases: Readonly<Record<Line, Release>> = {
  '5.0': { version: '5.0.9', java: 17, hasUnits: true },
  '4.0': { version: '4.0.19', java: 11, hasUnits: false },
}

export type Line = '4.0' | '5.0'
