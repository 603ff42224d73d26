import type { Mutation, Writer } from '@rowkey/store'
import { RowkeyError, show } from '@rowkey/codec'
import { atIndex, isPromise, writeAtomic, writeMany, type Cancellation } from '@rowkey/store'
import { beforeWriting } from './cancellation.js'
import { forgettingLostTable } from './forget-lost-table.js'
import { TableOperation, type Operation, type OperationTarget } from './operation.js'
import { eachOf } from './rows/each-of.js'
import { newUlid } from './rows/ulid.js'
import { batchRules, checkWriteOptions, sendingOf, type BatchOptions } from './write-options.js'

/** What a write of operations resolves to, by their order: the whole key, and the version where the table has one. */
export interface OperationResult {
  readonly key: Readonly<Record<string, unknown>>
  readonly version?: string
}

/**
 * Writes operations of any tables of one mapper; with `atomic` all or none. Everything is checked before anything is written.
 *
 * @throws RowkeyError as the operations do, `WRITE_INCOMPLETE`, with `atomic` as `writeAtomic`
 */
export async function writeOperations(
  writer: Writer,
  attempts: number,
  now: number,
  operations: readonly Operation[],
  options: BatchOptions,
): Promise<OperationResult[]> {
  checkWriteOptions('write', options, batchRules)
  const mine = eachOf('write()', operations, (operation) => {
    const own = ownOf(writer, operation)
    return { mutation: own.mutation(now), target: own.target }
  })
  const tables = [...new Set(mine.map(({ mutation }) => mutation.schema.name))].join(', ')
  const sending = sendingOf(options, now, attempts, 'write', tables)
  const { cancellation } = sending
  for (const [index, { mutation, target }] of mine.entries()) await checked(index, mutation, target, cancellation)
  const forget = (): void => {
    for (const { target } of mine) target.forget()
  }
  await forgettingLostTable({ forget }, async () => {
    for (const { target } of mine) {
      const table = target.table()
      if (isPromise(table)) await beforeWriting(cancellation, table)
    }
    const mutations = mine.map(({ mutation }) => mutation)
    if (options.atomic === true) await writeAtomic(writer, mutations, newUlid(now), sending)
    else await writeMany(writer, mutations, sending)
  })
  return mine.map(({ mutation, target }) => target.written(mutation) as OperationResult)
}

async function checked(index: number, mutation: Mutation, target: OperationTarget, cancellation: Cancellation | undefined): Promise<void> {
  try {
    const checking = target.checked(mutation)
    if (checking !== undefined) await beforeWriting(cancellation, checking)
  } catch (error) {
    throw atIndex(index, error)
  }
}

function ownOf(writer: Writer, operation: Operation): TableOperation {
  if (operation instanceof TableOperation && operation.target.mapper === writer) return operation
  const what = operation instanceof TableOperation ? `an operation of another mapper, on '${operation.table}'` : show(operation)
  throw new RowkeyError(
    'INVALID_OPTION',
    `write() takes operations of this mapper's repositories, not ${what}. Make them with repository.op.`,
    {
      option: 'operations',
      value: show(operation),
    },
  )
}
