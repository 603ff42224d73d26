// Tested by read-ranges.test.ts and conformance.test.ts.
import type { Cancellation, ReadOptions, Row } from 'rowkey/adapter'
import { PageStates, type NativeRow } from '../client/answers.js'
import { int64 } from '../client/native-bytes.js'
import type { TableContext } from '../context.js'
import { isOverTombstones } from '../errors.js'
import { isById } from '../keys.js'
import type { TokenRange } from '../splits.js'
import { rangesOf, wholePartition, type KeyRange } from './key-range.js'
import { firstShare, readRanges, type RangeReading } from './read-ranges.js'

/** What a walk reads, and where it begins. */
export interface Walk {
  readonly table: TableContext
  /** The columns of the SELECT, those of the key among them. */
  readonly columns: string
  readonly keyOf: (native: NativeRow) => Row
  /** Only rows after this one. */
  readonly after: Row | undefined
  readonly range: TokenRange | undefined
  readonly consistency: ReadOptions['consistency']
  readonly cancellation: Cancellation | undefined
}

/** Some rows of a walk, at least one. */
export interface Step {
  readonly rows: readonly NativeRow[]
  readonly calls: number
  /** What was asked for at last, if the server has refused more. */
  readonly fitting: number | undefined
}

interface Tokens {
  readonly above: bigint
  readonly upTo: bigint
  /** Where to continue, after a page without rows that was not the last. */
  readonly place?: { readonly pageState: string; readonly pageStates: PageStates }
}

const [firstToken, lastToken] = [-(2n ** 63n), 2n ** 63n - 1n]
/** Refusals between two rows after which a walk gives up. */
const maxRefusals = 1024

/**
 * All rows of a table or of a range of tokens, partition by partition in the order of their tokens. It follows the paging state of one statement
 * until the server refuses a page. From then on it reads ranges of tokens, which it cuts until the server accepts them, and a partition that is too
 * much alone by ranges of its keys.
 */
export class TableWalk {
  private readonly walk: Walk
  private readonly pageStates: PageStates
  private pageState: string | undefined
  /** The row that was returned last. */
  last: Row | undefined
  /** Whether the rest of its partition is read next. */
  private isInPartition: boolean
  /** The whole partition that is read next, by any key in it. */
  private whole: Row | undefined
  /** Ranges that are left, the next one last; undefined while the server has refused nothing. */
  private left: Tokens[] | undefined
  private share = firstShare
  private isDone = false

  constructor(walk: Walk) {
    this.walk = walk
    this.pageStates = new PageStates(walk.table.schema.name)
    this.last = walk.after
    this.isInPartition = walk.after !== undefined
  }

  /** About `want` rows; undefined at the end. @throws RowkeyError `STORE_REFUSED`; the reason of the cancellation */
  async next(want: number): Promise<Step | undefined> {
    let [calls, refusals, limit] = [0, 0, want]
    const step = (rows: readonly NativeRow[], fitting: number | undefined): Step => {
      this.last = this.walk.keyOf(rows.at(-1) as NativeRow)
      return { rows, calls, fitting: refusals === 0 ? fitting : limit }
    }
    while (!this.isDone) {
      this.walk.cancellation?.throwIfOver()
      if (this.isInPartition || this.whole !== undefined) {
        const found = await this.ofPartition(limit)
        calls += found.calls
        if (found.rows.length > 0) return step(found.rows, found.fitting)
        continue
      }
      calls++
      try {
        const rows = this.left === undefined ? await this.ofStatement(limit) : await this.ofTokens(this.left, limit)
        if (rows.length > 0) return step(rows, undefined)
        if (refusals > 0) this.share = 2
      } catch (error) {
        if (!isOverTombstones(error) || ++refusals > maxRefusals) throw error
        limit = Math.max(1, limit >> 3)
        calls += await this.afterRefusal(error)
      }
    }
    return undefined
  }

  close(): void {
    this.isDone = true
  }

