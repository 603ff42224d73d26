// Tested by client.test.ts, lost-answers.test.ts and ranges.test.ts.
import { KuduError } from '../error.js'
import { write, type AppStatusPB } from '../proto/messages.js'
import { checkList, checkObject, refusing, within } from '../refusal.js'
import type { Operation } from '../requests.js'
import { partitionKey } from '../rows/partition-key.js'
import { OperationEncoder, type RowOperations } from '../rows/operations.js'
import { show } from '../show.js'
import type { KuduTable } from '../table.js'
import type { Waiting } from '../transport/waiting.js'
import type { Leaders } from './attempts.js'
import type { Clock } from './clock.js'
import type { Locations } from './locations.js'
import type { LocatedTablet } from './partition-map.js'
import { RequestIds } from './request-ids.js'
import { wireSchema } from './wire-columns.js'

/** A request is sent when it has so many bytes, so that it cannot reach the 50 MB that servers take: a row has less than 20 MB. */
const fullRequest = 16 * 2 ** 20

/** Room for so many rows is made at first. */
const firstRows = 256

/** One request. */
interface Batch {
  readonly operations: RowOperations
  /** Which operations of the call they are. */
  readonly indexes: readonly number[]
}

/** Sends operations to the tablets of their rows. A request that is repeated is executed once. */
export class Writer {
  readonly #leaders: Leaders
  readonly #locations: Locations
  readonly #clock: Clock
  readonly #ids = new RequestIds()

  constructor(leaders: Leaders, locations: Locations, clock: Clock) {
    this.#leaders = leaders
    this.#locations = locations
    this.#clock = clock
  }

  /** Nothing is sent before all operations are encoded. @throws KuduError with `INVALID_ARGUMENT` */
  async write(table: KuduTable, operations: readonly Operation[], waiting: Waiting): Promise<(KuduError | undefined)[]> {
    refusing(waiting.call, () => checkList('operations', operations))
    const errors = new Array<KuduError | undefined>(operations.length).fill(undefined)
    const all = [...operations.keys()]
    await this.#send(table, operations, all, errors, performance.now(), waiting)
    return errors
  }

  async #send(
    table: KuduTable,
    operations: readonly Operation[],
    indexes: readonly number[],
    errors: (KuduError | undefined)[],
    since: number,
    waiting: Waiting,
  ): Promise<void> {
    const groups = await this.#route(table, operations, indexes, errors, since, waiting)
    await Promise.all(
      groups.map(async (group) => {
        for (const batch of group.batches) {
          const isDone = await this.#sendBatch(table, group, batch, errors, since, waiting)
          if (isDone) continue
          // The tablet is gone with all that was written to it: its rows may have another one now.
          const again = this.#send(table, operations, batch.indexes, errors, performance.now(), waiting)
          await again.catch((error: unknown) => fail(errors, batch.indexes, error))
        }
      }),
    )
  }

  /** Operations by tablet, encoded. */
  async #route(
    table: KuduTable,
    operations: readonly Operation[],
    indexes: readonly number[],
    errors: (KuduError | undefined)[],
    since: number,
    waiting: Waiting,
  ): Promise<readonly Group[]> {
    const groups = new Map<string, Group>()
    for (const index of indexes) {
      const operation = operations[index] as Operation
      const key = partitionOf(waiting.call, table, operation, index)
      const { tablet } = this.#locations.remembered(table, key, since) ?? (await this.#locations.find(table, key, since, waiting))
      if (tablet === undefined) errors[index] = uncovered(waiting.call, table)
      else {
        let group = groups.get(tablet.id)
        if (group === undefined) groups.set(tablet.id, (group = new Group(table, tablet, indexes.length)))
        group.add(waiting.call, operation, index)
      }
    }
    const all = [...groups.values()]
    for (const group of all) group.finish()
    return all
  }

  /** Whether the tablet was there. Fills in the errors. */
  async #sendBatch(
    table: KuduTable,
    { tablet }: Group,
    { operations, indexes }: Batch,
    errors: (KuduError | undefined)[],
    since: number,
    waiting: Waiting,
  ): Promise<boolean> {
    const number = this.#ids.begin()
    try {
      const reached = await this.#leaders.call(
        write,
        {
          table,
          key: tablet.start,
          id: tablet.id,
          isRead: false,
          since,
          request: ({ id }) => ({
            tabletId: id,
            schema: wireSchema(table),
            rowOperations: operations,
            propagatedTimestamp: this.#clock.latest,
          }),
          bytes: operations.rows.length + operations.indirectData.length,
          requestId: (attempt) => this.#ids.attempt(number, attempt),
        },
        waiting,
      )
      if (reached === undefined) return false
      const { perRowErrors, timestamp } = reached.message
      this.#clock.see(timestamp)
      for (const { rowIndex, error } of perRowErrors) {
        const index = indexes[rowIndex]
        if (index === undefined)
          throw waiting.error('MALFORMED_ANSWER', `was answered wrongly: it has an error of operation ${rowIndex} of ${indexes.length}.`, {
            isSent: true,
          })
        errors[index] = rowError(waiting.call, error)
      }
    } catch (error) {
      fail(errors, indexes, error)
    } finally {
      this.#ids.end(number)
    }
    return true
  }
}

