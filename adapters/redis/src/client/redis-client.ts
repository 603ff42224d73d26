/**
 * A client of ioredis 5.11 or 6: `new Redis(…)` for one server (also with sentinels), or `new Cluster(…)`. This is a type of its own, because
 * the two versions declare theirs differently.
 */
export interface RedisClient {
  /** The state of its connection. */
  readonly status: string
  readonly options: object
  sendCommand(command: never): unknown
}
