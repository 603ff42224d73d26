import type { Row } from '#codec'
import { isPromise, type MaybePromise, type Mutation, type Outcome } from '#store/adapter'
import { backOff, whenOpen, type WriteRequest, type Writer } from '#store/engine'
import { writeAtomic, writeEach, writeMany, writeNow, writeOne } from '#store/write'
import { opening, waiting, type Entrance } from './entrance.js'
import type { TableCache } from './table-cache.js'
import { Upkeep } from './upkeep.js'

/**
 * The only way of a mapper's writes to its store. The entries of a row in indexes go before it. Only what a
 * store removes by itself because it has expired does not pass. Each write waits for the tables that it is given, if they are not open.
 */
export class Sender {
  private readonly writer: Writer
  private readonly tables: TableCache
  private readonly upkeep: Upkeep

  constructor(writer: Writer, tables: TableCache) {
    this.writer = writer
    this.tables = tables
    this.upkeep = new Upkeep(writer, tables)
  }

  /** The same for rows that nobody else writes: a put or delete whose outcome is unknown is sent again. */
  resending(): Sender {
    return new Sender({ ...this.writer, resendsUnknown: true }, this.tables)
  }

  /**
   * One mutation. Synchronous if the store is and the table is open. Returns the row after it, if the mutation asks for it and the store
   * knows it.
   */
  one(entrance: Entrance, mutation: Mutation, request: WriteRequest): MaybePromise<Row | undefined> {
    const opened = entrance.openFor([mutation])
    const sending = isPromise(opened) ? waiting([opened], request) : request
    return writeOne(this.writer, mutation, mutation.schema.indexes.length === 0 ? sending : this.upkeep.one(mutation, sending))
  }

  /** @param indexes where the mutations are in the caller's list, if they are a part of it */
  many(entrances: readonly Entrance[], mutations: readonly Mutation[], request: WriteRequest, indexes?: readonly number[]): Promise<void> {
    return writeMany(this.writer, mutations, this.upkeep.many(mutations, opening(entrances, mutations, request), indexes), indexes)
  }

  /** The outcome of each, for callers to whom some are not errors. */
  each(entrances: readonly Entrance[], mutations: readonly Mutation[], request: WriteRequest): Promise<readonly Outcome[]> {
    return writeEach(this.writer, mutations, this.upkeep.many(mutations, opening(entrances, mutations, request)))
  }

  /** All or none. */
  atomic(entrances: readonly Entrance[], mutations: readonly Mutation[], token: string, request: WriteRequest): Promise<void> {
    return writeAtomic(this.writer, mutations, token, this.upkeep.many(mutations, opening(entrances, mutations, request)))
  }

  /** Runs `change` before those writes of the row that are called later. Until it has ended, or calls `leave`, it writes with `held()`. */
  hold<T>(entrance: Entrance, mutation: Mutation, request: WriteRequest, change: (leave: () => void) => Promise<T>): Promise<T> {
    const entering = opening([entrance], [mutation], request)
    return this.writer.turns.hold(mutation, async (leave) => whenOpen(entering, () => change(leave)), request.cancellation)
  }

  /** As `one()`, by whoever holds the turn of the row, and its table is open. */
  held(mutation: Mutation, request: WriteRequest): MaybePromise<Row | undefined> {
    const { opened } = mutation.schema.indexes.length === 0 ? request : this.upkeep.one(mutation, { ...request, opened: undefined })
    return opened === undefined ? writeNow(this.writer, mutation, request) : opened().then(() => writeNow(this.writer, mutation, request))
  }

  /** Waits before a write is tried again; false if it should not be. */
  backOff(attempt: number, request: WriteRequest): Promise<boolean> {
    return backOff(this.writer, attempt, request)
  }
}