/** Operations of one tablet as requests, to be sent one after the other: those of a row stay in order. */
class Group {
  readonly tablet: LocatedTablet
  readonly batches: Batch[] = []
  readonly #table: KuduTable
  readonly #expected: number
  #encoder: OperationEncoder | undefined
  #indexes: number[] = []

  constructor(table: KuduTable, tablet: LocatedTablet, expected: number) {
    this.#table = table
    this.tablet = tablet
    this.#expected = Math.min(expected, firstRows)
  }

  add(call: string, operation: Operation, index: number): void {
    const encoder = (this.#encoder ??= new OperationEncoder(this.#table, this.#expected))
    try {
      encoder.add(operation)
    } catch (error) {
      throw refusedAt(call, index, error)
    }
    this.#indexes.push(index)
    if (encoder.size >= fullRequest) this.finish()
  }

  /** Makes what was added since the last time a request. */
  finish(): void {
    if (this.#encoder === undefined) return
    this.batches.push({ operations: this.#encoder.finish(), indexes: this.#indexes })
    this.#encoder = undefined
    this.#indexes = []
  }
}

/** The partition key of an operation's row. @throws KuduError with `INVALID_ARGUMENT` */
function partitionOf(call: string, table: KuduTable, operation: Operation, index: number): Uint8Array {
  try {
    checkObject('', operation)
    return partitionKey(table, operation.row).bytes
  } catch (error) {
    throw refusedAt(call, index, error)
  }
}

/** What is wrong with an operation, as an error of its call. */
const refusedAt = (call: string, index: number, error: unknown): unknown =>
  refusing(call, () => {
    throw within(`operations[${index}]`, error)
  })

function fail(errors: (KuduError | undefined)[], indexes: readonly number[], error: unknown): void {
  if (!(error instanceof KuduError)) throw error
  for (const index of indexes) errors[index] ??= error
}

const uncovered = (call: string, { name }: KuduTable): KuduError =>
  new KuduError(
    'NO_PARTITION',
    `${call}() was not sent: no range partition of the table ${show(name)} takes the row. Add one with alterTable().`,
    {
      call,
      isSent: false,
    },
  )

/** Why an operation was not done. */
function rowError(call: string, { code, message = 'no more' }: AppStatusPB): KuduError {
  const kind = code === 'ALREADY_PRESENT' || code === 'NOT_FOUND' || code === 'NOT_AUTHORIZED' ? code : 'SERVER'
  const details = { call, isSent: false, status: code, serverMessage: message }
  return new KuduError(kind, `${call}() was refused: ${message}.`, details)
}
