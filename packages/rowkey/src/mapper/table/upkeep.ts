// Tested by packages/rowkey/test/mapper/index-interleavings.test.ts and index-expiry.test.ts.
import { isRowkeyError, type Row } from '#codec'
import type { TableIndex, TableSchema } from '#model'
import { failed, unprocessed, type Cancellation, type Mutation, type Outcome } from '#store/adapter'
import { entryOf, outcomeError, overError, writeError, type WriteRequest, type Writer } from '#store/engine'
import { writeEach } from '#store/write'
import { beforeWriting } from '../call/cancellation.js'
import { newUlid } from '../rows/ulid.js'
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

  /** A write of one row, after its entries. */
  one(mutation: Mutation, request: WriteRequest): WriteRequest {
    return this.first([mutation], request, (outcome) => {
      const { cancellation } = request
      return cancellation?.isOver === true && outcome.kind === 'unprocessed'
        ? overError(cancellation, [mutation], [outcome])
        : outcomeError(mutation, outcome)
    })
  }

  /** A write of many rows, after the entries of all. If some entries cannot be written, no row is. */
  many(mutations: readonly Mutation[], request: WriteRequest, indexes?: readonly number[]): WriteRequest {
    const refusing: Refusing = (outcome) => writeError(mutations, mutations.map(() => outcome), request, indexes) // prettier-ignore
    return this.first(mutations, request, refusing)
  }

  /** In the turns of the rows, so that the writes of one row stay in the order of their calls. */
  private first(mutations: readonly Mutation[], request: WriteRequest, refusing: Refusing): WriteRequest {
    if (!mutations.some(needsEntries)) return request
    return {
      ...request,
      opened: async () => {
        await request.opened?.()
        await this.keep(mutations, request, refusing)
      },
    }
  }

  private async keep(mutations: readonly Mutation[], request: WriteRequest, refusing: Refusing): Promise<void> {
    const { attempts, cancellation } = request
    // The call may have begun long ago: it waits for its turn, and a load goes on for as long as its source.
    const now = this.clock()
    for (const schema of new Set(mutations.map((each) => each.schema))) {
      for (const index of schema.indexes) {
        const rows = mutations.flatMap((each) => (each.schema === schema ? rowsForEntries(index, each) : []))
        const entries = entriesOf(index, rows, now)
        if (entries.length === 0 || (await this.isDropped(schema, index, cancellation))) continue
        const outcome = await this.put(index, entries, { attempts, now, cancellation })
        if (outcome === undefined || (isGone(outcome) && (await this.isDropped(schema, index, cancellation, true)))) continue
        throw refusing(outcome)
      }
    }
  }

  /** Why not all entries are written, which says nothing worse of their rows than that they were not sent; undefined if they are. */
  private async put(index: TableIndex, entries: readonly Mutation[], request: WriteRequest): Promise<Outcome | undefined> {
    try {
      const opening = this.tables.get(index.schema)
      if ('then' in opening) await beforeWriting(request.cancellation, opening)
    } catch (error) {
      if (isRowkeyError(error, 'TABLE_NOT_FOUND')) return failed(error)
      throw error
    }
    const outcomes = await writeEach(this.writer, entries, request)
    const lost = outcomes.find(({ kind }) => kind === 'failed') ?? outcomes.find(({ kind }) => kind !== 'applied')
    return lost === undefined || lost.kind === 'failed' ? lost : unprocessed
  }

  /** Whether nobody needs the entries any more. What says so is asked again each time, because another program may build the index again. */
  private async isDropped(
    schema: TableSchema,
    { name }: TableIndex,
    cancellation: Cancellation | undefined,
    isAsked = false,
  ): Promise<boolean> {
    if (isAsked || this.tables.peek(schema)?.catalog.indexes?.[name] === 'dropped') this.tables.forget(schema)
    const opening = this.tables.get(schema)
    if ('then' in opening) await beforeWriting(cancellation, opening)
    return this.tables.peek(schema)?.catalog.indexes?.[name] === 'dropped'
  }
}

const isGone = (outcome: Outcome): boolean => outcome.kind === 'failed' && isRowkeyError(outcome.cause, 'TABLE_NOT_FOUND')

const needsEntries = (mutation: Mutation): boolean => mutation.schema.indexes.length > 0 && mutation.kind !== 'delete'

/** Puts of the entries of rows. Their version tells when they were put. */
export function entriesOf(index: TableIndex, rows: readonly Row[], now: number): readonly Mutation[] {
  const { schema } = index
  return rows.flatMap((row): readonly Mutation[] => {
    const entry = entryOf(index, row)
    if (entry === undefined) return []
    return [{ kind: 'put', schema, row: schema.versionIndex < 0 ? entry : [...entry, newUlid(now)] }]
  })
}