  /** The next page of the one statement. */
  private async ofStatement(want: number): Promise<readonly NativeRow[]> {
    const { table, after, range, columns, consistency } = this.walk
    const { above, upTo } = range ?? {}
    const from = after === undefined ? (above === undefined ? undefined : 'token') : 'partition'
    const query = table.statements.all(columns, from, upTo !== undefined)
    const params = [
      ...(after === undefined ? (above === undefined ? [] : [int64(above)]) : this.partitionBytes(after)),
      ...(upTo === undefined ? [] : [int64(upTo)]),
    ]
    const page = this.pageState === undefined ? {} : { pageState: this.pageState }
    const answer = await table.read({ query, params }, consistency, { fetchSize: want, ...page })
    this.pageState = this.pageStates.after(answer)
    if (this.pageState === undefined) this.isDone = true
    return answer.rows
  }

  /** Rows of the next range of tokens. Its last partition may have more, and the rest of it is read before the range goes on. */
  private async ofTokens(left: Tokens[], want: number): Promise<readonly NativeRow[]> {
    const { table, columns, consistency, keyOf } = this.walk
    const range = left.at(-1)
    if (range === undefined) {
      this.isDone = true
      return []
    }
    const query = table.statements.all(columns, 'token', true)
    const params = [int64(range.above), int64(range.upTo)]
    const { pageState: from, pageStates = new PageStates(table.schema.name) } = range.place ?? {}
    const page = from === undefined ? {} : { pageState: from }
    const answer = await table.read({ query, params }, consistency, { fetchSize: want, ...page })
    left.pop()
    const pageState = pageStates.after(answer)
    if (pageState === undefined) return answer.rows
    const last = (answer.rows as unknown as readonly NativeRow[]).at(-1)
    if (last === undefined) {
      left.push({ ...range, place: { pageState, pageStates } })
      return []
    }
    this.isInPartition = true
    const above = this.tokenOf(keyOf(last))
    if (above < range.upTo) left.push({ above, upTo: range.upTo })
    return answer.rows
  }

  /** Makes the next range smaller. Resolves to the number of requests that this took. @throws the error if that is impossible */
  private async afterRefusal(error: unknown): Promise<number> {
    const { table, range } = this.walk
    if (this.left === undefined) {
      if (!(await table.session.hasTokens(table.schema.name))) throw error
      const above = this.last === undefined ? (range?.above ?? firstToken) : this.tokenOf(this.last)
      const upTo = range?.upTo ?? lastToken
      this.left = above < upTo ? [{ above, upTo }] : []
      this.isInPartition = this.last !== undefined
      return 1
    }
    const { above, upTo } = this.left.pop() as Tokens
    const width = upTo - above
    if (width > 1n) {
      const cut = above + (width / BigInt(this.share) || 1n)
      this.left.push({ above: cut, upTo }, { above, upTo: cut })
      return 0
    }
    // The key of the partition is not known, but that of any row in it says it.
    const found = await readRanges(this.reading({ params: [int64(upTo)], isToken: true }), [wholePartition], 1)
    const [first] = found.rows
    if (first !== undefined) this.whole = this.walk.keyOf(first)
    return found.calls
  }

  /** Rows of one partition: all of them, or those after the last row. */
  private async ofPartition(want: number): Promise<Awaited<ReturnType<typeof readRanges>>> {
    const key = this.whole ?? this.last
    if (key === undefined) throw new TypeError('a partition is read by a row of it')
    const ranges = this.whole === undefined ? this.rangesAfter(key) : [wholePartition]
    const found = await readRanges(this.reading({ params: this.partitionBytes(key), isToken: false }), ranges, want)
    this.whole = undefined
    this.isInPartition = found.more
    return found
  }

  private rangesAfter(key: Row): readonly KeyRange[] {
    const { schema, keys } = this.walk.table
    if (isById(schema)) return []
    const from = { prefix: key.slice(0, schema.keyLength), edge: 'after' } as const
    const to = { prefix: key.slice(0, schema.partitionLength), edge: 'after' } as const
    return rangesOf(schema, keys, { bucket: schema.layout.bucketOf(key), from, to, reverse: false })
  }

  private reading(place: RangeReading['place']): RangeReading {
    const { table, columns, consistency, cancellation } = this.walk
    return { table, columns, place, reverse: false, consistency, cancellation }
  }

  private partitionBytes(key: Row): Buffer[] {
    const { table } = this.walk
    return table.keyBytes(key, table.schema.partitionLength)
  }

  private tokenOf(key: Row): bigint {
    return this.walk.table.session.tokenOf(this.partitionBytes(key))
  }
}
