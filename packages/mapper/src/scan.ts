import type { Row } from '@rowkey/codec'
import type { Explanation, Query } from '@rowkey/store'
import type { Scan, ScanPage } from './scan-types.js'
import { isRowkeyError, RowkeyError } from '@rowkey/codec'
import { compileQuery, explain } from '@rowkey/store'
import { observed, stopwatch } from './call-event.js'
import { forgettingLostTable } from './forget-lost-table.js'
import { FeedIterator } from './feed-iterator.js'
import { checkScanOptions, type AnyScanOptions } from './scan-options.js'
import { readingOf, startRun, type ScanContext, type Watch } from './scan-run.js'
import { ScanSteps } from './scan-steps.js'

const defaultPage = 100

/** @internal */
export class RepositoryScan implements Scan<object> {
  private readonly context: ScanContext
  private readonly query: () => Query
  private readonly options: AnyScanOptions

  /** Takes predicate and options as they are now: what the caller does with the objects later plays no part. */
  constructor(context: ScanContext, where: Readonly<Record<string, unknown>>, options: AnyScanOptions) {
    this.context = context
    this.options = {
      ...options,
      ...(Array.isArray((options as AnyScanOptions | null)?.select) ? { select: [...(options.select as readonly PropertyKey[])] } : {}),
    }
    this.query = compiled(() => {
      checkScanOptions(options)
      return context.query(where, options)
    })
  }

  page(): Promise<ScanPage<object>> {
    const run = async (watch: Watch): Promise<ScanPage<object>> => {
      const limit = this.options.limit ?? defaultPage
      const { run, toObject, cursorAt } = await startRun(this.context, this.query(), limit, this.options, watch)
      const { rows, position, stop } = await run.take(limit)
      run.close()
      const page = { rows: rows.map(toObject), stop, stats: run.stats }
      return stop === 'exhausted' ? page : { ...page, cursor: await cursorAt(position) }
    }
    return this.observed('scan.page', run, (page) => page.rows.length)
  }

  toArray(): Promise<object[]> {
    const run = async (watch: Watch): Promise<object[]> => {
      const all: object[] = []
      await this.each(this.options, watch, (rows, steps) => {
        for (const row of rows) all.push(steps.toObject(row))
      })
      return all
    }
    return this.observed('scan.toArray', run, (rows) => rows.length)
  }

  count(): Promise<number> {
    const run = async (watch: Watch): Promise<number> => {
      let count = 0
      await this.each(this.keysOnly(), watch, (rows) => void (count += rows.length))
      return count
    }
    return this.observed('scan.count', run, (count) => count)
  }

  deleteAll(): Promise<number> {
    const run = async (watch: Watch): Promise<number> => {
      let count = 0
      await this.each(this.keysOnly(), watch, async (rows, steps) => {
        await steps.remove(rows)
        count += rows.length
      })
      return count
    }
    return this.observed('scan.deleteAll', run, (count) => count)
  }

  explain(): Explanation {
    return explain(this.query(), this.options.filter !== undefined)
  }

  [Symbol.asyncIterator](): FeedIterator<Row, object> {
    const { onCall, name } = this.context
    const watch: Watch = {}
    const report =
      onCall === undefined ? undefined : stopwatch(onCall, { table: name, method: 'scan.iterate', reading: () => readingOf(watch) })
    const steps = new ScanSteps(this.context, this.query, this.options, watch)
    return new FeedIterator<Row, object>({
      next: () => steps.next(),
      give: (row) => {
        this.options.signal?.throwIfAborted() // rows may be here already
        return steps.toObject(row)
      },
      close: (rows, end) => {
        steps.close()
        if (isRowkeyError(end.error, 'TABLE_MISSING')) this.context.forget()
        report?.(rows, end)
      },
    })
  }

  /** Value columns are not needed, unless a filter looks at them. */
  private keysOnly(): AnyScanOptions {
    return this.options.filter === undefined ? { ...this.options, select: [] } : this.options
  }

  private async each(
    options: AnyScanOptions,
    watch: Watch,
    use: (rows: readonly Row[], steps: ScanSteps) => void | Promise<void>,
  ): Promise<void> {
    const steps = new ScanSteps(this.context, this.query, options, watch)
    try {
      for (let rows = await steps.next(); rows.length > 0; rows = await steps.next()) await use(rows, steps)
    } finally {
      steps.close()
    }
  }

  private observed<T>(method: string, run: (watch: Watch) => Promise<T>, rows: (result: T) => number): Promise<T> {
    const { onCall, name } = this.context
    const watch: Watch = {}
    return observed(onCall, { table: name, method, rows, reading: () => readingOf(watch) }, () =>
      forgettingLostTable(this.context, () => run(watch)),
    )
  }
}

/** Compiles at once; a refusal waits for whoever asks, because making a scan never throws. */
function compiled(compile: () => Query): () => Query {
  try {
    const query = compile()
    return () => query
  } catch (error) {
    return () => {
      throw error
    }
  }
}

/** Compiles queries of one table for one adapter. */
export function queryCompiler(
  table: { readonly schema: Query['schema'] },
  adapter: { readonly name: string; readonly capabilities: { readonly reverse: boolean } },
): ScanContext['query'] {
  return (where, options) => {
    const query = compileQuery(table.schema, where, options)
    if (query.reverse && query.plan.kind === 'scan' && !adapter.capabilities.reverse) {
      const { name } = table.schema
      throw new RowkeyError(
        'STORE_LACKS',
        `${adapter.name} cannot scan '${name}' backwards. Turn the key column with desc(), or sort in code.`,
        { table: name, capability: 'reverse', adapter: adapter.name },
      )
    }
    return query
  }
}
