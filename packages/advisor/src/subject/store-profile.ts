// Tested by rules.test.ts.
import type { TableSchema } from 'rowkey'
import { knownStores, type KnownStore, type PartitionLimits, type StoreDescription, type StoreFacts } from 'rowkey/adapter'

/** The stores whose limits the advisor knows. */
export type StoreName = KnownStore

/** The encodings of Kudu. */
export type KuduEncoding = 'plain' | 'bitshuffle' | 'runlength' | 'dictionary' | 'prefix'

/** A store, and how much of it there is. */
export interface StoreProfile {
  /** A known one, or that of `description`. */
  readonly name: StoreName | (string & {})
  /**
   * The description of the store, which its adapter exports: its own warnings of a table are then among the findings. The advisor imports no store, so
   * that it runs in a browser.
   */
  readonly description?: StoreDescription
  /** Options of its adapter, for the description; and `consistency: 'eventual'` for a store whose queries are such reads. */
  readonly options?: object
  /** Servers that hold data. */
  readonly servers?: number
  /** Kudu: replicas of a tablet, 3 by default. */
  readonly replicas?: number
  /** Kudu: the range partitions, by table. */
  readonly ranges?: Readonly<Record<string, KuduRanges>>
  /** Kudu: encodings that differ from the default, by table and column. */
  readonly encodings?: Readonly<Record<string, Readonly<Record<string, KuduEncoding>>>>
}

/** Range partitions by one key column. The lower end is inclusive, the upper end exclusive. */
export interface KuduRanges {
  readonly column: string
  /** Canonical values, 64-bit integers as text; null = no end. */
  readonly bounds: readonly (readonly [from: KuduBound, to: KuduBound])[]
}

/** One end of a range of Kudu. */
export type KuduBound = number | string | null

/** What is known of a store: what its description says, with the profile of its options, or else what its name means. */
export function factsOf(store: StoreProfile | undefined): StoreFacts | undefined {
  if (store === undefined) return undefined
  const { name, description, options = {} } = store
  const known = Object.hasOwn(knownStores, name) ? knownStores[name as StoreName] : undefined
  const own = description?.facts !== undefined && (description.name === name || known === undefined) ? description.facts : known
  const { profile } = options as { readonly profile?: unknown }
  return own?.profiles !== undefined && typeof profile === 'string' && Object.hasOwn(own.profiles, profile) ? own.profiles[profile] : own
}

/** The store as its vendor writes it. */
export const titleOf = (store: StoreProfile): string => factsOf(store)?.title ?? store.name

/** How a store decides where a row goes. One that nothing is known of has its rows in the order of their keys. */
export const placementOf = (store: StoreProfile | undefined): StoreFacts['placement'] => factsOf(store)?.placement ?? 'order'

/** What one partition of a store takes; nothing if no figure is published. */
export const partitionLimits = (store: StoreProfile | undefined): PartitionLimits => factsOf(store)?.partition ?? {}

/** What a model says about its table in a store. */
export const hintOf = ({ stores }: TableSchema, store: string, hint: string): unknown =>
  (stores[store] as Readonly<Record<string, unknown>> | undefined)?.[hint]

/**
 * The stores whose limits the advisor knows, in alphabetical order: what a command offers as `--store`.
 *
 * @example
 * ```ts
 * storeNames.includes('kudu') //=> true
 * ```
 */
export const storeNames: readonly StoreName[] = Object.freeze(Object.keys(knownStores).sort() as StoreName[])
