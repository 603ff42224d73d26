import type { Row } from '#codec'
import type { ReadOptions } from '#store/adapter'
import { type Batch, fullScanPage, readCheckpoint, runFullScan, writeCheckpoint } from '#store/engine'
import type { ReadAll, ReadAllPage } from './scan-types.js'
import type { ScanDetails } from '../call/calls.js'
import type { TableHandle } from '../table/table-handle.js'
import { FeedIterator } from './feed-iterator.js'
import { checkSelect, columnsToRead, Reading, shapeOf, withoutValues, type Started } from './reading.js'
import { checkReadAllOptions, type AnyReadAllOptions } from './scan-options.js'

/** @internal */
export class RepositoryReadAll implements ReadAll<object> {
  private readonly handle: TableHandle
  private readonly options: AnyReadAllOptions
  private readonly refused: { readonly refusal: unknown } | undefined

  /** Copies the options as they are now. */
  constructor(handle: TableHandle, options: AnyReadAllOptions) {
    this.handle = handle
    this.options = {} // until they are checked: a text in place of options would be copied character by character
    // Creating a scan never throws: a refusal is thrown when the scan is used.
    try {
      checkReadAllOptions(options)
      this.options = { ...options }
      checkSelect(handle.rows, options)
    } catch (refusal) {
      this.refused = { refusal }
    }
  }

  pages(): FeedIterator<ReadAllPage<object>, ReadAllPage<object>> {
    const reading = this.reading(this.options)
    const next = async (): Promise<readonly ReadAllPage<object>[]> => {
      const batch = await reading.nextPage()
      return batch === undefined ? [] : [await pageOf(reading, batch)]
    }
    return this.iterator('readAll.pages', reading, next, (page) => page)
  }

  [Symbol.asyncIterator](): FeedIterator<Row, object> {
    const reading = this.reading(this.options)
    const give = (row: Row): object => {
      this.options.signal?.throwIfAborted() // rows may already be in memory
      return reading.toObject(row)
    }
    return this.iterator('readAll.iterate', reading, () => reading.next(), give)
  }

  toArray(): Promise<object[]> {
    const reading = this.reading(this.options)
    const run = async (): Promise<object[]> => {
      const all: object[] = []
      await reading.each((rows) => {
        for (const row of rows) all.push(reading.toObject(row))
      })
      return all
    }
    return this.handle.calls.run(
      'readAll.toArray',
      ({ length }) => length,
      run,
      () => detailsOf(reading),
    )
  }

  count(): Promise<number> {
    const reading = this.reading(withoutValues(this.options), true)
    const run = (): Promise<number> => reading.count()
    return this.handle.calls.run('readAll.count', Number, run, () => detailsOf(reading))
  }

  private iterator<T, R>(
    method: string,
    reading: Reading<readonly string[]>,
    next: () => Promise<readonly T[]>,
    give: (item: T) => R,
  ): FeedIterator<T, R> {
    const report = this.handle.calls.begin(method, () => detailsOf(reading))
    return new FeedIterator({
      next,
      give,
      close: (given, end) => {
        reading.close()
        report(given, end)
      },
    })
  }

  /** `isWhole`: what was read is returned at the end or never, so who continues with a checkpoint would miss it. */
  private reading(options: AnyReadAllOptions, isWhole = false): Reading<readonly string[]> {
    const { name } = this.handle
    const remedy = isWhole
      ? 'Use pages(), which can be continued, or allow more time.'
      : 'Continue with the checkpoint in details.cursor, or allow more time.'
    const start = (): Promise<Started<readonly string[]>> => this.start(options)
    return new Reading({ what: `readAll() of '${name}'`, table: name, remedy, batchRows: fullScanPage, start }, options)
  }

  private async start(options: AnyReadAllOptions): Promise<Started<readonly string[]>> {
    if (this.refused !== undefined) throw this.refused.refusal
    const { handle } = this
    const { schema, mapper } = handle
    const { name: adapter } = mapper.adapter
    const { checkpoint: given, parallel, consistency = 'strong' } = options
    const cancellation = handle.cancellation(options, 'readAll')
    cancellation?.signal?.throwIfAborted() // a deadline that has passed is reported with a checkpoint
    const checkpoints = given === undefined ? undefined : readCheckpoint(schema, adapter, await mapper.seal.verify(given, 'checkpoint'))
    const { select, accept, toObject } = shapeOf(handle.rows, options)
    const columns = select === undefined ? undefined : columnsToRead(schema.keyLength, select, [schema.expiryIndex])
    const read: ReadOptions = { consistency, columns, cancellation }
    const run = runFullScan(schema, () => handle.store(cancellation), {
      read,
      clock: mapper.clock,
      checkpoints,
      parallel,
      accept,
    })
    const cursorAt = (position: readonly string[] | undefined): Promise<string> =>
      mapper.seal.sign(writeCheckpoint(schema, adapter, position ?? checkpoints ?? whole))
    return { run, cancellation, toObject, cursorAt }
  }
}

/** The checkpoint of the start. */
const whole: readonly string[] = Object.freeze([''])

async function pageOf(reading: Reading<readonly string[]>, { rows, position }: Batch<readonly string[]>): Promise<ReadAllPage<object>> {
  const checkpoint = await reading.cursorAt(position, rows.length)
  return { rows: rows.map((row) => reading.toObject(row)), checkpoint, stats: reading.stats as ReadAllPage<object>['stats'] }
}

function detailsOf({ stats }: Reading<readonly string[]>): ScanDetails {
  return stats === undefined ? {} : { stats }
}
