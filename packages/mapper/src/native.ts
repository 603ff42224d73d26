import type { InferKey, Model, TableSchema } from '@rowkey/model'
import type { Adapter, Defining, Definition, Locating } from '@rowkey/store'
import { RowkeyError } from '@rowkey/codec'
import type { CancelOptions } from './cancellation.js'

/** What `db.ddl()` gives on this adapter. */
export type DefinitionOf<A extends Adapter> = A extends Defining<infer D> ? D : never

/** What `locate()` of a repository gives on this adapter. */
export type AddressOf<A extends Adapter> = A extends Locating<infer Address> ? Address : never

/** What a repository has in addition on an adapter whose rows have addresses. */
export type Located<M extends Model, Address> = [Address] extends [never] ? unknown : LocatedRows<M, Address>

/** A repository whose rows other clients of the store can find. */
export interface LocatedRows<M extends Model, Address> {
  /**
   * Where another client of the store finds the row of a key, whether there is one or not: names and bytes, ready for its commands. The
   * README of the adapter says what is there.
   * @throws RowkeyError `STORE_LACKS` where rows have no address
   */
  locate(key: InferKey<M>, options?: CancelOptions): Promise<Address>
}

/** @throws RowkeyError `STORE_LACKS` */
export function definitionOf(adapter: Adapter & Partial<Defining>, schema: TableSchema): Definition {
  if (adapter.ddl !== undefined) return adapter.ddl(schema)
  throw lacks(adapter, schema, 'ddl', 'has no definitions of tables')
}

/** @throws RowkeyError `STORE_LACKS` */
export function locatorOf(adapter: Adapter & Partial<Locating>, schema: TableSchema): Locating {
  const { locate } = adapter
  if (locate !== undefined) return { locate: locate.bind(adapter) }
  throw lacks(adapter, schema, 'locate', 'has no addresses of rows')
}

function lacks({ name }: Adapter, schema: TableSchema, capability: string, what: string): RowkeyError {
  const message = `${name} ${what}, so there is none for '${schema.name}'. Ask an adapter of a server.`
  return new RowkeyError('STORE_LACKS', message, { table: schema.name, capability, adapter: name })
}
