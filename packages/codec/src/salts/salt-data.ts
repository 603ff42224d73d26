/** A derived part in front of the key that spreads rows: frozen data. Made by {@link bucket}, {@link hashPrefix} and {@link hashPartition}. */
export interface Salt<out Of extends string = string> {
  readonly kind: 'hash' | 'modulo' | 'hashPrefix' | 'hashPartition'
  /** The key columns it is computed from; not nullable. */
  readonly of: readonly Of[]
  /** How many values it can take. */
  readonly count: number
  /** hash, hashPartition: seed of the hash. */
  readonly seed?: number
  /** hashPrefix: number of hex digits. */
  readonly digits?: number
}
