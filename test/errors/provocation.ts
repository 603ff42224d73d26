/** A name for the snapshot, and a call that is refused. */
export type Provocation = readonly [what: string, run: () => unknown]
