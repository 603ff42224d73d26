// Also tested by packages/rowkey/test/mapper/exact-index.test.ts.
import { isRowkeyError, type Row } from '#codec'
import type { TableIndex, TableSchema } from '#model'
import { isExact } from '#model/internal'
import { applied, failed, inTime, isExpired, isPromise, unprocessed, type Mutation, type Outcome, type ReadOptions } from '#store/adapter'
import {
  backOff,
  entryOf,
  getRows,
  isOpenEnd,
  judge,
  outcomeError,
  overError,
  rowKeyOf,
  type WriteRequest,
  type Writer,
} from '#store/engine'
import { writeAtomicNow, type Refusal } from '#store/write'
import { newUlid } from '../rows/ulid.js'
import { contendedFactor, sameRow } from './same-row.js'
import { isDropped } from './dropped-index.js'
import { changesEntries, EntryChanges, equal, guarded, rowAfter, violation, type Holders, type Part } from './entry-changes.js'
import type { TableCache } from './table-cache.js'

/** How many rows of one call are written at a time. */
const parallel = 16

/** What became of writes that were sent together: the rows after them, or why none was applied. */
export type Written = { readonly rows: readonly (Row | undefined)[] } | Refusal

/**
 * Writes rows together with the entries of their indexes, all or none: reads a row, computes what a write makes of it, and sends that with the entries
 * that change, on the condition that the row is still the same. So no entry is ever without its row, and two rows never have the same entry.
 */
export class ExactWrites {
  private readonly writer: Writer
  private readonly tables: TableCache

  constructor(writer: Writer, tables: TableCache) {
    this.writer = writer
    this.tables = tables
  }

  /** One mutation, by whoever holds the turn of its row. Its table is open. */
  async one(mutation: Mutation, request: WriteRequest): Promise<Row | undefined> {
    const outcome = await this.outcome(mutation, request)
    if (outcome.kind === 'applied') return outcome.row
    const { cancellation } = request
    if (cancellation?.isOver === true && isOpenEnd(outcome)) throw overError(cancellation, [mutation], [outcome])
    throw outcomeError(mutation, outcome)
  }

  /** The outcome of each, those of one row in their order. Each is written alone, with its entries. All take their turns now. */
  async each(mutations: readonly Mutation[], request: WriteRequest): Promise<readonly Outcome[]> {
    const { cancellation, opened, acknowledged } = request
    const slots = new Slots(parallel)
    const write = async (mutation: Mutation): Promise<Outcome> => {
      await opened?.()
      return slots.run(async () => {
        try {
          return await this.outcome(mutation, request)
        } catch (error) {
          if (cancellation?.isOver === true && error === cancellation.reason) throw error
          return failed(error) // of a read: nothing was sent
        } finally {
          acknowledged?.()
        }
      })
    }
    const answers = mutations.map((mutation) => this.writer.turns.hold(mutation, async () => write(mutation), cancellation))
    return Promise.all(answers)
  }

  /** All of them or none, with the entries of those whose tables are exact, by whoever holds the turns of the rows. Their tables are open. */
  async atomic(mutations: readonly Mutation[], token: string, request: WriteRequest): Promise<Written> {
    const { cancellation } = request
    const patient = { ...request, attempts: request.attempts * contendedFactor }
    for (let [attempt, sent] = [1, token]; ; attempt++, sent = newUlid(request.now)) {
      try {
        const written = await this.attempt(mutations, sent, request, attempt > 1)
        if (written !== undefined) return written
      } catch (error) {
        // It comes from a read: what was sent before was refused.
        if (cancellation?.isLate !== true || error !== cancellation.reason) throw error
        return { outcome: unprocessed, isOver: true }
      }
      if (!(await backOff(this.writer, attempt, patient))) return { outcome: unprocessed, isOver: cancellation?.isOver === true }
    }
  }

