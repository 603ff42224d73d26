import {
  type Adapter,
  isPromise,
  type MaybePromise,
  type Mutation,
  type Outcome,
  type Page,
  type PageSource,
  type Row,
} from '#store/adapter'
import { delegate, delegateTable } from '../delegate.js'
import { turn } from '../suite/patience.js'

/** What a fault can do, by the kind of call in which it happens. */
export interface FaultKinds {
  /** `drop`: an existing row is returned as absent. */
  readonly get: 'fail' | 'delay' | 'duplicate' | 'misorder' | 'truncate' | 'drop'
  /** `repeat`: the page comes again as the next one. `truncate`: its last row never comes. `end`: no further page comes. */
  readonly page: 'fail' | 'delay' | 'duplicate' | 'misorder' | 'repeat' | 'truncate' | 'end'
  /**
   * `fail`: nothing is sent. `lose`: everything is written, but the answer is lost. `forget`: nothing is written, but the answer says it
   * was.
   */
  readonly write: 'fail' | 'delay' | 'duplicate' | 'misorder' | 'truncate' | 'lose' | 'forget'
  /** `forget`: the table is unknown. */
  readonly describe: 'fail' | 'delay' | 'forget'
}

/** A fault: the kind of call, what happens, and in which of these calls, counted from 0 per adapter; without `nth` in every one. */
export type Fault = {
  readonly [At in keyof FaultKinds]: { readonly at: At; readonly does: FaultKinds[At]; readonly nth?: number }
}[keyof FaultKinds]

/** What a faulty adapter throws. */
export class InjectedFault extends Error {
  override readonly name = 'InjectedFault'
}

/** An adapter that fails, delays, duplicates, misorders or truncates, for tests of the layers above it. */
export interface FaultyAdapter {
  readonly adapter: Adapter
  /** How many faults have happened. */
  readonly happened: () => number
}

/**
 * Injects faults into the answers of an adapter.
 *
 * @example
 * ```ts
 * const { adapter } = faulty(memory(), [{ at: 'page', nth: 2, does: 'misorder' }]) // the third page of all scans
 * ```
 */
export function faulty(base: Adapter, faults: readonly Fault[]): FaultyAdapter {
  const calls = { get: 0, page: 0, write: 0, describe: 0 }
  let happened = 0
  const faultAt = <At extends keyof FaultKinds>(at: At): FaultKinds[At] | undefined => {
    const n = calls[at]++
    const fault = faults.find((each) => each.at === at && (each.nth === undefined || each.nth === n))
    if (fault !== undefined) happened++
    return fault?.does as FaultKinds[At] | undefined
  }
  const adapter = delegate(base, {
    table(schema, catalog) {
      const store = base.table(schema, catalog)
      return delegateTable(store, {
        get: (keys, options) => faultyGet(faultAt('get'), () => store.get(keys, options)),
        scan: (slice, options) => new FaultySource(store.scan(slice, options), () => faultAt('page')),
        fullScan: (checkpoint, options) => new FaultySource(store.fullScan(checkpoint, options), () => faultAt('page')),
      })
    },
    write: (batch, options) => faultyWrite(faultAt('write'), batch, (sent) => base.write(sent, options)),
    async describeTable(name) {
      const does = faultAt('describe')
      if (does === 'fail') throw new InjectedFault('describeTable() fails')
      if (does === 'delay') await later()
      return does === 'forget' ? undefined : base.describeTable(name)
    },
  })
  return { adapter, happened: () => happened }
}

type Found = readonly (Row | undefined)[]

function faultyGet(does: FaultKinds['get'] | undefined, run: () => MaybePromise<Found>): MaybePromise<Found> {
  switch (does) {
    case undefined:
      return run()
    case 'fail':
      throw new InjectedFault('get() fails')
    case 'delay':
      return later().then(run)
    case 'duplicate':
      return then(run(), (rows) => [...rows, ...rows.slice(-1)])
    case 'misorder':
      return then(run(), (rows) => rows.toReversed())
    case 'truncate':
      return then(run(), (rows) => rows.slice(0, -1))
    case 'drop':
      return then(run(), (rows) => rows.with(0, undefined))
  }
}

async function faultyWrite(
  does: FaultKinds['write'] | undefined,
  batch: readonly Mutation[],
  run: (batch: readonly Mutation[]) => MaybePromise<readonly Outcome[]>,
): Promise<readonly Outcome[]> {
  if (does === 'fail') return batch.map(() => ({ kind: 'failed', cause: new InjectedFault('the write fails') }))
  if (does === 'forget') return batch.map(() => ({ kind: 'applied' }))
  if (does === 'delay') await later()
  const outcomes = await run(batch)
  if (does === 'lose') return batch.map(() => ({ kind: 'unknown', cause: new InjectedFault('the answer is lost') }))
  if (does === 'duplicate') return run(batch)
  if (does === 'misorder') return outcomes.toReversed()
  return does === 'truncate' ? outcomes.slice(0, -1) : outcomes
}

class FaultySource implements PageSource {
  private readonly inner: PageSource
  private readonly fault: () => FaultKinds['page'] | undefined
  private again: Page | undefined
  private hasEnded = false

  constructor(inner: PageSource, fault: () => FaultKinds['page'] | undefined) {
    this.inner = inner
    this.fault = fault
  }

  next(want: number): MaybePromise<Page | undefined> {
    const { again } = this
    this.again = undefined
    if (this.hasEnded) return undefined
    if (again !== undefined) return again
    const does = this.fault()
    if (does === 'fail') throw new InjectedFault('the page fails')
    if (does === 'end') {
      this.hasEnded = true
      return undefined
    }
    return then(does === 'delay' ? later().then(() => this.inner.next(want)) : this.inner.next(want), (page) => this.changed(page, does))
  }

  close(): void {
    this.inner.close()
  }

  private changed(page: Page | undefined, does: ReturnType<FaultySource['fault']>): Page | undefined {
    if (page === undefined) return undefined
    const { rows, examined } = page
    const last = rows.slice(-1)
    switch (does) {
      case 'duplicate':
        return { ...page, rows: [...rows, ...last], examined: examined + last.length }
      case 'misorder':
        return { ...page, rows: rows.toReversed() }
      case 'repeat':
        this.again = page
        return page
      case 'truncate':
        return { ...page, rows: rows.slice(0, -1), examined: examined - last.length }
      default:
        return page
    }
  }
}

const then = <T, U>(answer: MaybePromise<T>, change: (value: T) => U): MaybePromise<U> =>
  isPromise(answer) ? answer.then(change) : change(answer)

/** Some turns of the event loop. */
async function later(): Promise<void> {
  for (let turns = 0; turns < 3; turns++) await turn()
}
