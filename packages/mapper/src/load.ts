import type { Mutation, Sending, Writer } from '@rowkey/store'
import { isRowkeyError, RowkeyError } from '@rowkey/codec'
import { atIndex, writeMany } from '@rowkey/store'

/** How far a load has come. */
export interface LoadProgress {
  /** Rows written. */
  readonly rows: number
  /** Requests they were written with. */
  readonly batches: number
}

/** What a load does with a row. */
export interface Loading {
  readonly writer: Writer
  readonly sending: Sending
  readonly concurrency: number
  /** @throws what a row is refused with */
  mutation(row: unknown): Mutation | Promise<Mutation>
  onProgress?: ((progress: LoadProgress) => void) | undefined
}

/** Rows in a batch. */
const batchRows = 256

interface Numbered {
  readonly index: number
  readonly mutation: Mutation
}

/**
 * Puts rows as they come. While one window of them is written, the next is read; then the source has to wait. A window is sorted by
 * bucket and partition before it is cut into batches, so that each goes to few places. Windows follow each other: of several rows with
 * one key the last one stays.
 */
export async function load(rows: Iterable<unknown> | AsyncIterable<unknown>, loading: Loading): Promise<LoadProgress> {
  const { concurrency, sending } = loading
  const progress = { rows: 0, batches: 0 }
  let window: Numbered[] = []
  let writing: Promise<void> = Promise.resolve()
  let index = 0
  try {
    for await (const row of rows) {
      sending.signal?.throwIfAborted()
      window.push({ index, mutation: await made(loading, row, index) })
      index++
      if (window.length < batchRows * concurrency) continue
      await writing
      writing = writeWindow(window, loading, progress)
      writing.catch(() => undefined) // whoever waits for it next hears of it
      window = []
    }
  } catch (error) {
    await writing // what was refused by the store came before
    throw error
  }
  await writing
  await writeWindow(window, loading, progress)
  return { ...progress }
}

async function made(loading: Loading, row: unknown, index: number): Promise<Mutation> {
  try {
    return await loading.mutation(row)
  } catch (error) {
    throw atIndex(index, error)
  }
}

/** Several batches at a time; the first error waits for those that are on their way. */
async function writeWindow(window: readonly Numbered[], loading: Loading, progress: { rows: number; batches: number }): Promise<void> {
  const batches = batchesOf(window)
  let next = 0
  let failure: { readonly error: unknown } | undefined
  const lane = async (): Promise<void> => {
    for (let batch; failure === undefined && (batch = batches[next++]) !== undefined;) {
      try {
        await writeBatch(batch, loading)
        progress.rows += batch.length
        progress.batches++
        loading.onProgress?.({ ...progress })
      } catch (error) {
        failure ??= { error }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(loading.concurrency, batches.length) }, lane))
  if (failure !== undefined) throw failure.error
}

async function writeBatch(batch: readonly Numbered[], { writer, sending }: Loading): Promise<void> {
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
