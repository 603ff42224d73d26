/** The time of the servers, as far as this client has heard of it: they never work at a time before what they are told. */
export class Clock {
  /** A hybrid timestamp; undefined before the first answer. */
  latest: bigint | undefined

  see(timestamp: bigint | undefined): void {
    if (timestamp !== undefined && (this.latest === undefined || timestamp > this.latest)) this.latest = timestamp
  }
}
