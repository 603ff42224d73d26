import { text, nullable, uint32, type Row, type Value } from '#codec'
import { defineTable, type TableSchema } from '#model'
import type { Adapter, Capabilities, Mutation, Outcome, TableStore } from '#store/adapter'
import { turnsOf, type WriteRequest, type Writer } from '#store/engine'

export const Things: TableSchema = defineTable('things', {
  columns: { part: text(), id: text(), note: nullable(text()), n: uint32({ default: 0 }) },
  partition: ['part'],
  key: ['id'],
})
const Versioned: TableSchema = defineTable('versioned', {
  columns: { id: text(), note: nullable(text()) },
  key: ['id'],
  version: 'rev',
})

/** What the adapter was asked for, and answers: one list of outcomes per call; the last one goes on. */
export interface Scene {
  readonly batches: string[][]
  readonly tokens: (string | undefined)[]
  readonly pauses: number[]
  readonly writer: Writer
}

interface SceneOptions {
  readonly answers: readonly (readonly Outcome[] | (() => never))[]
  readonly capabilities?: Partial<Capabilities>
  /** Version of the row that a read finds. */
  readonly found?: string
  readonly resendsUnknown?: boolean
  readonly onSleep?: () => void
}

const described = ({ kind, row, version, schema }: Mutation): string =>
  `${kind} ${row.slice(0, schema.keyLength).join('/')}${version === undefined ? '' : ` if ${version}`}`

/** A writer on an adapter that answers as told, without waiting. */
export function scene({ answers, capabilities, found, resendsUnknown = false, onSleep }: SceneOptions): Scene {
  const batches: string[][] = []
  const tokens: (string | undefined)[] = []
  const pauses: number[] = []
  const store = {
    get: (keys: readonly Row[]) =>
      keys.map((key): Row | undefined => (found === undefined ? undefined : ([...key, null, found] as readonly Value[]))),
  } as unknown as TableStore
  const adapter = {
    name: 'told',
    capabilities: { atomic: { scope: 'store', max: 100, isolated: true }, ...capabilities },
    write(batch: readonly Mutation[], { atomic }: { atomic?: string }) {
      const answer = answers[Math.min(batches.length, answers.length - 1)] ?? []
      batches.push(batch.map(described))
      tokens.push(atomic)
      return typeof answer === 'function' ? answer() : answer
    },
  } as unknown as Adapter
  const writer: Writer = {
    adapter,
    turns: turnsOf(adapter),
    storeOf: () => store,
    resendsUnknown,
    random: () => 0.5,
    sleep: (ms) => {
      pauses.push(ms)
      onSleep?.()
      return Promise.resolve()
    },
  }
  return { batches, tokens, pauses, writer }
}

export const sending: WriteRequest = { now: 0, attempts: 8 }
export const put = (id: string, part = 'p'): Mutation => ({ kind: 'put', schema: Things, row: [part, id, null, 0] })
export const insert = (id: string, part = 'p'): Mutation => ({ kind: 'insert', schema: Things, row: [part, id, null, 0] })
export const remove = (id: string, part = 'p'): Mutation => ({ kind: 'delete', schema: Things, row: [part, id] })
export const update = (id: string): Mutation => ({ kind: 'update', schema: Things, row: ['p', id, null, 'x'], set: [3] })
/** Of a versioned row, giving it version `next`. */
export const rewrite = (kind: 'put' | 'insert' | 'update', next: string, version?: string): Mutation =>
  ({
    kind,
    schema: Versioned,
    row: ['a', null, next],
    ...(kind === 'update' ? { set: [1, 2] } : {}),
    ...(version === undefined ? {} : { version }),
  }) as Mutation

export const applied: Outcome = { kind: 'applied' }
export const unprocessed: Outcome = { kind: 'unprocessed' }
export const unknown: Outcome = { kind: 'unknown', cause: new Error('socket closed') }
/** Of a store that can tell a repetition. */
export const recognised: Outcome = { ...unknown, repeatable: true }