  /** Puts the entries of rows that have none, and ends when no write is under way. @throws RowkeyError `UNIQUE_VIOLATION` */
  async enterAll(index: TableIndex, schema: TableSchema, rows: readonly Row[], request: WriteRequest): Promise<void> {
    const { cancellation } = request
    const slots = new Slots(parallel)
    let hasFailed = false
    const enter = async (mutation: Mutation): Promise<void> => {
      if (hasFailed) return
      try {
        await this.writer.turns.hold(mutation, async () => this.enter(index, mutation, request), cancellation)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
    const entered = await Promise.allSettled(
      rows.map(async (row) => slots.run(async () => enter({ kind: 'update', schema, row: row.slice(0, schema.keyLength), set: [] }))),
    )
    const failure = entered.find((each) => each.status === 'rejected')
    if (failure !== undefined) throw failure.reason
  }

  /** Puts the entry of a row that has none, if the row still is as it was when this reads it. @throws RowkeyError `UNIQUE_VIOLATION` */
  private async enter(index: TableIndex, mutation: Mutation, request: WriteRequest): Promise<void> {
    const { schema } = mutation
    const patient = { ...request, attempts: request.attempts * contendedFactor }
    const enterOnce = async (): Promise<Refusal | undefined> => {
      const found = await this.found(mutation, request)
      const entry = found === undefined ? undefined : entryOf(index, found)
      if (found === undefined || entry === undefined) return undefined
      const key = entry.slice(0, index.schema.keyLength)
      const other = await this.found({ schema: index.schema, row: key }, request)
      if (other !== undefined && !isOwn(schema, index, other, mutation.row)) throw violation(index, schema, mutation, key)
      const row = index.schema.versionIndex < 0 ? entry : [...entry, newUlid(request.now)]
      // Without the version that the row has: found again after a lost answer, that would look like the version of this write.
      const asFound: Mutation = { kind: 'update', schema, row: mutation.row, set: [], conditions: sameRow(schema, found) }
      const put: Mutation = { kind: other === undefined ? 'insert' : 'put', schema: index.schema, row }
      return writeAtomicNow(this.writer, [asFound, put], newUlid(request.now), request)
    }
    for (let attempt = 1; ; attempt++) {
      const refusal = await enterOnce()
      if (refusal === undefined) return
      const isLost = refusal.outcome.kind === 'conflict' || refusal.outcome.kind === 'missing'
      if (!isLost || !(await backOff(this.writer, attempt, patient))) throw outcomeError(mutation, refusal.outcome)
    }
  }

  private async outcome(mutation: Mutation, request: WriteRequest): Promise<Outcome> {
    const written = await this.atomic([mutation], newUlid(request.now), request)
    if ('outcome' in written) return written.outcome
    const [row] = written.rows
    return row === undefined ? applied : { kind: 'applied', row }
  }

  /**
   * Undefined if a row has changed since it was read here.
   *
   * @param isAgain whether who has the entries that are left is read, too
   */
  private async attempt(
    mutations: readonly Mutation[],
    token: string,
    request: WriteRequest,
    isAgain: boolean,
  ): Promise<Written | undefined> {
    const isRead = ({ schema, kind }: Mutation): boolean => kind !== 'insert' && isExact(schema)
    const found = await Promise.all(mutations.map(async (each) => (isRead(each) ? this.found(each, request) : undefined)))
    const parts: Part[] = []
    const rows: (Row | undefined)[] = []
    const holders = isAgain ? await this.holdersOf(mutations, found, request) : undefined
    const changes = new EntryChanges(request.now, holders)
    for (const [of, mutation] of mutations.entries()) {
      const verdict = isExact(mutation.schema) && changesEntries(mutation) ? judge(mutation, found[of]) : undefined
      if (verdict?.kind === 'outcome') return { at: of, outcome: verdict.outcome }
      const sent = verdict === undefined ? mutation : guarded(mutation, verdict, found[of])
      if (sent !== undefined) parts.push({ mutation: sent, of })
      if (verdict === undefined) continue
      rows[of] = rowAfter(verdict, found[of])
      for (const index of await this.kept(mutation.schema, request)) {
        const other = changes.add(index, of, found[of], rows[of])
        if (other !== undefined) return refused(index, mutation, of, other.mutation.row)
      }
    }
    parts.push(...changes.parts)
    if (parts.length === 0) return { rows }
    const refusal = await writeAtomicNow(this.writer, parts.map(({ mutation }) => mutation), token, request) // prettier-ignore
    if (refusal === undefined) return { rows }
    if (refusal.at === undefined) return refusal
    const part = parts[refusal.at] as Part
    const { index, of } = part
    const given = mutations[of] as Mutation
    if (index !== undefined) return this.entryRefusal({ ...part, index }, mutations, found, refusal.outcome, request)
    const isLost = isConflict(refusal.outcome) && part.mutation !== given && given.kind !== 'insert'
    return isLost ? undefined : { at: of, outcome: refusal.outcome }
  }

  /** Why an entry was not written; undefined if that is to be tried again. */
  private async entryRefusal(
    { index, mutation, of }: Part & { readonly index: TableIndex },
    mutations: readonly Mutation[],
    found: readonly (Row | undefined)[],
    outcome: Outcome,
    request: WriteRequest,
  ): Promise<Refusal | undefined> {
    const given = mutations[of] as Mutation
    if (isConflict(outcome)) {
      if (mutation.kind !== 'insert') return undefined
      // The entry may be that of the row itself, if somebody else has written it since it was read. A store need not say that the row has changed, too.
      const now = await Promise.all(mutations.map(async (each) => (isExact(each.schema) ? this.found(each, request) : undefined)))
      const isUnlike = now.some((row, at) => !sameValues(row, found[at]))
      return isUnlike ? undefined : refused(index, given, of, mutation.row)
    }
    if (outcome.kind === 'failed' && isRowkeyError(outcome.cause, 'TABLE_NOT_FOUND')) {
      this.tables.forget(given.schema)
      this.tables.forget(index.schema)
      try {
        await this.kept(given.schema, request)
        return undefined // it was dropped, and perhaps made again
      } catch (error) {
        if (!isRowkeyError(error, 'TABLE_NOT_FOUND')) throw error
      }
    }
    return { at: of, outcome }
  }

  /** Reads who has the entries that rows have in unique indexes. A row that has none gets it, if nobody else has it. */
  private async holdersOf(mutations: readonly Mutation[], found: readonly (Row | undefined)[], request: WriteRequest): Promise<Holders> {
    const known = new Map<Row, Map<TableIndex, ReturnType<Holders>>>()
    for (const [of, { schema, row }] of mutations.entries()) {
      const before = found[of]
      if (before === undefined || !isExact(schema)) continue
      const holders = new Map<TableIndex, ReturnType<Holders>>()
      known.set(before, holders)
      for (const index of await this.kept(schema, request)) {
        const entry = index.unique ? entryOf(index, before) : undefined
        if (entry === undefined) continue
        const held = { schema: index.schema, row: entry }
        const mutation: Mutation = { kind: 'update', schema, row: row.slice(0, schema.keyLength), set: [] }
        let holder = await this.found(held, request)
        if (holder === undefined) {
          await this.enter(index, mutation, request).catch((error: unknown) => {
            if (!isRowkeyError(error, 'UNIQUE_VIOLATION')) throw error
          })
          holder = await this.found(held, request)
        }
        if (holder !== undefined) holders.set(index, { isOwn: isOwn(schema, index, holder, row), entry: holder })
      }
    }
    return (index, before) => known.get(before)?.get(index)
  }

  private async found({ schema, row }: Pick<Mutation, 'schema' | 'row'>, { now, cancellation }: WriteRequest): Promise<Row | undefined> {
    const opening = this.tables.get(schema)
    const { store } = isPromise(opening) ? await inTime(cancellation, opening) : opening
    const read: ReadOptions = cancellation === undefined ? { consistency: 'strong' } : { consistency: 'strong', cancellation }
    const [found] = await getRows(schema, store, [row.slice(0, schema.keyLength)], read)
    return found === undefined || isExpired(schema, found, now) ? undefined : found
  }

  /** The indexes of a table that were not dropped, whose own tables are open. */
  private async kept(schema: TableSchema, { cancellation }: WriteRequest): Promise<readonly TableIndex[]> {
    const kept: TableIndex[] = []
    for (const index of schema.indexes) {
      if (await isDropped(this.tables, schema, index, cancellation)) continue
      try {
        const opening = this.tables.get(index.schema)
        if (isPromise(opening)) await inTime(cancellation, opening)
        kept.push(index)
      } catch (error) {
        if (!isRowkeyError(error, 'TABLE_NOT_FOUND') || !(await isDropped(this.tables, schema, index, cancellation, true))) throw error
      }
    }
    return kept
  }
}

const isConflict = ({ kind }: Outcome): boolean => kind === 'conflict' || kind === 'missing'

/** Whether an entry names the row. @param row its key, or more */
const isOwn = (schema: TableSchema, index: TableIndex, entry: Row, row: Row): boolean =>
  schema.layout.compareRows(rowKeyOf(schema, index, entry), row) === 0

const sameValues = (a: Row | undefined, b: Row | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && a.every((value, at) => equal(value, b[at])))

const refused = (index: TableIndex, mutation: Mutation, at: number, entry: Row): Refusal => ({
  at,
  outcome: failed(violation(index, mutation.schema, mutation, entry)),
})

/** Runs some at a time, in their order. */
class Slots {
  private free: number
  private readonly waiting: (() => void)[] = []

  constructor(count: number) {
    this.free = count
  }

  async run<T>(use: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--
    else await new Promise<void>((resolve) => this.waiting.push(resolve))
    try {
      return await use()
    } finally {
      const next = this.waiting.shift()
      if (next === undefined) this.free++
      else next()
    }
  }
}
