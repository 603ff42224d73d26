import {
  createMapper,
  defineTable,
  memory,
  nullable,
  text,
  uint32,
  type Adapter,
  type Mapper,
  type Repository,
  type TableSchema,
} from 'rowkey'
import { expect } from 'vitest'
import { createPausing } from '#mapper/internal'
import type { Actor } from './index-program.js'
import type { World } from './index-steps.js'

// The programs of index-interleavings.test.ts: what applications do with one row that has an index, by the code of the mapper.

export const Items = defineTable('items', {
  columns: { id: uint32(), tag: nullable(text()), n: uint32() },
  key: ['id'],
  version: 'rev',
  indexes: { byTag: { key: ['tag'] } },
})
export const entriesSchema = (Items.indexes[0] as (typeof Items.indexes)[number]).schema
const at = (name: string): number => Items.columns.findIndex((column) => column.name === name)
const [tagAt, nAt, revAt] = [at('tag'), at('n'), at('rev')]

/** A row, as stores have it. */
export function itemOf(tag: string, version: string): readonly (string | number)[] {
  const row: (string | number)[] = [1]
  row[tagAt] = tag
  row[nAt] = 0
  row[revAt] = version
  return row
}
export const tagOf = (row: readonly unknown[] | undefined): unknown => row?.[tagAt]
export const versionOf = (row: readonly unknown[] | undefined): string | undefined => row?.[revAt] as string | undefined

export const hour = 3_600_000
export const day = 24 * hour
const began = Date.parse('2026-03-01')

/** The time of a run, which all programs tell with an error of their own. */
export class Time {
  now = began
}

type Items = Repository<typeof Items>
const id = 1
const operations = {
  'put A': (items: Items) => items.put({ id, tag: 'A', n: 0 }),
  'put B': (items: Items) => items.put({ id, tag: 'B', n: 0 }),
  'put null': (items: Items) => items.put({ id, n: 0 }),
  'many B': (items: Items) => items.putMany([{ id, tag: 'B', n: 3 }]),
  delete: (items: Items) => items.delete({ id }),
  'insert B': (items: Items) => items.insert({ id, tag: 'B', n: 1 }),
  'update A': (items: Items) => items.update({ id }, { tag: 'A' }),
  'update B': (items: Items) => items.update({ id }, { tag: 'B' }),
  'upsert A': (items: Items) => items.upsert({ id, tag: 'A', n: 2 }),
  'upsert B': (items: Items) => items.upsert({ id, tag: 'B', n: 2 }),
  'modify A': (items: Items) => items.modify({ id }, () => ({ tag: 'A' })),
  'modify B': (items: Items) => items.modify({ id }, () => ({ tag: 'B' })),
  increment: (items: Items) => items.increment({ id }, { n: 1 }),
  'increment or A': (items: Items) => items.increment({ id }, { n: 1 }, { create: { tag: 'A' } }),
}
export type Operation = keyof typeof operations
export const allOperations = Object.keys(operations) as readonly Operation[]

/** How wrong a clock is, in milliseconds. */
export interface Skewed {
  skew?: number
}

/** What a writer does. It can be another thing in each run. */
export interface Writing extends Skewed {
  does: readonly Operation[]
  /** Whether it also waits for its turn between two writes, so that time may pass. */
  pauses?: boolean
  /** Told when a write begins and ends. */
  told?: (what: 'begins' | 'ends', operation: Operation, at: number) => void
}

export const writer = (time: Time, number: number, writing: Writing): Actor => ({
  name: `${number}`,
  kind: 'writer',
  open(adapter, told) {
    let count = 0 // so no two writes have the same time
    const clock = (): number => told(time.now) + (writing.skew ?? 0) + 100 * number + count
    const items = createPausing(adapter, { clock }, { sleep: async () => undefined }).repository(Items)
    return async (self) => {
      count = 0
      for (const each of writing.does) {
        if (writing.pauses === true) await self.pause()
        count++
        writing.told?.('begins', each, clock())
        try {
          await operations[each](items)
        } catch (error) {
          if (!/^RowkeyError: (ROW_NOT_FOUND|ROW_EXISTS|VERSION_CONFLICT)/.test(String(error))) throw error
        }
        writing.told?.('ends', each, clock())
      }
    }
  },
})

