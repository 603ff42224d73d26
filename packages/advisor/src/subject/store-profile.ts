// Tested by rules.test.ts.
import type { TableSchema } from 'rowkey'
import { knownStores, type KnownStore, type PartitionLimits, type StoreDescription, type StoreFacts } from 'rowkey/adapter'

/** The partitions and encodings of tables in Kudu, of which the model has only the hash levels. */
export interface KuduOptions {
  /** Replicas of a tablet, 3 by default. */
  readonly replicas?: number
  /**
   * Range partitions by one key column, by table. The lower end is inclusive, the upper end exclusive. Canonical values, 64-bit integers as text;
   * null = no end.
   */
  readonly ranges?: Readonly<
    Record<
      string,
      { readonly column: string; readonly bounds: readonly (readonly [from: number | string | null, to: number | string | null])[] }
    >
  >
  /** Encodings that differ from the default, by table and column. */
  readonly encodings?: Readonly<Record<string, Readonly<Record<string, 'plain' | 'bitshuffle' | 'runlength' | 'dictionary' | 'prefix'>>>>
}

export type KuduRanges = NonNullable<KuduOptions['ranges']>[string]
export type KuduEncoding = NonNullable<KuduOptions['encodings']>[string][string]

/** What options say of the store. */
export interface StoreOptions {
  readonly store?: KnownStore | StoreDescription
  readonly storeOptions?: object
  readonly servers?: number
  readonly kudu?: KuduOptions
}

/** A store, and how much of it there is. */
export interface StoreProfile extends Omit<StoreOptions, 'store'> {
  readonly name: string
  readonly description?: StoreDescription
}

/** The store of options; undefined if they name none. */
export function profileOf({ store, storeOptions, servers, kudu }: StoreOptions): StoreProfile | undefined {
  if (store === undefined) return undefined
  return {
    ...(typeof store === 'string' ? { name: store } : { name: store.name, description: store }),
    ...(storeOptions === undefined ? {} : { storeOptions }),
    ...(servers === undefined ? {} : { servers }),
    ...(kudu === undefined ? {} : { kudu }),
  }
}

/** What is known of a store: what its description says, with the profile of its options, or else what its name means. */
export function factsOf(store: StoreProfile | undefined): StoreFacts | undefined {
  if (store === undefined) return undefined
  const { name, description, storeOptions = {} } = store
  const own = description?.facts ?? (Object.hasOwn(knownStores, name) ? knownStores[name as KnownStore] : undefined)
  const { profile } = storeOptions as { readonly profile?: unknown }
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
