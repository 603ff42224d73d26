import {
  type Adapter,
  isPromise,
  type MaybePromise,
  type Page,
  type PageSource,
  type Row,
  type Slice,
  type TableSchema,
  type TableStore,
} from '#store/adapter'
import type { OpenAdapter } from '#conformance'
import { memory } from '#memory'
import { delegate, delegateTable } from '../../../src/conformance/delegate.js'

/** An adapter with one mistake, and the rule that must notice it. */
export interface Wrong {
  readonly mistake: string
  /** An id in the title of a test that fails on it. */
  readonly caughtBy: string
  create(): Adapter | OpenAdapter
}

/** A memory adapter with some members replaced. */
export function wrong(mistake: string, caughtBy: string, replace: (base: Adapter) => Partial<Adapter>): Wrong {
  return {
    mistake,
    caughtBy,
    create() {
      const base = memory()
      return delegate(base, replace(base))
    },
  }
}

/** A memory adapter with some reads replaced. */
export function wrongReads(
  mistake: string,
  caughtBy: string,
  replace: (store: TableStore, schema: TableSchema) => Partial<TableStore>,
): Wrong {
  return wrong(mistake, caughtBy, (base) => ({
    table(schema, catalog) {
      const store = base.table(schema, catalog)
      return delegateTable(store, replace(store, schema))
    },
  }))
}

/** A memory adapter with its slices and pages changed. */
export function wrongScan(
  mistake: string,
  caughtBy: string,
  change: { slice?(slice: Slice): Slice; page?(page: Page, slice: Slice, schema: TableSchema): Page | undefined },
): Wrong {
  return wrongReads(mistake, caughtBy, (store, schema) => ({
    scan(slice, options) {
      const source = store.scan(change.slice?.(slice) ?? slice, options)
      return mapped(source, (page) => (change.page === undefined ? page : change.page(page, slice, schema)))
    },
  }))
}

/** A source with its pages changed. */
export function mapped(source: PageSource, change: (page: Page) => Page | undefined): PageSource {
  return {
    next: (want) => after(source.next(want), (page) => (page === undefined ? undefined : change(page))),
    close: () => {
      source.close()
    },
  }
}

/** What follows an answer, at once or later. */
export function after<T, U>(answer: MaybePromise<T>, then: (value: T) => U): MaybePromise<U> {
  return isPromise(answer) ? answer.then(then) : then(answer)
}

/** A source of rows that are all there. */
export function sourceOf(rows: readonly Row[]): PageSource {
  let at = 0
  return {
    next(want) {
      const page = rows.slice(at, at + want)
      at += page.length
      return page.length === 0 ? undefined : { rows: page, examined: page.length }
    },
    close: () => undefined,
  }
}

/** All rows of a source that answers at once. */
export function drained(source: PageSource): readonly Row[] {
  const rows: Row[] = []
  for (;;) {
    const page = source.next(1000)
    if (isPromise(page)) throw new Error('the store below answers at once')
    if (page === undefined) return rows
    rows.push(...page.rows)
  }
}