/** It finds the row if it was there all the time, and never one with another value. */
export const reader = (time: Time, tag: string): Actor => ({
  name: `read ${tag}`,
  kind: 'reader',
  open(adapter, told) {
    const items = createMapper(adapter, { clock: () => told(time.now) }).repository(Items)
    return async ({ seen }) => {
      const found = (await items.scan({ tag }, { index: 'byTag' }).toArray()).map((row) => row.tag)
      const isThere = [...seen].every((each) => each === tag)
      expect(found, `a scan while the row was ${[...seen].join(', ')}`).toEqual(isThere || found.length > 0 ? [tag] : [])
    }
  },
})

export const scrubber = (time: Time, skewed: Skewed = {}, hearsLate?: true): Actor => ({
  name: 'scrub',
  kind: 'scrubber',
  ...(hearsLate && { hearsLate }),
  open(adapter, told) {
    const db = createMapper(adapter, { clock: () => told(time.now) + (skewed.skew ?? 0) })
    return () => db.verifyIndex(Items, 'byTag', { repair: true })
  },
})

/** So many times two days pass. */
export const passing = (time: Time, times: number): Actor => ({
  name: 'time',
  kind: 'time',
  open: () => async (self) => {
    for (let i = 0; i < times; i++) {
      await self.pause()
      time.now += 2 * day
    }
  },
})

/** A live row has no entry. */
export class Lost extends Error {}

/** A store with a row whose entry is old. */
export async function openWorld(time: Time): Promise<World & { readonly adapter: Adapter }> {
  const adapter = memory()
  const db = createMapper(adapter, { clock: () => time.now + 3 * day })
  await db.ensureTables([Items])
  const open = async (schema: TableSchema) => adapter.table(schema, (await adapter.describeTable(schema.name)) as never)
  const [rows, entries] = [await open(Items), await open(entriesSchema)]
  const read = { consistency: 'strong' } as const
  const old = '01KHJ5QG0000000000000000AA' // of February 2026
  const keys = [['A', id], ['B', id]] // prettier-ignore
  return {
    adapter,
    reset() {
      time.now = began
      const options = { now: began }
      void adapter.write([{ kind: 'put', schema: Items, row: itemOf('A', old) }], options)
      void adapter.write([{ kind: 'put', schema: entriesSchema, row: ['A', id, old] }], options)
      void adapter.write([{ kind: 'delete', schema: entriesSchema, row: ['B', id] }], options)
    },
    look() {
      const [row] = rows.get([[id]], read) as readonly [(readonly unknown[])?]
      const found = entries.get(keys, read) as readonly unknown[]
      const tag = tagOf(row)
      if ((tag === 'A' && found[0] === undefined) || (tag === 'B' && found[1] === undefined))
        throw new Lost(`the row with '${tag}' has no entry`)
      return { all: JSON.stringify([row, found, time.now]), seen: row === undefined ? 'absent' : String(tag) }
    },
    end: () => converges(db),
  }
}

/** A repair after a long time leaves what is live, and nothing else. */
async function converges(later: Mapper): Promise<void> {
  expect(await later.verifyIndex(Items, 'byTag', { repair: true })).toMatchObject({ missing: 0 })
  const row = await later.repository(Items).get({ id })
  const rows = row === undefined ? 0 : 1
  const entries = row === undefined || row.tag === null ? 0 : 1
  expect(await later.verifyIndex(Items, 'byTag')).toEqual({ rows, entries, stale: 0, removed: 0, missing: 0, added: 0 })
}
