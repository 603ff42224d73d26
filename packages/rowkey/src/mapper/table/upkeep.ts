// Tested by packages/rowkey/test/mapper/index-interleavings.test.ts and index-expiry.test.ts.
import { isRowkeyError, type Row, type Value } from '#codec'
import type { TableIndex, TableSchema } from '#model'
import { failed, isPromise, unprocessed, type MaybePromise, type Mutation, type Outcome } from '#store/adapter'
import { andThen, entryOf, outcomeError, overError, writeError, type WriteRequest, type Writer } from '#store/engine'
import { outcomeNow, writeEach } from '#store/write'
import { beforeWriting } from '../call/cancellation.js'
import { newUlid } from '../rows/ulid.js'
import { isDropped } from './dropped-index.js'
import { rowsForEntries } from './entries.js'
import type { TableCache } from './table-cache.js'

/** Says what became of mutations that were not sent, because their entries were not written. */
type Refusing = (outcome: Outcome) => unknown

/**
 * Keeps the indexes of tables. The new entries of a row are written before the row, nothing is read, and old entries stay: readers compare them with
 * their rows, and `verifyIndex()` removes them when no write can still be on its way. So a row that can be read has its entries at every moment,
 * whatever fails in between, and a put is still a put.
 */
export class Upkeep {
  private readonly writer: Writer
  private readonly tables: TableCache
  /** Epoch milliseconds. */
  private readonly clock: () => number

  constructor(writer: Writer, tables: TableCache, clock: () => number) {
    this.writer = writer
    this.tables = tables
    this.clock = clock
  }

  /** Puts the entries that a write of one row needs, by whoever holds the turn of the row. Synchronous if the store is, and the tables are open. */
  one(mutation: Mutation, { attempts, cancellation }: WriteRequest): MaybePromise<void> {
    if (mutation.kind === 'delete') return undefined
    const request: WriteRequest = { attempts, now: this.clock(), cancellation }
    const refusing: Refusing = (outcome) =>
      cancellation?.isOver === true && outcome.kind === 'unprocessed'
        ? overError(cancellation, [mutation], [outcome])
        : outcomeError(mutation, outcome)
    return inTurn(mutation.schema.indexes, (index) =>
      this.keepIn(index, mutation.schema, rowsForEntries(index, mutation), request, refusing),
    )
  }

  /** A write of many rows, after the entries of all. If some entries cannot be written, no row is. */
  many(mutations: readonly Mutation[], request: WriteRequest, indexes?: readonly number[]): WriteRequest {
    const refusing: Refusing = (outcome) => writeError(mutations, mutations.map(() => outcome), request, indexes) // prettier-ignore
    return this.first(mutations, request, refusing)
  }

  /** In the turns of the rows, so that the writes of one row stay in the order of their calls. */
  private first(mutations: readonly Mutation[], request: WriteRequest, refusing: Refusing): WriteRequest {
    if (!mutations.some(needsEntries)) return request
    return { ...request, opened: () => andThen(request.opened?.(), () => this.keep(mutations, request, refusing)) }
  }

  /** Synchronous if the store is, and the tables are open. */
  private keep(mutations: readonly Mutation[], { attempts, cancellation }: WriteRequest, refusing: Refusing): MaybePromise<void> {
    // The call may have begun long ago: it waits for its turn, and a load goes on for as long as its source.
    const request: WriteRequest = { attempts, now: this.clock(), cancellation }
    const schemas = new Set(mutations.map(({ schema }) => schema))
    const indexes = [...schemas].flatMap((schema) => schema.indexes.map((index) => ({ schema, index })))
    return inTurn(indexes, ({ schema, index }) => {
      const rows = mutations.flatMap((each) => (each.schema === schema ? rowsForEntries(index, each) : []))
      return this.keepIn(index, schema, rows, request, refusing)
    })
  }

