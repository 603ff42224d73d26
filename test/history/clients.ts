import { createMapper, defineTable, isRowkeyError, nullable, text, uint32, uint8, type Adapter, type Mapper } from 'rowkey'
import { seeded, type Random } from '../memory/seeded.js'
import type { Change, Operation, Result } from './register.js'

const columns = { object: text(), row: uint8(), a: nullable(uint32()), b: nullable(uint32()) }
/** Rows of one object share a partition, so that batches of them can be atomic. */
const shape = { columns, partition: ['object'], key: ['row'] } as const

/** The same table with a version, without, and with plain writes only. */
export const Tables = {
  versioned: defineTable('history_versioned', { ...shape, version: 'rev' }),
  unversioned: defineTable('history_unversioned', shape),
  plain: defineTable('history_plain', { ...shape, writes: 'plain' }),
}

type Kind = keyof typeof Tables

export interface HistoryOptions {
  /** One per client. */
  readonly adapters: readonly Adapter[]
  readonly kind: Kind
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

class Run implements History {
  readonly objects: Operation[][] = []
  readonly ends: Record<string, number> = {}
  readonly strange: string[] = []
  calls = 0
  private readonly options: HistoryOptions
  private readonly live: { readonly name: string; readonly history: Operation[]; begun: number; readonly versions: string[] }[] = []

  constructor(options: HistoryOptions) {
    this.options = options
  }

  async call(db: Mapper, client: number, random: Random): Promise<void> {
    const { kind } = this.options
    const object = this.objectAt(random.below(objectsAtOnce))
    const id = ++this.calls
    const row = random.below(2) as 0 | 1
    const call: Operation['call'] =
      random.next() < 0.4 ? { kind: 'get', row } : { kind: 'write', changes: this.changes(random, row, object.versions) }
    const limits = random.next() < 0.3 ? { deadline: Date.now() + 20 + random.below(400) } : {}
    const begin = performance.now()
    const result = await this.send(db, object.name, id, call, limits, random)
    const end = performance.now()
    if (result === undefined) return // surely not applied, or a read without an answer
    if (result.kind === 'done') {
      for (const version of [result.seen?.version, ...(result.versions ?? [])]) {
        if (version !== undefined && kind === 'versioned') object.versions.push(version)
      }
    }
    object.history.push({ id, client, begin, end: result.kind === 'unknown' ? Infinity : end, returned: end, call, result })
  }

  private objectAt(place: number): (typeof this.live)[number] {
    let object = this.live[place]
    if (object === undefined || object.begun >= operationsEach) {
      object = { name: `o${this.objects.length}`, history: [], begun: 0, versions: [] }
      this.objects.push(object.history)
      this.live[place] = object
    }
    object.begun++
    return object
  }

  private changes(random: Random, row: 0 | 1, versions: readonly string[]): readonly Change[] {
    const { kind, hasBatches } = this.options
    const one = (at: 0 | 1): Change => {
      if (kind === 'plain') return { row: at, kind: random.next() < 0.7 ? 'put' : 'delete' }
      const what = (['put', 'insert', 'update', 'update', 'delete'] as const)[random.below(5)] as Change['kind']
      const version = what === 'insert' || random.next() < 0.5 ? undefined : versions[versions.length - 1 - random.below(3)]
      return {
        row: at,
        kind: what,
        ...(what === 'update' ? { column: random.below(2) === 0 ? ('a' as const) : ('b' as const) } : {}),
        ...(version === undefined ? {} : { ifVersion: version }),
      }
    }
    if (!hasBatches || random.next() > 0.25) return [one(row)]
    return [one(row), one((1 - row) as 0 | 1)]
  }

  private async send(
    db: Mapper,
    object: string,
    id: number,
    call: Operation['call'],
    limits: { readonly deadline?: number },
    random: Random,
  ): Promise<Result | undefined> {
    try {
      const result = await sent(db, this.options.kind, object, id, call, limits, random)
      this.count('done')
      return result
    } catch (error) {
      return this.failed(error, call)
    }
  }

