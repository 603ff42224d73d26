// Tested by writes.test.ts.
import type { Mutation, Cancellation } from '#store/adapter'
import { RowkeyError } from '#codec'
import { show, showNames } from '#codec/internal'
import { atIndex } from '#store/engine'
import { Calls } from '../call/calls.js'
import { beforeWriting } from '../call/cancellation.js'
import { eachOf } from '../rows/each-of.js'
import { newUlid } from '../rows/ulid.js'
import type { MapperContext } from '../table/table-handle.js'
import type { Preparer } from './prepare.js'
import type { RowWrites } from './row-writes.js'
import {
  batchRules,
  checkWriteOptions,
  noOptions,
  operationRules,
  requestOf,
  type BatchOptions,
  type ChangeOptions,
  type IncrementOptions,
  type InsertOptions,
  type OperationOptions,
  type PutOptions,
  type UpdateOptions,
  type UpsertOptions,
  type Written,
  type WrittenMany,
} from './write-options.js'

type Given = Readonly<Record<string, unknown>>

/** A write of one row for `db.write()`, made by `repository.ops`. It copies its arguments when it is made; nothing is written until then. */
export interface Operation {
  /** Physical table name. */
  readonly table: string
  readonly kind: 'insert' | 'put' | 'update' | 'upsert' | 'increment' | 'delete'
}

/** What `db.write()` resolves to, when all operations are written. */
export interface WrittenOperations extends WrittenMany {
  /** What each wrote, in the order of the operations; of a delete the key alone. */
  readonly results: readonly Written<Readonly<Record<string, unknown>>>[]
}

/** An operation as its mapper sees it. */
class TableOperation implements Operation {
  readonly table: string
  readonly kind: Operation['kind']
  readonly writes: RowWrites
  private readonly prepared: { readonly mutation: Mutation } | { readonly refusal: unknown }

  /** A refusal is thrown by `db.write()`, because every refusal of a call is a rejection. */
  constructor(writes: RowWrites, kind: Operation['kind'], prepare: (preparer: Preparer, now: number) => Mutation) {
    this.writes = writes
    this.table = writes.handle.name
    this.kind = kind
    try {
      this.prepared = { mutation: prepare(writes.preparer, writes.handle.mapper.clock()) }
    } catch (refusal) {
      this.prepared = { refusal }
    }
  }

  /**
   * The mutation as it was made, but a new object with a new version, because an operation may be written twice.
   * @throws the refusal of the operation
   */
  mutation(now: number): Mutation {
    if ('refusal' in this.prepared) throw this.prepared.refusal
    return this.writes.preparer.renewed(this.prepared.mutation, now)
  }
}

/** The operations of a repository. */
export interface RowOperations {
  insert(row: Given, options?: OperationOptions<InsertOptions>): TableOperation
  put(row: Given, options?: OperationOptions<PutOptions>): TableOperation
  update(key: Given, patch: Given, options?: OperationOptions<UpdateOptions>): TableOperation
  upsert(row: Given, options?: OperationOptions<UpsertOptions>): TableOperation
  increment(key: Given, by: Given, options?: OperationOptions<IncrementOptions>): TableOperation
  delete(key: Given, options?: OperationOptions<ChangeOptions>): TableOperation
}

/** What `repository.ops` makes. */
export function operationsOf(writes: RowWrites): RowOperations {
  const { insert, put, update, upsert, increment } = operationRules
  const checked = <T extends object>(kind: Operation['kind'], options: T, rules: Parameters<typeof checkWriteOptions>[2]): T => {
    checkWriteOptions(`ops.${kind}`, options, rules)
    return options
  }
  return {
    insert: (row, options = noOptions) =>
      new TableOperation(writes, 'insert', (preparer, now) => preparer.prepareRow('insert', row, checked('insert', options, insert), now)),
    put: (row, options = noOptions) =>
      new TableOperation(writes, 'put', (preparer, now) => preparer.prepareRow('put', row, checked('put', options, put), now)),
    update: (key, patch, options = noOptions) =>
      new TableOperation(writes, 'update', (preparer, now) =>
        preparer.refuseUnchecked('update', preparer.prepareUpdate(key, patch, checked('update', options, update), now)),
      ),
    upsert: (row, options = noOptions) =>
      new TableOperation(writes, 'upsert', (preparer, now) =>
        preparer.refuseUnchecked('upsert', preparer.prepareUpsert(row, checked('upsert', options, upsert), now)),
      ),
    increment: (key, by, options = noOptions) =>
      new TableOperation(writes, 'increment', (preparer, now) =>
        preparer.refuseUnchecked('increment', preparer.prepareIncrement(key, by, checked('increment', options, increment), now)),
      ),
    delete: (key, options = noOptions) =>
      new TableOperation(writes, 'delete', (preparer) => preparer.prepareDelete(key, checked('delete', options, operationRules.delete))),
  }
}

