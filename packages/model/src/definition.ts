import type { Salt, TypeData } from '@rowkey/codec'
import type { GivenChecks } from './checks.js'

/** The common form of defineTable(), classes and JSON: names and values as the caller passed them, not yet checked. */
export interface Definition {
  readonly name: string
  readonly columns: readonly (readonly [name: string, type: TypeData])[]
  readonly partition: readonly string[]
  readonly key: readonly string[]
  readonly salt: readonly Salt[]
  readonly writes: 'plain' | 'conditional'
  readonly stores: Readonly<Record<string, unknown>>
  /** Whether rows can expire. */
  readonly expires: boolean
  /** Milliseconds after which rows expire by default. */
  readonly ttl: number | undefined
  /** Property name of the version. */
  readonly version: string | undefined
  readonly checks: GivenChecks
}

/** The defaults for everything else: a table without expiry, version and checks. */
export const noneOfThese: Pick<Definition, 'expires' | 'ttl' | 'version' | 'checks'> = Object.freeze({
  expires: false,
  ttl: undefined,
  version: undefined,
  checks: Object.freeze({ row: undefined, columns: [], classValidator: false }),
})

/** The name of a column in the store. */
export function physicalName(name: string, type: TypeData): string {
  return type.name ?? name
}
