import type { Salt, TypeData } from '#codec'
import { show } from '#codec/internal'
import type { GivenChecks } from './checks.js'
import type { Problems } from '../problems.js'

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
  /** Names in the store. */
  readonly retired: readonly string[]
  readonly indexes: readonly GivenIndex[]
}

/** An index as the caller passed it, not yet checked. */
export interface GivenIndex {
  readonly name: string
  readonly partition: readonly string[]
  readonly key: readonly string[]
  readonly salt: readonly Salt[]
  readonly include: readonly string[]
  readonly unique: boolean
  readonly stores: Readonly<Record<string, unknown>>
}

/** The defaults for everything else: a table without expiry, version, checks, retired columns and indexes. */
export const noneOfThese: Pick<Definition, 'expires' | 'ttl' | 'version' | 'checks' | 'retired' | 'indexes'> = Object.freeze({
  expires: false,
  ttl: undefined,
  version: undefined,
  checks: Object.freeze({ row: undefined, columns: [], classValidator: false }),
  retired: Object.freeze([]),
  indexes: Object.freeze([]),
})

/** The name of a column in the store. */
export function physicalName(name: string, type: TypeData): string {
  return type.name ?? name
}

/** A list of names as the caller gave it, copied. Something else is added to `problems`. */
export function namesOf(list: string, names: unknown, problems: Problems): readonly string[] {
  if (Array.isArray(names)) return [...(names as string[])]
  if (names !== undefined) problems.add({ code: 'INVALID_OPTION', message: `${list} is ${show(names)}. Give a list of column names.` })
  return []
}