/**
 * Writes operations of any tables of one mapper; with `atomic` all or none. Everything is checked before anything is written.
 *
 * @throws RowkeyError as the operations do, `WRITE_INCOMPLETE`, with `atomic` as the sender's
 */
export function writeOperations(
  mapper: MapperContext,
  operations: readonly Operation[],
  options: BatchOptions,
): Promise<WrittenOperations> {
  const forget = (): void => {
    for (const operation of operations) if (operation instanceof TableOperation) operation.writes.handle.forget()
  }
  const calls = new Calls(mapper.onCall, tablesOf(operations), forget)
  return calls.run(
    'write',
    ({ rows }) => rows,
    () => writeAll(mapper, operations, options),
  )
}

async function writeAll(mapper: MapperContext, operations: readonly Operation[], options: BatchOptions): Promise<WrittenOperations> {
  const now = mapper.clock()
  checkWriteOptions('write', options, batchRules)
  const mine = eachOf('write()', operations, (operation) => {
    const own = ownOf(mapper, operation)
    return { mutation: own.mutation(now), writes: own.writes }
  })
  const mutations = mine.map(({ mutation }) => mutation)
  const tables = showNames([...new Set(mutations.map(({ schema }) => schema.name))])
  const request = requestOf(options, now, mapper, 'write', tables)
  // Awaits only what there is to wait for, so that writes are sent in the order of their calls.
  for (const [index, { mutation, writes }] of mine.entries()) {
    const checking = check(index, mutation, writes, request.cancellation)
    if (checking !== undefined) await checking
  }
  const handles = [...new Map(mine.map(({ writes: { handle } }) => [handle.schema, handle])).values()]
  const { sender } = mapper
  await (options.atomic === true ? sender.atomic(handles, mutations, newUlid(now), request) : sender.many(handles, mutations, request))
  return {
    rows: mine.length,
    results: mine.map(({ mutation, writes }) => writes.written(mutation) as WrittenOperations['results'][number]),
  }
}

function check(
  index: number,
  mutation: Mutation,
  { preparer }: RowWrites,
  cancellation: Cancellation | undefined,
): Promise<void> | undefined {
  const refuse = (error: unknown): never => {
    throw atIndex(index, error)
  }
  try {
    const checking = preparer.check(mutation)
    return checking === undefined ? undefined : beforeWriting(cancellation, checking).catch(refuse)
  } catch (error) {
    return refuse(error)
  }
}

function ownOf(mapper: MapperContext, operation: Operation): TableOperation {
  if (operation instanceof TableOperation && operation.writes.handle.mapper === mapper) return operation
  const what = operation instanceof TableOperation ? `an operation of another mapper, on '${operation.table}'` : show(operation)
  const message = `write() takes operations of this mapper's repositories, not ${what}. Make them with repository.ops.`
  throw new RowkeyError('INVALID_OPTION', message, { option: 'operations', value: show(operation) })
}

/** The tables of operations, for the observer of calls. What is not an operation is refused later. */
function tablesOf(operations: readonly Operation[]): string {
  if (!Array.isArray(operations)) return ''
  const tables = operations.flatMap((operation: unknown) => (operation instanceof TableOperation ? [operation.table] : []))
  return showNames([...new Set(tables)])
}
