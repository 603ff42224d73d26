import { int32, text } from '#codec'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { defineTable } from '#model'
import type { Partition, RangeChanges, SupportsRanges } from '#store/adapter'
import { expect, test } from 'vitest'

const Notes = defineTable('notes', { columns: { id: text(), n: int32() }, key: ['id', 'n'] })
const range = { from: { n: 0 }, to: { n: 10 } }
const changes: RangeChanges = { add: [range], drop: [] }
const partition: Partition = { range, buckets: [3], server: 'a:1', bytes: 5, rows: undefined }

/** A store with ranges, which notes what it is asked. */
function ranged() {
  const asked: unknown[] = []
  const note = (method: string, given: object): void => {
    const { cancellation: _, ...rest } = given as { readonly cancellation?: unknown }
    asked.push([method, rest])
  }
  const ranges: SupportsRanges = {
    partitions(_schema, catalog, options) {
      note('partitions', { ...options, columns: catalog.valueColumns.length })
      return Promise.resolve([partition])
    },
    changeRanges(_schema, _catalog, given, options) {
      note('changeRanges', { ...given, ...options })
      return Promise.resolve()
    },
    rotate(_schema, _catalog, options) {
      note('rotate', options)
      return Promise.resolve(changes)
    },
  }
  return { adapter: Object.assign(memory(), ranges), asked }
}

test('partitions, ranges and rotations reach a store that has them, with the clock of the mapper', async () => {
  const { adapter, asked } = ranged()
  const db = createMapper(adapter, { clock: () => 7 })
  await db.ensureTables([Notes])
  expect(await db.partitions(Notes)).toEqual([partition])
  expect(await db.partitions(Notes, { countRows: true })).toEqual([partition])
  await db.addRange(Notes, range)
  await db.dropRange(Notes, range)
  expect(await db.rotate(Notes)).toEqual(changes)
  expect(await db.rotate(Notes, { dryRun: true })).toEqual(changes)
  expect(asked).toEqual([
    ['partitions', { slices: undefined, countRows: undefined, columns: 0 }],
    ['partitions', { slices: undefined, countRows: true, columns: 0 }],
    ['changeRanges', { add: [range], drop: [] }],
    ['changeRanges', { add: [], drop: [range] }],
    ['rotate', { now: 7, dryRun: false }],
    ['rotate', { now: 7, dryRun: true }],
  ])
})

test('a table that does not exist, options of other calls, and what is no range are refused before the store is asked', async () => {
  const { adapter, asked } = ranged()
  const db = createMapper(adapter)
  await expect(db.rotate(Notes)).rejects.toMatchObject({ code: 'TABLE_NOT_FOUND' })
  await db.ensureTables([Notes])
  for (const call of [
    () => db.rotate(Notes, { dryRun: 'yes' } as never),
    () => db.rotate(Notes, { countRows: true } as never),
    () => db.partitions(Notes, { dryRun: true } as never),
    () => db.addRange(Notes, undefined as never),
    () => db.dropRange(Notes, 'all' as never),
    () => db.addRange(Notes, range, { dryRun: true } as never),
  ])
    await expect(call()).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  await expect(db.rotate(Notes, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
  expect(asked).toEqual([])
})

test('a store without ranges refuses each call, and says which stores have them', async () => {
  const db = createMapper(memory())
  await db.ensureTables([Notes])
  for (const call of [
    () => db.partitions(Notes),
    () => db.addRange(Notes, range),
    () => db.dropRange(Notes, range),
    () => db.rotate(Notes),
  ])
    await expect(call()).rejects.toThrow(/^NOT_SUPPORTED: memory does not cut tables by ranges.*kudu\(\)/)
})
