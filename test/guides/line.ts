import { stores, testedAs, type ServerName } from '@rowkey/servers'
import {
  isRowkeyError,
  type Adapter,
  type ErrorCode,
  type Mapper,
  type MapperOptions,
  type ModelClass,
  type RepositoryOf,
  type TableSchema,
} from 'rowkey'

/** A store of the matrix: a server of one, or a store that works in the process. */
export type StoreName = (typeof stores)[number]['name'] | ServerName

/** The stores of the matrix, with the letter that docs/guides-coverage.md has for each. */
export const letters = Object.fromEntries(stores.flatMap((store) => testedAs(store).map((name) => [name, store.letter]))) as Readonly<
  Record<StoreName, string>
>

type AnyModel = TableSchema | ModelClass

/** One store, as the tests of the guides use it. All that they create has a name of its own, and is dropped in the end. */
export interface GuideStore {
  readonly name: StoreName
  readonly adapter: Adapter
  /** A mapper, and these tables on the store. */
  create(models: readonly AnyModel[], options?: MapperOptions): Promise<Mapper>
  /** A table, and its mapper. */
  open<M extends AnyModel>(model: M): Promise<RepositoryOf<M>>
}

/** The stores that declare to lack what a line needs, and the code by which each refuses it. */
type Refused = Readonly<Partial<Record<StoreName, ErrorCode>>>

/** A test of lines of the guides, for every store. */
export interface Line {
  readonly title: string
  readonly run: (store: GuideStore) => Promise<void>
  readonly refused: Refused
  /** The only stores that have anything like it; undefined: all. */
  readonly only: readonly StoreName[] | undefined
}

/** Adds a line. On a store that refuses, `run` must reject with that code. It does not run on stores other than `only`. */
export type AddLine = (title: string, run: Line['run'], refused?: Refused, only?: Line['only']) => void

/** What is only read is made once per store. */
export function once<T>(make: (store: GuideStore) => Promise<T>): (store: GuideStore) => Promise<T> {
  let made: Promise<T> | undefined
  return (store) => (made ??= make(store))
}

/** The code of the refusal, or what was returned or thrown instead. */
export async function codeOf(run: () => unknown): Promise<unknown> {
  try {
    return await run()
  } catch (error) {
    return isRowkeyError(error) ? error.code : error
  }
}
