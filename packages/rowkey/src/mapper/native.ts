import type { InferKey, TableSchema } from '#model'
import type { Adapter, SupportsDdl, Definition, SupportsLocate } from '#store/adapter'
import { RowkeyError } from '#codec'
import type { CancelOptions } from './call/cancellation.js'

/** What `db.ddl()` returns on this adapter; on an adapter of which nothing is known, what all have in common. */
export type DefinitionOf<A extends Adapter> = A extends SupportsDdl<infer D> ? D : Definition

/** What `locate()` of a repository returns on this adapter. */
export type AddressOf<A extends Adapter> = A extends SupportsLocate<infer Address> ? Address : never

/** A repository whose rows other clients of the store can find. */
// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- declarations of applications then need no name for it
export type Located<M extends object, Address> = {
  /**
   * Resolves to where another client of the store finds the row of a key, whether the row exists or not: names and bytes, ready for its
   * commands. The README of the adapter describes them. The promise has to be awaited, because the table may not be open yet.
   * @throws RowkeyError `NOT_SUPPORTED` if rows have no address
   */
  locate(key: InferKey<M>, options?: CancelOptions): Promise<Address>
}

/** @throws RowkeyError `NOT_SUPPORTED` */
export function definitionOf(adapter: Adapter & Partial<SupportsDdl>, schema: TableSchema): Definition {
  if (adapter.ddl !== undefined) return adapter.ddl(schema)
  throw lacks(adapter, schema, 'ddl', 'has no table definitions')
}

/** @throws RowkeyError `NOT_SUPPORTED` */
export function locatorOf(adapter: Adapter & Partial<SupportsLocate>, schema: TableSchema): SupportsLocate {
  const { locate } = adapter
  if (locate !== undefined) return { locate: locate.bind(adapter) }
  throw lacks(adapter, schema, 'locate', 'has no row addresses')
}

function lacks({ name }: Adapter, schema: TableSchema, capability: string, what: string): RowkeyError {
  const message = `${name} ${what}, so there is none for '${schema.name}'. Use an adapter that has them.`
  return new RowkeyError('NOT_SUPPORTED', message, { table: schema.name, capability, adapter: name })
}
