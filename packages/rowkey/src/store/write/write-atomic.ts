import { typeFacts, utf8Length } from '#codec/internal'
import type { SchemaColumn, TableSchema } from '#model'
import { partitionOf, type Mutation, type Outcome } from '../contract/writing.js'
import { whenOpen, type WriteRequest, type Writer } from './write-request.js'
import { sendBatch, resendBatch } from './send-batch.js'
import { atIndex } from './at-index.js'
import { atomicScope } from './atomic-scope.js'
import { backOff } from './back-off.js'
import { outcomeError, overError } from './outcome-error.js'
import { mergeOutcomes, isRetryable, onlyCreates } from './retryable.js'
import { rowOf } from './rounds.js'
import { resolveUnknown } from './resolve-unknown.js'

/**
 * Applies all mutations or none. `token` stays the same when the call is repeated, so that a store which knows tokens applies it once.
 *
 * @throws RowkeyError `ATOMIC_SCOPE` before anything is sent; the error of the first mutation whose condition fails, with its `index`;
 * `WRITE_FAILED`, `OUTCOME_UNKNOWN` and `DEADLINE`, which then apply to all of them; the reason of an aborted signal
 */
export async function writeAtomic(writer: Writer, mutations: readonly Mutation[], token: string, sending: WriteRequest): Promise<void> {
  if (mutations.length === 0) return
  checkScope(writer, mutations)
  await writer.turns.runAll(
    () => mutations.map(rowOf),
    sending.opened === undefined ? mutations.length : undefined,
    () => whenOpen(sending, () => writeAll(writer, mutations, token, sending)),
    sending.cancellation,
  )
}

async function writeAll(writer: Writer, mutations: readonly Mutation[], token: string, sending: WriteRequest): Promise<void> {
  const refusal = await attemptAtomic(writer, mutations, token, sending)
  if (refusal !== undefined) throw refusalError(mutations, refusal, sending)
}

/** Why mutations are not known to be applied. */
export interface Refusal {
  /** The mutation that was refused, so that none was applied; undefined: the outcome is that of all. */
  readonly at?: number
  readonly outcome: Outcome
  /** Whether that is so because the caller has stopped waiting. */
  readonly isOver?: boolean
}

/** The error that a refusal stands for: that of the mutation that was refused, with its index, or one that applies to all of them. */
export function refusalError(mutations: readonly Mutation[], { at, outcome, isOver }: Refusal, { cancellation }: WriteRequest): unknown {
  if (at !== undefined) return atIndex(at, outcomeError(mutations[at] as Mutation, outcome))
  if (isOver !== true || cancellation === undefined) return outcomeError(mutations[0] as Mutation, outcome)
  return overError(
    cancellation,
    mutations,
    mutations.map(() => outcome),
  )
}

/**
 * The same without waiting for turns, for a caller that holds them. Undefined if all are applied.
 *
 * @throws RowkeyError `ATOMIC_SCOPE`, before anything is sent; the reason of an aborted signal
 */
export async function writeAtomicNow(
  writer: Writer,
  mutations: readonly Mutation[],
  token: string,
  sending: WriteRequest,
): Promise<Refusal | undefined> {
  checkScope(writer, mutations)
  return attemptAtomic(writer, mutations, token, sending)
}

/** Undefined if all are applied. */
async function attemptAtomic(
  writer: Writer,
  mutations: readonly Mutation[],
  token: string,
  sending: WriteRequest,
): Promise<Refusal | undefined> {
  const options = { ...sending, atomic: token }
  let open: Outcome | undefined // the first that is not known
  for (let attempt = 1; ; attempt++) {
    const outcomes = await (open === undefined ? sendBatch : resendBatch)(writer, mutations, options)
    if (outcomes.every(({ kind }) => kind === 'applied')) return undefined
    const refused = outcomes.findIndex((outcome) => isRefusal(mergeOutcomes(open, outcome)))
    if (refused >= 0) return { at: refused, outcome: outcomes[refused] as Outcome }
    const isSure = outcomes.every(({ kind }) => kind === 'unprocessed')
    const isPointless = outcomes.some(isRefusal)
    // Neither all nor none: then all outcomes are unknown.
    if (!isSure) open ??= outcomes.find(({ kind }) => kind === 'unknown') ?? { kind: 'unknown', cause: undefined }
    const isRepeatable = outcomes.every((outcome, i) => isRetryable(mutations[i] as Mutation, outcome, writer))
    if (!isPointless && isRepeatable && (await backOff(writer, attempt, sending))) continue
    if (open !== undefined && (await anyApplied(writer, mutations, sending))) return undefined
    const end: Outcome = open ?? (outcomes[0] as Outcome)
    return { outcome: end, isOver: sending.cancellation?.isOver === true && !isPointless }
  }
}

