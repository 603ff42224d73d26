import type { Row } from '#codec'
import type { TableIndex, TableSchema } from '#model'
import { isExact } from '#model/internal'
import { isPromise, type MaybePromise, type Mutation, type Outcome } from '#store/adapter'
import { backOff, rowOf, whenOpen, writeError, type WriteRequest, type Writer } from '#store/engine'
import { checkScope, refusalError, writeAtomic, writeEach, writeMany, writeNow, writeOne } from '#store/write'
import { opening, waiting, type Entrance } from './entrance.js'
import { ExactWrites, type Written } from './exact-writes.js'
import type { TableCache } from './table-cache.js'
import { entriesOf, Upkeep } from './upkeep.js'

/**
 * The only way of a mapper's writes to its store. The entries of a row in indexes go before it, or with it. Only what a
 * store removes by itself because it has expired does not pass. Each write waits for the tables that it is given, if they are not open.
 */
export class Sender {
  private readonly writer: Writer
  private readonly tables: TableCache
  private readonly clock: () => number
  private readonly upkeep: Upkeep
  private readonly exact: ExactWrites

  constructor(writer: Writer, tables: TableCache, clock: () => number) {
    this.writer = writer
    this.tables = tables
    this.clock = clock
    this.upkeep = new Upkeep(writer, tables, clock)
    this.exact = new ExactWrites(writer, tables)
  }

  /** The same for rows that nobody else writes: a put or delete whose outcome is unknown is sent again. */
  resending(): Sender {
    return new Sender({ ...this.writer, resendsUnknown: true }, this.tables, this.clock)
  }

  /**
   * One mutation. Synchronous if the store is and the table is open. Returns the row after it, if the mutation asks for it and the store
   * knows it.
   */
  one(entrance: Entrance, mutation: Mutation, request: WriteRequest): MaybePromise<Row | undefined> {
    const opened = entrance.openFor([mutation])
    const sending = isPromise(opened) ? waiting([opened], request) : request
    if (mutation.schema.indexes.length === 0) return writeOne(this.writer, mutation, sending)
    if (!isExact(mutation.schema)) return this.inTurn(mutation, sending, () => this.kept(mutation, sending))
    return this.writer.turns.hold(mutation, async () => whenOpen(sending, () => this.exact.one(mutation, sending)), request.cancellation)
  }

  /** @param indexes where the mutations are in the caller's list, if they are a part of it */
  async many(
    entrances: readonly Entrance[],
    mutations: readonly Mutation[],
    request: WriteRequest,
    indexes?: readonly number[],
  ): Promise<void> {
    const sending = opening(entrances, mutations, request)
    if (!mutations.some(hasExactTable)) return writeMany(this.writer, mutations, this.upkeep.many(mutations, sending, indexes), indexes)
    const outcomes = await this.outcomes(mutations, sending)
    if (!outcomes.every(({ kind }) => kind === 'applied')) throw writeError(mutations, outcomes, request, indexes)
  }

  /** The outcome of each, for callers to whom some are not errors. */
  async each(entrances: readonly Entrance[], mutations: readonly Mutation[], request: WriteRequest): Promise<readonly Outcome[]> {
    return this.outcomes(mutations, opening(entrances, mutations, request))
  }

  /** All or none. */
  async atomic(entrances: readonly Entrance[], mutations: readonly Mutation[], token: string, request: WriteRequest): Promise<void> {
    const sending = opening(entrances, mutations, request)
    if (!mutations.some(hasExactTable)) return writeAtomic(this.writer, mutations, token, this.upkeep.many(mutations, sending))
    checkScope(this.writer, mutations)
    const { opened } = this.upkeep.many(mutations.filter((mutation) => !hasExactTable(mutation)), sending) // prettier-ignore
    const write = async (): Promise<Written> => whenOpen({ ...sending, opened }, () => this.exact.atomic(mutations, token, request))
    const written = await this.writer.turns.runAll(() => mutations.map(rowOf), undefined, write, request.cancellation)
    if ('outcome' in written) throw refusalError(mutations, written, request)
  }

  /** Runs `change` before those writes of the row that are called later. Until it has ended, or calls `leave`, it writes with `held()`. */
  hold<T>(entrance: Entrance, mutation: Mutation, request: WriteRequest, change: (leave: () => void) => Promise<T>): Promise<T> {
    const entering = opening([entrance], [mutation], request)
    return this.writer.turns.hold(mutation, async (leave) => whenOpen(entering, () => change(leave)), request.cancellation)
  }

  /** As `one()`, by whoever holds the turn of the row, and its table is open. */
  held(mutation: Mutation, request: WriteRequest): MaybePromise<Row | undefined> {
    if (hasExactTable(mutation)) return this.exact.one(mutation, request)
    return mutation.schema.indexes.length === 0 ? writeNow(this.writer, mutation, request) : this.kept(mutation, request)
  }

  /** Puts the entries of rows in an index, for rows that have none. @throws RowkeyError as a write of many; `UNIQUE_VIOLATION` */
  async enter(
    entrances: readonly Entrance[],
    index: TableIndex,
    rows: readonly Row[],
    schema: TableSchema,
    request: WriteRequest,
  ): Promise<void> {
    const sending = opening(entrances, [], request)
    if (!isExact(schema)) return writeMany(this.writer, entriesOf(index, rows, this.clock()), sending)
    await sending.opened?.()
    await this.exact.enterAll(index, schema, rows, request)
  }

  /** Waits before a write is tried again; false if it should not be. */
  backOff(attempt: number, request: WriteRequest): Promise<boolean> {
    return backOff(this.writer, attempt, request)
  }

  private inTurn<T>(mutation: Mutation, sending: WriteRequest, write: () => MaybePromise<T>): MaybePromise<T> {
    const { turns } = this.writer
    return turns.runAll(
      () => [rowOf(mutation)],
      undefined,
      () => whenOpen(sending, write),
      sending.cancellation,
    )
  }

  /** Writes a row after its entries. */
  private kept(mutation: Mutation, request: WriteRequest): MaybePromise<Row | undefined> {
    const entries = this.upkeep.one(mutation, request)
    return isPromise(entries) ? entries.then(() => writeNow(this.writer, mutation, request)) : writeNow(this.writer, mutation, request)
  }

  private async outcomes(mutations: readonly Mutation[], sending: WriteRequest): Promise<readonly Outcome[]> {
    const exact = mutations.flatMap((mutation, at) => (hasExactTable(mutation) ? [at] : []))
    if (exact.length === 0) return writeEach(this.writer, mutations, this.upkeep.many(mutations, sending))
    const others = mutations.flatMap((mutation, at) => (hasExactTable(mutation) ? [] : [at]))
    const listed = (places: readonly number[]): readonly Mutation[] => places.map((at) => mutations[at] as Mutation)
    const outcomes: Outcome[] = []
    const writing = listed(others)
    const [found, rest] = await Promise.all([
      this.exact.each(listed(exact), sending),
      others.length === 0 ? [] : writeEach(this.writer, writing, this.upkeep.many(writing, sending)),
    ])
    exact.forEach((at, i) => (outcomes[at] = found[i] as Outcome))
    others.forEach((at, i) => (outcomes[at] = rest[i] as Outcome))
    return outcomes
  }
}

const hasExactTable = ({ schema }: Mutation): boolean => schema.indexes.length > 0 && isExact(schema)
