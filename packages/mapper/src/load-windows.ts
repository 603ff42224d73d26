import type { Mutation, Sending, Writer } from '@rowkey/store'
import { isRowkeyError, RowkeyError } from '@rowkey/codec'
import { writeMany } from '@rowkey/store'
import { tell, type Observer } from './observer.js'

/** How far a load has come. */
export interface LoadProgress {
  /** Rows written. */
  readonly rows: number
  /** Requests they were written with. */
  readonly batches: number
}

/** Where the windows of a load go. */
export interface WindowTarget {
  readonly writer: Writer
  readonly sending: Sending
  /** Batches on their way at a time. */
  readonly concurrency: number
  readonly onProgress?: Observer<LoadProgress> | undefined
}

/** A row of a load and its place in the source. */
export interface Numbered {
  readonly index: number
  readonly mutation: Mutation
}

/** Rows in a batch. */
export const batchRows = 256

/** Writes the windows of one load, of up to `concurrency` batches each. */
export class LoadWindows {
  private readonly target: WindowTarget
  private rows = 0
  private batches = 0
  private silent = false
  private failed = false

  constructor(target: WindowTarget) {
    this.target = target
  }

  get progress(): LoadProgress {
    return { rows: this.rows, batches: this.batches }
  }

  /** Whether a batch has failed. */
  get hasFailed(): boolean {
    return this.failed
  }

  /** Tells nothing more of batches on their way. */
  silence(): void {
    this.silent = true
  }

  /**
   * Writes a window, its batches at once. It is sorted by bucket and partition before it is cut, so that a batch goes to few places. The
   * first error waits for the other batches.
   */
  async write(window: readonly Numbered[]): Promise<void> {
    const all = await Promise.allSettled(batchesOf(window).map((batch) => this.send(batch)))
    for (const sent of all) if (sent.status === 'rejected') throw sent.reason
  }

  private async send(batch: readonly Numbered[]): Promise<void> {
    try {
      await writeBatch(batch, this.target)
    } catch (error) {
      this.failed = true
      throw error
    }
    this.rows += batch.length
    this.batches++
    const { onProgress } = this.target
    if (!this.silent && onProgress !== undefined) tell('onProgress', onProgress, this.progress)
  }
}

async function writeBatch(batch: readonly Numbered[], { writer, sending }: WindowTarget): Promise<void> {
  try {
    await writeMany(
      writer,
      batch.map(({ mutation }) => mutation),
      sending,
    )
  } catch (error) {
    throw isRowkeyError(error, 'WRITE_INCOMPLETE') ? renumbered(error, batch) : error
  }
}

/** The indexes of a batch are those of its sorted rows; the caller knows those of his own. */
function renumbered({ code, message, details, cause }: RowkeyError, batch: readonly Numbered[]): Error {
  const given = (details as { readonly outcomes: readonly { readonly index: number }[] }).outcomes
  const outcomes = given
    .map((outcome) => ({ ...outcome, index: batch[outcome.index]?.index ?? outcome.index }))
    .sort((a, b) => a.index - b.index)
  const text = message.slice(`${code}: `.length).replace(/index \d+/, `index ${outcomes[0]?.index}`)
  return new RowkeyError(code, text, { ...details, outcomes }, cause === undefined ? {} : { cause })
}

/** Rows of one bucket and partition stand together, those of one key in their order. */
function batchesOf(window: readonly Numbered[]): readonly (readonly Numbered[])[] {
  const places = new Map<Numbered, number>(window.map((each) => [each, bucketOf(each)]))
  const sorted = window.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0) || byKey(a, b) || a.index - b.index)
  const batches: Numbered[][] = []
  for (const each of sorted) {
    const last = batches.at(-1)
    const before = last?.at(-1)
    // Rows of one key stay in one batch, where they fold.
    if (last === undefined || before === undefined || (last.length >= batchRows && byKey(before, each) !== 0)) batches.push([each])
    else last.push(each)
  }
  return batches
}

const bucketOf = ({ mutation: { schema, row } }: Numbered): number => schema.layout.bucketOf(row)

const byKey = (a: Numbered, b: Numbered): number => a.mutation.schema.layout.compareRows(a.mutation.row, b.mutation.row)
