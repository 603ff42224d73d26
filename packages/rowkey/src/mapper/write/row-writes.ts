// Tested by writes.test.ts.
import { isRowkeyError, type Row } from '#codec'
import { reworded } from '#codec/internal'
import { inTime, isPromise, type Cancellation, type MaybePromise, type Mutation } from '#store/adapter'
import { andThen, onlyCreates, type WriteRequest } from '#store/engine'
import { beforeWriting } from '../call/cancellation.js'
import { eachOf } from '../rows/each-of.js'
import { missingRow } from '../rows/missing.js'
import { rowNow } from '../table/read-rows.js'
import { opening } from '../table/entrance.js'
import type { TableHandle } from '../table/table-handle.js'
import { Preparer } from './prepare.js'
import {
  checkWriteOptions,
  noOptions,
  plainRules,
  requestOf,
  type ChangeOptions,
  type PutOptions,
  type WriteOptions,
  type WrittenMany,
} from './write-options.js'

type Given = Readonly<Record<string, unknown>>

/** The turn of a row among the writes of it. */
export interface HeldTurn {
  /** The answer of code of the application. It could wait for a write of the row, so the turn is left if it is asynchronous. */
  outside<T>(answer: MaybePromise<T>, cancellation: Cancellation | undefined): MaybePromise<T>
  send(mutation: Mutation, request: WriteRequest): MaybePromise<Row | undefined>
}

/** The writes of a repository: prepares, checks and sends. Throws what is refused. */
export class RowWrites {
  readonly handle: TableHandle
  readonly preparer: Preparer

  constructor(handle: TableHandle) {
    this.handle = handle
    this.preparer = new Preparer(handle)
  }

  insertOrPut(kind: 'insert' | 'put', given: Given, options: PutOptions): MaybePromise<object> {
    const now = this.handle.mapper.clock()
    return this.writeChecked(this.preparer.prepareRow(kind, given, options, now), this.request(kind, options, now))
  }

  delete(key: Given, options: ChangeOptions): MaybePromise<void> {
    const { mapper } = this.handle
    const sent = mapper.sender.one(this.handle, this.preparer.prepareDelete(key, options), this.request('delete', options, mapper.clock()))
    return andThen(sent, () => undefined)
  }

  async deleteMany(keys: readonly Given[], options: WriteOptions): Promise<WrittenMany> {
    checkWriteOptions('deleteMany', options, plainRules)
    const mutations = eachOf('deleteMany()', keys, (key) => this.preparer.prepareDelete(key, noOptions))
    await this.sendAll(mutations, this.request('deleteMany', options, this.handle.mapper.clock()))
    return { rows: mutations.length }
  }

  /** Reads and changes the row of a mutation, by `turn.send`, before those writes of it that are called later. */
  async inTurn<T>(mutation: Mutation, given: WriteRequest, change: (turn: HeldTurn) => Promise<T>): Promise<T> {
    const { handle } = this
    const { sender } = handle.mapper
    const held = async (leave: () => void): Promise<T> => {
      let [isHeld, isSent] = [true, false]
      const turn: HeldTurn = {
        outside: (answer, cancellation) => {
          if (!isThenable(answer)) return answer
          isHeld = false
          leave()
          return inTime(cancellation, Promise.resolve(answer))
        },
        send: (part, sending) => {
          isSent = true
          return isHeld ? sender.held(part, sending) : sender.one(handle, part, sending)
        },
      }
      try {
        return await change(turn)
      } catch (error) {
        const { cancellation } = given
        if (!isSent && cancellation?.isLate === true && error === cancellation.reason) await sender.held(mutation, given) // says that it was not sent
        throw error
      }
    }
    return sender.hold(handle, mutation, given, held)
  }

  request(method: string, options: WriteOptions, now: number): WriteRequest {
    return requestOf(options, now, this.handle.mapper, method, this.handle.name)
  }

  /**
   * Waits for the table; undefined if it is open. If a deadline passes first, the write reports it and says that nothing was sent.
   */
  opened(request: WriteRequest): MaybePromise<void> {
    return opening([this.handle], [], request).opened?.()
  }

  /** What a write resolves to. @param after the row after it, for a write that leaves the version of an existing row as it is */
  written(mutation: Mutation, after?: Row): object {
    const { row, kind } = mutation
    const key = this.handle.rows.keyOf(row)
    const { versionIndex } = this.handle.schema
    if (versionIndex < 0 || kind === 'delete') return { key }
    const version = onlyCreates(mutation) ? after?.[versionIndex] : row[versionIndex]
    return version === undefined || version === null ? { key } : { key, version }
  }

  /** Checks what a mutation writes, sends it, and says what was written. */
  writeChecked(mutation: Mutation, request: WriteRequest): MaybePromise<object> {
    const checking = this.preparer.check(mutation)
    const { handle } = this
    const sent = checking === undefined ? handle.mapper.sender.one(handle, mutation, request) : this.sendAfter(checking, mutation, request)
    const returns = mutation.kind === 'update' && mutation.returns === true
    if (!returns && !(this.handle.schema.versionIndex >= 0 && onlyCreates(mutation))) {
      return isPromise(sent) ? sent.then(() => this.written(mutation)) : this.written(mutation)
    }
    return andThen(sent, (row) =>
      andThen(row ?? this.rowAfter(mutation, request), (now) => (returns ? this.writtenRow(mutation, now) : this.written(mutation, now))),
    )
  }

  /** What a write that returns the row resolves to. */
  writtenRow(mutation: Mutation, row: Row): object {
    try {
      return { ...this.written(mutation, row), row: this.handle.rows.toObject(row) }
    } catch (error) {
      throw afterChange(error)
    }
  }

  /** For a store that does not say what the row is after a write, or whose answer was lost: the row as it is now. */
  private async rowAfter({ schema, row: given }: Mutation, { cancellation }: WriteRequest): Promise<Row> {
    const key = given.slice(0, schema.keyLength)
    const row = await readAfterChange(async () => rowNow(this.handle, key, cancellation))
    if (row !== undefined) return row
    throw missingRow(schema.name, this.handle.rows.keyOf(key), 'It was written, and somebody else has deleted it since')
  }

  /** Nothing starts before `ready`, because a promise that nobody waits for yet could reject unhandled. */
  private async sendAfter(ready: Promise<unknown>, mutation: Mutation, request: WriteRequest): Promise<Row | undefined> {
    await beforeWriting(request.cancellation, ready)
    return this.handle.mapper.sender.one(this.handle, mutation, request)
  }

  async sendAll(mutations: readonly Mutation[], request: WriteRequest): Promise<void> {
    if (mutations.length > 0) return this.handle.mapper.sender.many([this.handle], mutations, request)
    await this.opened(request)
    request.cancellation?.throwIfOver()
  }
}

/** What code of the application returned. A row may have a column of this name. */
const isThenable = (answer: unknown): answer is PromiseLike<never> =>
  ((typeof answer === 'object' && answer !== null) || typeof answer === 'function') &&
  typeof (answer as { then?: unknown }).then === 'function'

/** A row that the model cannot hold is changed as any other, but cannot be returned. Whoever asked for it must not take that for a refusal. */
async function readAfterChange<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw afterChange(error)
  }
}

function afterChange(error: unknown): unknown {
  return isRowkeyError(error, 'UNREADABLE_ROW')
    ? reworded(error, { after: ' The change was made. Only its row cannot be returned.' })
    : error
}
