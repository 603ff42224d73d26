import type { Client, policies } from 'cassandra-driver'

/** What is needed of `policies` of cassandra-driver, whose generators are `G`. */
export interface TimestampPolicies<G> {
  readonly timestampGeneration: {
    readonly MonotonicTimestampGenerator: new (warnFrom: number, warnEvery: number) => G
  }
}

/**
 * A timestamp generator for a `Client`. The driver's own one counts from the beginning of a millisecond, so of two plain writes by two clients
 * within a millisecond the first one may win. This one takes the microseconds from the clock of the machine. As with the driver's own one, each
 * timestamp is later than the one before, even if the clock is set back, and the client logs a warning if the clock is far behind.
 *
 * `policies` is that of the driver which the client is from: it only accepts generators of its own class.
 *
 * @example
 * const timestampGeneration = microsecondTimestamps(policies)
 * const client = new Client({ contactPoints, localDataCenter, policies: { timestampGeneration } })
 */
export function microsecondTimestamps<G>({ timestampGeneration }: TimestampPolicies<G>): G {
  const { MonotonicTimestampGenerator } = timestampGeneration as unknown as typeof policies.timestampGeneration
  class Microseconds extends MonotonicTimestampGenerator {
    private readonly clock = new Clock()
    private last = 0

    override next(client: Client): ReturnType<policies.timestampGeneration.TimestampGenerator['next']> {
      const counted = super.next(client)
      if (typeof counted !== 'number') return counted // after the year 2255
      this.last = Math.max(this.last + 1, counted, Math.floor(this.clock.now() * 1000))
      return this.last
    }
  }
  return new Microseconds(warnFrom, warnEvery) as G
}

// Milliseconds, the driver's defaults.
const warnFrom = 1000
const warnEvery = 1000

/** The clock of the machine with its fractions of a millisecond, which `Date.now()` leaves out. */
class Clock {
  private origin = performance.timeOrigin

  /** Milliseconds from 1970. */
  now(): number {
    const wall = Date.now()
    const elapsed = performance.now()
    const exact = this.origin + elapsed
    if (exact >= wall && exact < Date.now() + 1) return exact
    // The clock was set, or the machine slept. From here on the fractions are at most a millisecond too small.
    this.origin = wall - elapsed
    return wall
  }
}
