// Tested by write.test.ts, timestamps.test.ts and faults.test.ts.
import type { Column, Delete, Put } from '@rowkey/hbase-client'
import { applied, isPromise, isUnconditional, unknown, type Mutation, type Outcome, type WriteOptions } from 'rowkey/adapter'
import { deletionOf, mutationsOf, replacementOf, rowToWrite, wholeRow } from '../changes.js'
import type { TableContext } from '../context.js'
import { failedRead, outcomeOf } from '../outcomes.js'

/** Told the outcome of a write: `unanswered` when it is sent, another one when that is known. Until then it is unprocessed. */
export type Settle = (outcome: Outcome) => void

/** What is known of a write until it is answered. */
export const unanswered: Outcome = unknown(undefined)

/**
 * Whether a mutation is sent without a look at the row. Not where this process chooses timestamps, unless the table has plain writes: a put
 * that arrives after a write with a later timestamp would be hidden by it.
 */
export const isPlain = ({ schema, server }: TableContext, mutation: Mutation): boolean =>
  isUnconditional(mutation) && (server.timestamps === undefined || schema.writes === 'plain')

/** A put or a delete whatever the row holds. It shares a request with others of this tick, except a put of a row with nulls. */
export async function writePlain(
  table: TableContext,
  mutation: Mutation,
  rowkey: Uint8Array,
  settle: Settle,
  options: WriteOptions,
): Promise<void> {
  const { client, server } = table
  let send = (): Promise<unknown> => server.deletes.send(deletionOf(table, rowkey))
  if (mutation.kind === 'put') {
    const given = replacementOf(table, mutation.row, rowkey)
    const replacement = isPromise(given) ? await given : given // so that puts of one tick stay together
    if (isPromise(given) && options.cancellation?.isOver === true) return
    const { put, clear } = replacement
    send = () => (clear === undefined ? server.puts.send(put) : client.mutateRow(server.name, rowkey, mutationsOf(replacement)))
  }
  settle(unanswered)
  settle(await outcomeOfRequest(table, send))
}

/**
 * As {@link writePlain} for a batch, whose rows are distinct: with a promise for each request, not for each row. A write whose outcome is not
 * told was not sent, and will not be.
 *
 * @param settle told the outcomes of the mutation with an index
 */
export async function writePlains(
  table: TableContext,
  mutations: readonly Mutation[],
  settle: (index: number, outcome: Outcome) => void,
  { cancellation }: WriteOptions,
): Promise<void> {
  const { client, server } = table
  const requests: Promise<void>[] = []
  const send = (indexes: readonly number[], request: () => Promise<unknown>): void => {
    const settleAll = (outcome: Outcome): void => indexes.forEach((index) => settle(index, outcome))
    settleAll(unanswered)
    requests.push(outcomeOfRequest(table, request).then(settleAll))
  }
  const isOver = (): boolean => cancellation?.isOver === true
  if (isOver()) return
  let others: readonly Column[] = []
  let unreadable: Outcome | undefined
  try {
    if (mutations.some(({ kind }) => kind === 'put')) others = await table.otherColumns()
  } catch (cause) {
    unreadable = failedRead(cause)
  }
  if (isOver()) return
  const puts: Put[] = []
  const deletes: Delete[] = []
  const [indexesOfPuts, indexesOfDeletes]: [number[], number[]] = [[], []]
  for (let index = 0; index < mutations.length; index++) {
    const mutation = mutations[index] as Mutation
    try {
      const rowkey = rowToWrite(mutation)
      if (mutation.kind === 'delete') {
        deletes.push(deletionOf(table, rowkey))
        indexesOfDeletes.push(index)
      } else if (unreadable !== undefined) settle(index, unreadable)
      else {
        const replacement = wholeRow(table, mutation.row, rowkey, others)
        if (replacement.clear === undefined) {
          puts.push(replacement.put)
          indexesOfPuts.push(index)
        } else send([index], () => client.mutateRow(server.name, rowkey, mutationsOf(replacement)))
      }
    } catch (cause) {
      settle(index, failedRead(cause))
    }
  }
  server.puts.sendAll(puts, (from, to, request) => send(indexesOfPuts.slice(from, to), request))
  server.deletes.sendAll(deletes, (from, to, request) => send(indexesOfDeletes.slice(from, to), request))
  await Promise.all(requests)
}

async function outcomeOfRequest(table: TableContext, request: () => Promise<unknown>): Promise<Outcome> {
  try {
    await request()
    return applied
  } catch (error) {
    return await outcomeOf(table, error)
  }
}
