import type { Connections } from '../transport/connections.js'
import type { Waiting } from '../transport/waiting.js'
import type { Leaders } from './attempts.js'
import type { Clock } from './clock.js'
import type { Locations } from './locations.js'

/** What the calls to tablets share. */
export interface Tablets {
  readonly connections: Connections
  readonly locations: Locations
  readonly leaders: Leaders
  readonly clock: Clock
  /** Scanners that are open on servers. */
  readonly scanners: Set<{ close(): Promise<void> }>
  /** For requests that close scanners, which nobody waits for. */
  readonly closing: () => Waiting
}
