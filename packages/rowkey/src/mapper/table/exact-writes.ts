// Tested by packages/rowkey/test/mapper/exact-index.test.ts.
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
import { sameRow } from '../write/same-row.js'
import { changesEntries, EntryChanges, guarded, rowAfter, violation, type Part } from './entry-changes.js'
import type { TableCache } from './table-cache.js'

/** How many rows of one call are written at a time. */
const parallel = 16

/** How many times as often a write is tried that only others have hindered. */
const contendedFactor = 8

/** What became of writes that were sent together: the rows after them, or why none was applied. */
type Written = { readonly rows: readonly (Row | undefined)[] } | Refusal

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

  /** The outcome of each, those of one row in their order. Each is written alone, with its entries. */
  async each(mutations: readonly Mutation[], request: WriteRequest): Promise<readonly Outcome[]> {
    const { cancellation, opened, acknowledged } = request
    const outcomes: Outcome[] = []
    let next = 0
    const work = async (): Promise<void> => {
      for (let at = next++; at < mutations.length; at = next++) {
        const mutation = mutations[at] as Mutation
        const write = async (): Promise<Outcome> => {
          await opened?.()
          return this.outcome(mutation, request)
        }
        outcomes[at] = await this.writer.turns.hold(mutation, write, cancellation)
        acknowledged?.()
      }
    }
    await Promise.all(Array.from({ length: Math.min(parallel, mutations.length) }, work))
    return outcomes
  }

  /** All of them or none, with the entries of those whose tables are exact. */
  async atomic(mutations: readonly Mutation[], token: string, request: WriteRequest): Promise<Written> {
    const patient = { ...request, attempts: request.attempts * contendedFactor }
    for (let [attempt, sent] = [1, token]; ; attempt++, sent = newUlid(request.now)) {
      const written = await this.attempt(mutations, sent, request)
      if (written !== undefined) return written
      if (!(await backOff(this.writer, attempt, patient))) return { outcome: unprocessed, isOver: request.cancellation?.isOver === true }
    }
  }

  /** Puts the entry of a row that has none, if the row still is as it was when this reads it. @throws RowkeyError `UNIQUE_VIOLATION` */
  async enter(index: TableIndex, mutation: Mutation, request: WriteRequest): Promise<void> {
    const { schema } = mutation
    const patient = { ...request, attempts: request.attempts * contendedFactor }
    const enterOnce = async (): Promise<Refusal | undefined> => {
      const found = await this.found(mutation, request)
      const entry = found === undefined ? undefined : entryOf(index, found)
      if (found === undefined || entry === undefined) return undefined
      const key = entry.slice(0, index.schema.keyLength)
      const other = await this.found({ schema: index.schema, row: key }, request)
      const isOwn = other !== undefined && schema.layout.compareRows(rowKeyOf(schema, index, other), mutation.row) === 0
      if (other !== undefined && !isOwn) throw violation(index, schema, mutation, key)
      const row = index.schema.versionIndex < 0 ? entry : [...entry, newUlid(request.now)]
      const asFound: Mutation = { kind: 'update', schema, row: found, set: [], conditions: sameRow(schema, found) }
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

  /** Undefined if a row has changed since it was read here. */
  private async attempt(mutations: readonly Mutation[], token: string, request: WriteRequest): Promise<Written | undefined> {
    const isRead = ({ schema, kind }: Mutation): boolean => kind !== 'insert' && isExact(schema)
    const found = await Promise.all(mutations.map(async (each) => (isRead(each) ? this.found(each, request) : undefined)))
    const parts: Part[] = []
    const rows: (Row | undefined)[] = []
    const changes = new EntryChanges(request.now)
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
    return this.refusalOf(part, mutations[part.of] as Mutation, refusal.outcome)
  }

  /** Undefined if that is to be tried again. */
  private refusalOf({ index, mutation, of }: Part, given: Mutation, outcome: Outcome): Refusal | undefined {
    const isConflict = outcome.kind === 'conflict' || outcome.kind === 'missing'
    const isLost = isConflict && mutation !== given && given.kind !== 'insert'
    if (index === undefined) return isLost ? undefined : { at: of, outcome }
    if (isConflict) return refused(index, given, of, mutation.row)
    if (outcome.kind === 'failed' && isRowkeyError(outcome.cause, 'TABLE_NOT_FOUND')) this.tables.forget(given.schema)
    return { at: of, outcome }
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
    const open = async (table: TableSchema): Promise<void> => {
      const opening = this.tables.get(table)
      if (isPromise(opening)) await inTime(cancellation, opening)
    }
    await open(schema)
    const states = this.tables.peek(schema)?.catalog.indexes
    const kept = schema.indexes.filter(({ name }) => states?.[name] !== 'dropped')
    for (const index of kept) await open(index.schema)
    return kept
  }
}

const refused = (index: TableIndex, mutation: Mutation, at: number, entry: Row): Refusal => ({
  at,
  outcome: failed(violation(index, mutation.schema, mutation, entry)),
})