  private keepIn(
    index: TableIndex,
    schema: TableSchema,
    rows: readonly Row[],
    request: WriteRequest,
    refusing: Refusing,
  ): MaybePromise<void> {
    const entries = entriesOf(index, rows, request.now)
    if (entries.length === 0) return undefined
    const { cancellation } = request
    const put = (): MaybePromise<void> => {
      const lost = this.put(index, entries, request)
      if (isPromise(lost)) return lost.then((outcome) => this.mustBeDropped(schema, index, outcome, refusing, request))
      return lost === undefined ? undefined : this.mustBeDropped(schema, index, lost, refusing, request)
    }
    const isGone = isDropped(this.tables, schema, index, cancellation)
    if (isPromise(isGone)) return isGone.then((is) => (is ? undefined : put()))
    return isGone ? undefined : put()
  }

  /** Why not all entries are written, which says nothing worse of their rows than that they were not sent; undefined if they are. */
  private put(index: TableIndex, entries: readonly Mutation[], request: WriteRequest): MaybePromise<Outcome | undefined> {
    const opening = this.tables.get(index.schema)
    if (!isPromise(opening)) return this.send(entries, request)
    return beforeWriting(request.cancellation, opening).then(
      () => this.send(entries, request),
      (error: unknown) => {
        if (isRowkeyError(error, 'TABLE_NOT_FOUND')) return failed(error)
        throw error
      },
    )
  }

  /** One needs no turn: whatever the order, puts of an entry are the same. */
  private send(entries: readonly Mutation[], request: WriteRequest): MaybePromise<Outcome | undefined> {
    const [first, second] = entries
    if (first === undefined || second !== undefined) return andThen(writeEach(this.writer, entries, request), lostOf)
    const outcome = outcomeNow(this.writer, first, request)
    if (isPromise(outcome)) return outcome.then((each) => lostOf([each]))
    return outcome.kind === 'applied' ? undefined : lostOf([outcome])
  }

  /** Entries that are not written are only no error if the index was dropped in the meantime. */
  private mustBeDropped(
    schema: TableSchema,
    index: TableIndex,
    lost: Outcome | undefined,
    refusing: Refusing,
    { cancellation }: WriteRequest,
  ): MaybePromise<void> {
    if (lost === undefined) return undefined
    if (!isMissing(lost)) throw refusing(lost)
    return andThen(isDropped(this.tables, schema, index, cancellation, true), (is) => {
      if (!is) throw refusing(lost)
    })
  }
}

/** One after the other; synchronous as long as they are. */
function inTurn<T>(list: readonly T[], use: (item: T) => MaybePromise<void>, from = 0): MaybePromise<void> {
  for (let at = from; at < list.length; at++) {
    const used = use(list[at] as T)
    if (isPromise(used)) return used.then(() => inTurn(list, use, at + 1))
  }
}

function lostOf(outcomes: readonly Outcome[]): Outcome | undefined {
  const lost = outcomes.find(({ kind }) => kind === 'failed') ?? outcomes.find(({ kind }) => kind !== 'applied')
  return lost === undefined || lost.kind === 'failed' ? lost : unprocessed
}

const isMissing = (outcome: Outcome): boolean => outcome.kind === 'failed' && isRowkeyError(outcome.cause, 'TABLE_NOT_FOUND')

const needsEntries = (mutation: Mutation): boolean => mutation.schema.indexes.length > 0 && mutation.kind !== 'delete'

/** Puts of the entries of rows. Their version tells when they were put. */
export function entriesOf(index: TableIndex, rows: readonly Row[], now: number): readonly Mutation[] {
  const { schema } = index
  const puts: Mutation[] = []
  const version = schema.versionIndex < 0 ? undefined : newUlid(now) // the same for all: only puts of one entry have to differ
  for (const row of rows) {
    const entry = entryOf(index, row) as Value[] | undefined
    if (entry === undefined) continue
    if (version !== undefined) entry.push(version)
    puts.push({ kind: 'put', schema, row: entry, key: schema.layout.encodeKey(entry) })
  }
  return puts
}
