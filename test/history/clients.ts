import { createMapper, isRowkeyError, type Adapter, type Mapper } from 'rowkey'
import { seeded, type Random } from '../kit/seeded.js'
import { randomCall, send, Tables, type Call, type Focus, type Kind, type KnownObject, type Removal } from './calls.js'
import type { Change, Operation, Result } from './register.js'

export { Tables, type Focus, type Kind }

export interface HistoryOptions {
  /** One per client. */
  readonly adapters: readonly Adapter[]
  readonly kind: Kind
  /** Default rows. */
  readonly focus?: Focus
  readonly milliseconds: number
  readonly seed: number
  /** Whether the store has atomic batches of a partition. */
  readonly hasBatches: boolean
  readonly prefix?: string
}

/** What became of the calls of a run, object by object. */
export interface History {
  readonly objects: readonly (readonly Operation[])[]
  readonly calls: number
  /** Calls by how they ended. */
  readonly ends: Readonly<Record<string, number>>
  /** Errors that no call should end with. */
  readonly strange: readonly string[]
}

/** Objects that are used at a time, and operations after which one is left alone: long histories take long to explain. */
const objectsAtOnce = 3
const operationsEach = 36

/** Clients that call at random, each one call at a time, until the time is over and there is enough to look at. */
export async function randomHistory(options: HistoryOptions): Promise<History> {
  const { adapters, kind, milliseconds, seed, prefix = '' } = options
  const mappers = adapters.map((adapter) => createMapper(adapter, { prefix, retry: { attempts: 3 } }))
  await (mappers[0] as Mapper).ensureTables([Tables[kind]])
  const run = new Run(options)
  const fewest = 250 // also where a busy machine gets to little in that time
  const until = performance.now() + milliseconds
  await Promise.all(
    mappers.map(async (db, client) => {
      const random = seeded(seed * 1000 + client)
      while (performance.now() < until || run.calls < fewest) await run.call(db, client, random)
    }),
  )
  return run
}

interface LiveObject extends KnownObject {
  readonly history: Operation[]
  begun: number
}

class Run implements History {
  readonly objects: Operation[][] = []
  readonly ends: Record<string, number> = {}
  readonly strange: string[] = []
  calls = 0
  private readonly options: HistoryOptions
  private readonly live: LiveObject[] = []

  constructor(options: HistoryOptions) {
    this.options = options
  }

  async call(db: Mapper, client: number, random: Random): Promise<void> {
    const { kind, focus = 'rows', hasBatches } = this.options
    const object = this.objectAt(random.below(objectsAtOnce))
    const id = ++this.calls
    const call = randomCall(random, kind, focus, hasBatches, object)
    const deadline = random.next() < 0.3 ? { deadline: Date.now() + 20 + random.below(400) } : {}
    const begin = performance.now()
    const result = await this.send(db, object.name, id, call, deadline, random)
    const end = performance.now()
    if (result === undefined) return // surely not applied, or a read without an answer
    const times = { client, begin, returned: end }
    if (call.kind === 'removal') object.history.push(...this.removals(id, call, result, times))
    else if (typeof result !== 'number') {
      this.learn(object, result)
      object.history.push({ ...times, id, end: result.kind === 'unknown' ? Infinity : end, call, result })
    }
  }

  private learn({ versions, values }: LiveObject, result: Result): void {
    if (result.kind !== 'done') return
    if (typeof result.seen?.a === 'number') values.push(result.seen.a)
    if (this.options.kind !== 'versioned') return
    for (const version of [result.seen?.version, ...(result.versions ?? [])]) if (version !== undefined) versions.push(version)
  }

  /** A `deleteAll()` deletes each row by itself, at a time of its own: one operation for each. It only says how many it deleted. */
  private removals(
    id: number,
    { rows, condition }: Removal,
    result: Result | number,
    times: Pick<Operation, 'client' | 'begin'> & { readonly returned: number },
  ): readonly Operation[] {
    if (typeof result !== 'number' && result.kind !== 'unknown') throw new Error(`a deleteAll() ended with ${JSON.stringify(result)}`)
    const isUnknown = typeof result !== 'number'
    const each: Result = isUnknown
      ? { kind: 'unknown' }
      : result === rows.length
        ? { kind: 'done' }
        : { kind: result === 0 ? 'refused' : 'either' }
    if (typeof result === 'number' && result > rows.length) this.strange.push(`removal: ${result} of ${rows.length} rows deleted`)
    return rows.map((row, i): Operation => {
      const change: Change = { row, kind: 'delete', condition }
      const call = { kind: 'write', changes: [change] } as const
      // The numbers of operations are values, which a delete has none of.
      return { ...times, id: -id - i / 2, end: isUnknown ? Infinity : times.returned, call, result: each }
    })
  }

  private objectAt(place: number): LiveObject {
    let object = this.live[place]
    if (object === undefined || object.begun >= operationsEach) {
      object = { name: `o${this.objects.length}`, history: [], begun: 0, versions: [], values: [], increments: 0 }
      this.objects.push(object.history)
      this.live[place] = object
    }
    object.begun++
    return object
  }

  private async send(
    db: Mapper,
    object: string,
    id: number,
    call: Call,
    deadline: { readonly deadline?: number },
    random: Random,
  ): Promise<Result | number | undefined> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const controller = new AbortController()
    const limits = random.next() < 0.1 ? { signal: controller.signal } : deadline
    if ('signal' in limits) timer = setTimeout(() => controller.abort(new Stopped()), 1 + random.below(30))
    try {
      const result = await send(db, this.options.kind, object, id, call, limits)
      this.count(call.kind === 'removal' ? 'removed' : 'done')
      return result
    } catch (error) {
      return this.failed(error, call)
    } finally {
      clearTimeout(timer)
    }
  }

  /** What an error says of the write; undefined: it surely was not applied. */
  private failed(error: unknown, call: Call): Result | undefined {
    const isWrite = call.kind !== 'get'
    const code = isRowkeyError(error) ? error.code : String(error)
    this.count(code)
    // It may have deleted rows before it failed.
    if (call.kind === 'removal' && (unfinished.includes(code) || error instanceof Stopped)) return { kind: 'unknown' }
    if (call.kind === 'write' && refusals.includes(code)) return { kind: 'refused' }
    if (isRowkeyError(error, 'DEADLINE')) {
      const isOpen = (error.details.outcomes ?? []).some(({ kind }) => kind === 'unknown')
      return isWrite && isOpen ? { kind: 'unknown' } : undefined
    }
    if (isWrite && code === 'OUTCOME_UNKNOWN') return { kind: 'unknown' }
    if (isRowkeyError(error, 'WRITE_FAILED') && error.details.repeatable) return undefined
    if (code === 'STORE_UNAVAILABLE') return undefined
    if (error instanceof Stopped) return isWrite ? { kind: 'unknown' } : undefined
    this.strange.push(`${call.kind}: ${String(error)}`)
    return isWrite ? { kind: 'unknown' } : undefined
  }

  private count(end: string): void {
    this.ends[end] = (this.ends[end] ?? 0) + 1
  }
}

const refusals = ['ROW_EXISTS', 'ROW_NOT_FOUND', 'VERSION_CONFLICT', 'CONDITION_FAILED']
const unfinished = ['DEADLINE', 'WRITE_INCOMPLETE', 'STORE_UNAVAILABLE']

/** Why a caller went away. */
class Stopped extends Error {
  override toString(): string {
    return 'stopped'
  }
}
