// Tested by put-many.test.ts.
import { Cancellation, type Mutation } from '#store/adapter'
import { durationText } from '#model'
import type { WriteRequest } from '#store/engine'
import { mapperError } from '../call/errors.js'
import { tell, type Observer } from '../call/observer.js'
import type { Entrance } from '../table/entrance.js'
import type { Sender } from '../table/sender.js'
import type { PutProgress } from '../write/write-options.js'

/** Where windows are written to: a table that is open. */
export interface WindowTarget {
  readonly sender: Sender
  /** Of a table with periods: later ones may need another look at its catalog. */
  readonly entrance: Entrance | undefined
  readonly request: WriteRequest
  /** Batches under way at a time. */
  readonly concurrency: number
  /** How long the store may acknowledge no row of a batch, in milliseconds. */
  readonly patience?: number | undefined
  readonly onProgress?: Observer<PutProgress> | undefined
}

/** A row and its place in the source. */
export interface Numbered {
  readonly index: number
  readonly mutation: Mutation
}

/** Rows in a batch. */
export const batchRows = 256

/** Writes the windows of one call, of up to `concurrency` batches each. */
export class RowWindows {
  private readonly target: WindowTarget
  private rows = 0
  private batches = 0
  private certain = 0
  private silent = false
  private failed = false

  constructor(target: WindowTarget) {
    this.target = target
  }

  get progress(): PutProgress {
    return { rows: this.rows, batches: this.batches, certain: this.certain }
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
    const batches = batchesOf(window)
    let left = batches.length
    const written = (): void => {
      if (--left === 0) this.certain += window.length
    }
    const all = await Promise.allSettled(batches.map((batch) => this.send(batch, written)))
    for (const sent of all) if (sent.status === 'rejected') throw sent.reason
  }

  private async send(batch: readonly Numbered[], written: () => void): Promise<void> {
    try {
      await writeBatch(batch, this.target)
    } catch (error) {
      this.failed = true
      throw error
    }
    this.rows += batch.length
    this.batches++
    written()
    const { onProgress } = this.target
    if (!this.silent && onProgress !== undefined) tell('onProgress', onProgress, this.progress)
  }
}

async function writeBatch(batch: readonly Numbered[], { sender, entrance, request, patience }: WindowTarget): Promise<void> {
  const mutations = batch.map(({ mutation }) => mutation)
  const indexes = batch.map(({ index }) => index)
  // No batch opens the table again: one that was dropped and created in the meantime lacks the rows of earlier batches.
  const send = (sending: WriteRequest): Promise<void> => sender.many(entrance === undefined ? [] : [entrance], mutations, sending, indexes)
  if (patience === undefined) return send(request)
  const { signal, deadline, remaining = 0 } = request.cancellation ?? {}
  // It ends with the call, which goes on when it ends alone. What is left of the time is known, and not by which clock the deadline was given.
  const cancellation = new Cancellation({ signal, deadline, clock: () => (deadline ?? 0) - remaining })
  const giveUp = (): void => cancellation.cancel(silent(mutations[0]?.schema.name ?? '', patience))
  let timer = setTimeout(giveUp, patience)
  const acknowledged = (): void => {
    clearTimeout(timer)
    timer = setTimeout(giveUp, patience)
  }
  try {
    await send({ ...request, cancellation, acknowledged })
  } finally {
    clearTimeout(timer)
  }
}

function silent(table: string, patience: number): Error {
  const message = `the store acknowledged no row of a batch of '${table}' within ${durationText(patience)}. Put the rows again that are not certainly written, or allow more patience.`
  return mapperError('DEADLINE', message, { table, deadline: Date.now() })
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