const isRefusal = ({ kind }: Outcome): boolean => kind === 'conflict' || kind === 'missing' || kind === 'failed'

/**
 * If one row has its new version, all were applied, because there is nothing between all and none. That a row exists says nothing of the
 * others, so writes that only create their rows do not count, unless there are no others: then every row has to exist.
 */
async function anyApplied(writer: Writer, mutations: readonly Mutation[], sending: WriteRequest): Promise<boolean> {
  const telling = mutations.filter((mutation) => !onlyCreates(mutation))
  const asked = telling.length === 0 ? mutations : telling
  const open = asked.map((): Outcome => ({ kind: 'unknown', cause: undefined }))
  const found = await resolveUnknown(writer, asked, open, sending)
  const isApplied = ({ kind }: Outcome): boolean => kind === 'applied'
  return telling.length === 0 ? found.every(isApplied) : found.some(isApplied)
}

/** Refuses mutations that the store cannot write together. @throws RowkeyError `ATOMIC_SCOPE` */
export function checkScope({ adapter }: Pick<Writer, 'adapter'>, mutations: readonly Mutation[]): void {
  const { scope, max, bytes } = adapter.capabilities.atomic
  const refuse = (reason: string, remedy: string): Error => atomicScope(adapter, mutations.length, reason, remedy)
  const first = new Map<string, number>()
  mutations.forEach((mutation, index) => {
    const row = rowOf(mutation)
    const other = first.get(row)
    if (other !== undefined) throw refuse(`those at index ${other} and ${index} are of the same row`, 'Combine them into one write')
    first.set(row, index)
  })
  if (mutations.length > max) throw refuse(`it accepts at most ${max}`, 'Write fewer rows in one call')
  if (scope === 'row' && mutations.length > 1)
    throw refuse('it can only write one row atomically', 'Put what belongs together into one row')
  if (scope === 'partition' && new Set(mutations.map(partitionOf)).size > 1) {
    throw refuse('they are in several tables or partitions', 'Give rows that belong together the same table, partition columns and bucket')
  }
  if (bytes === undefined) return
  const texts = new Map<TableSchema, readonly boolean[]>()
  const textsOf = ({ schema }: Mutation): readonly boolean[] => {
    const known = texts.get(schema) ?? schema.columns.map(isFreeText)
    texts.set(schema, known)
    return known
  }
  const least = mutations.reduce((sum, mutation) => sum + leastBytes(mutation, textsOf(mutation)), 0)
  if (least > bytes) throw refuse(`they take at least ${least} bytes, more than ${bytes}`, 'Write fewer rows in one call')
}

/** What a mutation writes in any store: its bytes, and the texts that no store has a shorter form for, as for uuids and decimals. */
function leastBytes(mutation: Mutation, isText: readonly boolean[]): number {
  const { row } = mutation
  if (mutation.kind === 'delete') return 0
  let bytes = 0
  for (let position = 0; position < row.length; position++) {
    const value = row[position]
    if (mutation.kind === 'update' && !mutation.set.includes(position)) continue
    if (typeof value === 'string' && isText[position] === true) bytes += utf8Length(value)
    else if (value instanceof Uint8Array) bytes += value.length
  }
  return bytes
}

function isFreeText({ type }: SchemaColumn): boolean {
  const { storage } = typeFacts(type)
  return storage.class === 'json' || (storage.class === 'text' && (storage.format === undefined || storage.format === 'ascii'))
}