  /** What an error says of the write; undefined: it surely was not applied. */
  private failed(error: unknown, call: Operation['call']): Result | undefined {
    const isWrite = call.kind === 'write'
    const code = isRowkeyError(error) ? error.code : String(error)
    this.count(code)
    if (isWrite && ['ROW_EXISTS', 'ROW_NOT_FOUND', 'VERSION_CONFLICT'].includes(code)) return { kind: 'refused' }
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

/** Why a caller went away. */
class Stopped extends Error {
  override toString(): string {
    return 'stopped'
  }
}

async function sent(
  db: Mapper,
  kind: Kind,
  object: string,
  id: number,
  call: Operation['call'],
  given: { readonly deadline?: number },
  random: Random,
): Promise<Result> {
  const table = db.repository(Tables[kind]) as never as Loose
  let timer: ReturnType<typeof setTimeout> | undefined
  const controller = new AbortController()
  const limits = random.next() < 0.1 ? { signal: controller.signal } : given
  if ('signal' in limits) timer = setTimeout(() => controller.abort(new Stopped()), 1 + random.below(30))
  try {
    if (call.kind === 'get') {
      const row = await table.get({ object, row: call.row }, limits)
      return { kind: 'done', seen: row === undefined ? undefined : { a: row.a, b: row.b, version: row.rev } }
    }
    const { changes } = call
    const [only] = changes
    if (changes.length === 1 && only !== undefined) return { kind: 'done', versions: [await one(table, object, id, only, limits)] }
    const results = await db.write(
      changes.map((change) => operation(table, object, id, change)),
      { atomic: true, ...limits },
    )
    return { kind: 'done', versions: results.map(({ version }) => version) }
  } finally {
    clearTimeout(timer)
  }
}

interface Limits {
  readonly deadline?: number
  readonly signal?: AbortSignal
}

interface Key {
  readonly object: string
  readonly row: number
}

interface Row extends Key {
  readonly a: number | null
  readonly b: number | null
  readonly rev?: string
}
type Written = Promise<{ readonly version?: string }>
interface Condition {
  readonly ifVersion?: string
}

/** The repository of any of the tables: what a table lacks is not called. */
interface Loose {
  get(key: Key, limits: Limits): Promise<Row | undefined>
  put(row: object, options: Limits & Condition): Written
  insert(row: object, options: Limits): Written
  update(key: Key, patch: object, options: Limits & Condition): Written
  delete(key: Key, options: Limits & Condition): Promise<void>
  readonly op: {
    put(row: object, options: Condition): never
    insert(row: object): never
    update(key: Key, patch: object, options: Condition): never
    delete(key: Key, options: Condition): never
  }
}

async function one(table: Loose, object: string, id: number, change: Change, limits: Limits): Promise<string | undefined> {
  const key = { object, row: change.row }
  const options = change.ifVersion === undefined ? limits : { ...limits, ifVersion: change.ifVersion }
  switch (change.kind) {
    case 'put':
      return (await table.put({ ...key, a: id }, options)).version
    case 'insert':
      return (await table.insert({ ...key, a: id }, limits)).version
    case 'update':
      return (await table.update(key, { [change.column ?? 'a']: id }, options)).version
    case 'delete':
      await table.delete(key, options)
      return undefined
  }
}

function operation({ op }: Loose, object: string, id: number, change: Change): never {
  const key = { object, row: change.row }
  const options = change.ifVersion === undefined ? {} : { ifVersion: change.ifVersion }
  switch (change.kind) {
    case 'put':
      return op.put({ ...key, a: id }, options)
    case 'insert':
      return op.insert({ ...key, a: id })
    case 'update':
      return op.update(key, { [change.column ?? 'a']: id }, options)
    case 'delete':
      return op.delete(key, options)
  }
}
