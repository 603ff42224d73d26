// Tested by writes-load.test.ts.
import type { Mutation } from '#store/adapter'
import { writeMany, type Writer, type WriteRequest } from '#store/engine'
import { tell, type Observer } from '../call/observer.js'

/** The progress of a load. */
export interface LoadProgress {
  /** Rows written. */
  readonly rows: number
  /** Requests that wrote them. */
  readonly batches: number
}

/** Where a load writes its windows to. */
export interface WindowTarget {
  readonly writer: Writer
  readonly request: WriteRequest
  /** Batches under way at a time. */
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

  /** Stops reporting batches that are under way. */
  silence(): void {
    this.silent = true
  }

  /**
   * Writes a window, its batches concurrently. The window is sorted by bucket and partition before it is cut into batches, so that a batch
   * goes to few places. The first error is thrown when the other batches have ended.
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

async function writeBatch(batch: readonly Numbered[], { writer, request }: WindowTarget): Promise<void> {
  const mutations = batch.map(({ mutation }) => mutation)
  await writeMany(
    writer,
    mutations,
    request,
    batch.map(({ index }) => index),
  )
}

/** Rows of one bucket and partition are next to each other, those of one key in their order. */
function batchesOf(window: readonly Numbered[]): readonly (readonly Numbered[])[] {
  const places = new Map<Numbered, number>(window.map((each) => [each, bucketOf(each)]))
  const sorted = window.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0) || byKey(a, b) || a.index - b.index)
  const batches: Numbered[][] = []
  for (const each of sorted) {
    const last = batches.at(-1)
    const before = last?.at(-1)
    // Rows of one key stay in one batch, where only the last one is sent.
    if (last === undefined || before === undefined || (last.length >= batchRows && byKey(before, each) !== 0)) batches.push([each])
    else last.push(each)
  }
  return batches
}

const bucketOf = ({ mutation: { schema, row } }: Numbered): number => schema.layout.bucketOf(row)

const byKey = (a: Numbered, b: Numbered): number => a.mutation.schema.layout.compareRows(a.mutation.row, b.mutation.row)
