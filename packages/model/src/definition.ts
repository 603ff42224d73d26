import type { Salt, TypeData } from '@rowkey/codec'

/** What both doors and JSON come down to: names and values as the caller gave them, not yet checked. */
export interface Definition {
  readonly name: string
  readonly columns: readonly (readonly [name: string, type: TypeData])[]
  readonly partition: readonly string[]
  readonly key: readonly string[]
  readonly salt: readonly Salt[]
  readonly writes: 'plain' | 'conditional'
  readonly stores: Readonly<Record<string, unknown>>
}

/** The name of a column in the store. */
export function physicalName(name: string, type: TypeData): string {
  return type.name ?? name
}
