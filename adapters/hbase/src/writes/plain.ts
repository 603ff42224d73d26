// Tested by faults.test.ts, end-of-tick.test.ts and conformance.test.ts.
import type { Delete, Put } from '@rowkey/hbase-client'
import { applied, isPromise, unprocessed, type Mutation, type Outcome, type WriteOptions } from '@rowkey/store/adapter'
import { deletionOf, mutationsOf, replacementOf, rowToWrite } from '../changes.js'
import type { TableContext } from '../context.js'
import { failedRead, outcomeOf } from '../outcomes.js'

/** A put or a delete whatever the row holds. It shares a request with others of this tick, except a put of a row with nulls. */
export async function writePlain(table: TableContext, mutation: Mutation, rowkey: Uint8Array, options: WriteOptions): Promise<Outcome> {
  const { client, server } = table
  if (mutation.kind === 'delete') return outcomeOfRequest(table, server.deletes.send(deletionOf(table, rowkey)))
  const given = replacementOf(table, mutation.row, rowkey)
  const replacement = isPromise(given) ? await given : given // so that puts of one tick stay together
  if (isPromise(given) && options.cancellation?.isOver === true) return unprocessed
  const { put, clear } = replacement
  return outcomeOfRequest(
    table,
    clear === undefined ? server.puts.send(put) : client.mutateRow(server.name, rowkey, mutationsOf(replacement)),
  )
}

/**
 * As {@link writePlain} for a batch, whose rows are distinct: with a promise for each request, not for each row.
 *
 * @param settle called with each outcome as soon as it is known, and the index of its mutation
 */
export async function writePlains(
  table: TableContext,
  mutations: readonly Mutation[],
  settle: (index: number, outcome: Outcome) => void,
  options: WriteOptions,
): Promise<void> {
  const { client, server } = table
  const puts: Put[] = []
  const deletes: Delete[] = []
  const indexesOfPuts: number[] = []
  const indexesOfDeletes: number[] = []
  const requests: Promise<void>[] = []
  const send = (request: Promise<unknown>, indexes: readonly number[]): void => {
    requests.push(
      outcomeOfRequest(table, request).then((outcome) => {
        for (const index of indexes) settle(index, outcome)
      }),
    )
  }
  for (let index = 0; index < mutations.length; index++) {
    const mutation = mutations[index] as Mutation
    try {
      const rowkey = rowToWrite(mutation)
      if (mutation.kind === 'delete') {
        deletes.push(deletionOf(table, rowkey))
        indexesOfDeletes.push(index)
        continue
      }
      const given = replacementOf(table, mutation.row, rowkey)
      const replacement = isPromise(given) ? await given : given
      if (replacement.clear === undefined) {
        puts.push(replacement.put)
        indexesOfPuts.push(index)
      } else if (options.cancellation?.isOver === true) settle(index, unprocessed)
      else send(client.mutateRow(server.name, rowkey, mutationsOf(replacement)), [index])
    } catch (cause) {
      settle(index, failedRead(cause))
    }
  }
  if (options.cancellation?.isOver === true) {
    for (const index of [...indexesOfPuts, ...indexesOfDeletes]) settle(index, unprocessed)
  } else {
    server.puts.sendAll(puts, (request, from, to) => send(request, indexesOfPuts.slice(from, to)))
    server.deletes.sendAll(deletes, (request, from, to) => send(request, indexesOfDeletes.slice(from, to)))
  }
  await Promise.all(requests)
}

async function outcomeOfRequest(table: TableContext, request: Promise<unknown>): Promise<Outcome> {
  try {
    await request
    return applied
  } catch (error) {
    return await outcomeOf(table, error)
  }
}
