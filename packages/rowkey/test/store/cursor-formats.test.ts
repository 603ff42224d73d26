import { bucket, int32, nullable, text } from '#codec'
import { createMapper, type MapperOptions } from '#mapper'
import { memory } from '#memory'
import { defineTable, renameTable, type TableSchema } from '#model'
import { compileQuery } from '#store'
import { readCheckpoint, readCursor, writeCheckpoint, writeCursor } from '#store/engine'
import type { Bound } from '#store/adapter'
import { describe, expect, test } from 'vitest'
import { codeOf, differs, refusalOf } from '../../../../test/kit/refusal.js'

const columns = { host: text(), n: int32(), note: nullable(text()) }
const definition = { columns, key: ['host', 'n'], salt: bucket({ of: 'n', modulo: 3 }) } as const
const Things = defineTable('things', definition)
/** Another table with the same key. */
const Others = defineTable('others', definition)
const where = { host: 'b', n: { gte: 2, lt: 8 } }
const secret = { cursorSecret: '0123456789abcdef' }

async function open(options: MapperOptions = {}, model: typeof Things = Things) {
  const db = createMapper(memory(), options)
  await db.ensureTables([model])
  const table = db.repository(model)
  await table.putMany(['a', 'b', 'c'].flatMap((host) => Array.from({ length: 10 }, (_, n) => ({ host, n }))))
  return table
}

const forward = { reverse: false }
const backward = { reverse: true }
/** Cursors of one query on `things`, as each version writes them. */
const golden: readonly (readonly [what: string, direction: typeof forward, at: Bound | undefined, one: string, two: string])[] = [
  ['a key', forward, { prefix: ['b', 3], edge: 'after' }, 'AQBT--brnqmL_eNIjL0SJHBbYgAAgAAAAw', 'AgBT--brnqmL_eNIjL0SJHBb0QB8Ngk1eZJiAACAAAAD'],
  ['a key, backwards', backward, { prefix: ['b', 6], edge: 'before' }, 'AQFT--brnqmL_eNIjL0SJHBbYgAAgAAABg', 'AgFT--brnqmL_eNIjL0SJHBb0QB8Ngk1eZJiAACAAAAG'],
  ['the start', forward, undefined, 'AQBT--brnqmL_eNIjL0SJHBb', 'AgBT--brnqmL_eNIjL0SJHBb0QB8Ngk1eZI'],
  ['a border', forward, { prefix: ['b'], edge: 'after' }, 'AQRT--brnqmL_eNIjL0SJHBbAWIAAA', 'AgRT--brnqmL_eNIjL0SJHBb0QB8Ngk1eZIBYgAA'],
] // prettier-ignore

describe('PAGE-5: the bytes of a cursor never change', () => {
  test.each(golden)('PAGE-5: at %s', (_, direction, at, one, two) => {
    const query = compileQuery(Things, where, { order: direction.reverse ? 'reverse' : undefined })
    expect(writeCursor(Things, query, at)).toBe(two)
    expect(readCursor(Things, query, two)).toEqual({ bound: at, backwards: false, rows: 0 })
    expect(readCursor(Things, query, one)).toEqual({ bound: at, backwards: false, rows: 0 })
  })

  test('PAGE-5: signed ones of both formats, made with the same secret', async () => {
    const table = await open(secret)
    const one = 'AQBT--brnqmL_eNIjL0SJHBbYgAAgAAAAw.e2d10d1a230cbbf58179226657ffca0b9f3e58b4259a4024b2a036946af67ad7'
    const two = 'AgBT--brnqmL_eNIjL0SJHBb0QB8Ngk1eZJiAACAAAAD.ab7d84284dfeabe6afb9085bf0a234f9ff6b2edd10641e6ea19c2c66ae346adc'
    expect((await table.scan(where).page({ size: 2 })).cursor).toBe(two)
    for (const cursor of [one, two]) expect((await table.scan(where).page({ cursor })).rows.map(({ n }) => n)).toEqual([4, 5, 6, 7])
  })

  test('PAGE-5: of a scan with a limit they hold how many rows it returned before', async () => {
    const table = await open()
    const { cursor = '' } = await table.scan(where, { limit: 5 }).page({ size: 2 })
    expect(cursor).toBe('AhBT--brnqmL_eNIjL0SJHBb0QB8Ngk1eZIAAAAAAAAAAmIAAIAAAAM')
    const query = compileQuery(Things, where)
    expect(readCursor(Things, query, cursor)).toEqual({ bound: { prefix: ['b', 3], edge: 'after' }, backwards: false, rows: 2 })
    // Without a limit it is not looked at, and a cursor without a number counts from there.
    const numbers = async (limit: object, from: string) => (await table.scan(where, limit).page({ cursor: from })).rows.map(({ n }) => n)
    expect(await numbers({}, cursor)).toEqual([4, 5, 6, 7])
    expect(await numbers({ limit: 5 }, cursor)).toEqual([4, 5, 6])
    expect(await numbers({ limit: 2 }, cursor)).toEqual([])
    expect(await numbers({ limit: 3 }, golden[0]?.[4] ?? '')).toEqual([4, 5, 6])
    for (const wrong of [0n, 2n ** 53n, 2n ** 64n - 1n]) {
      const bytes = Buffer.from(cursor, 'base64url')
      bytes.writeBigUInt64BE(wrong, 26)
      expect(await codeOf(() => table.scan(where).page({ cursor: bytes.toString('base64url') }))).toBe('CURSOR_INVALID')
    }
  })

  test('PAGE-5: checkpoints of both formats', () => {
    const one = 'AbHM8wzpMk2jbWVtb3J5AAJjAADCgAAACA'
    const two = 'ArHM8wzpMk2j0QB8Ngk1eZJtZW1vcnkAAmMAAMKAAAAI'
    const native = readCheckpoint(Things, 'memory', one)
    expect(readCheckpoint(Things, 'memory', two)).toEqual(native)
    expect(writeCheckpoint(Things, 'memory', native)).toBe(two)
  })
})

describe('PAGE-3: a cursor belongs to its table', () => {
  test('PAGE-3: another table with the same key, predicate and direction refuses it, signed or not', async () => {
    for (const options of [{}, secret]) {
      const [things, others] = [await open(options), await open(options, Others)]
      const { cursor } = await things.scan(where).page({ size: 2 })
      const { message } = await refusalOf(() => others.scan(where).page({ cursor }))
      expect(message).toBe(
        "CURSOR_MISMATCH: the cursor given for 'others' belongs to another table. Continue with the same table, predicate and direction, or start without a cursor.",
      )
      const keys = { host: 'b', n: { in: [1, 2, 3] } }
      const { cursor: ofKeys } = await things.scan(keys).page({ size: 1 })
      expect(await differs(() => others.scan(keys).page({ cursor: ofKeys }))).toBe('table')
      expect(await others.scan({ host: 'b' }).count()).toBe(10)
    }
  })

  test('PAGE-3: the start and a border belong to it too', async () => {
    const others = await open({}, Others)
    for (const [, { reverse }, , , cursor] of golden)
      expect(await differs(() => others.scan(where, { order: reverse ? 'reverse' : undefined }).page({ cursor }))).toBe('table')
  })

  test('TABLE-4: a prefix and another physical name play no part, another declaration of that name does', async () => {
    const things = await open()
    const { cursor } = await things.scan(where).page({ size: 2 })
    const rest = async (table: typeof things) => (await table.scan(where).page({ cursor })).rows.map(({ n }) => n)
    expect(await rest(await open({ prefix: 'live_' }))).toEqual([4, 5, 6, 7])
    expect(await rest(await open({}, renameTable(Things, 'moved')))).toEqual([4, 5, 6, 7])
    expect(await rest(await open({ prefix: 'live_' }, renameTable(Things, 'moved')))).toEqual([4, 5, 6, 7])
    // What prefix + name of one table make is the name of another.
    expect(await differs(async () => rest(await open({}, defineTable('live_things', definition))))).toBe('table')
    expect(await differs(async () => rest(await open({}, renameTable(Others, 'things'))))).toBe('table')
  })

  test('PAGE-3: of the format before, everything but the table is checked', async () => {
    const [things, others] = [await open(), await open({}, Others)]
    const [, , , cursor] = golden[0] ?? expect.fail()
    for (const table of [things, others]) expect((await table.scan(where).page({ cursor })).rows.map(({ n }) => n)).toEqual([4, 5, 6, 7])
    expect(await differs(() => things.scan({ ...where, host: 'c' }).page({ cursor }))).toBe('predicate')
    expect(await differs(() => things.scan(where, { order: 'reverse' }).page({ cursor }))).toBe('direction')
    const Turned = defineTable('things', { ...definition, key: ['n', 'host'] })
    expect(await differs(() => readCursor(Turned, compileQuery(Turned, where), cursor))).toBe('layout')
  })

  /** The bit that makes it the cursor of a previous page. */
  const towardsStart = 8 + 3

  test('PAGE-3: every changed bit of its head is refused; behind it a cursor stays inside its query', async () => {
    const things = await open()
    const [, , , , cursor] = golden[0] ?? expect.fail()
    const bytes = Buffer.from(cursor, 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7))
      const given = changed.toString('base64url')
      if (bit >= 26 * 8) {
        const rows = await things.scan(where).page({ cursor: given }).then(({ rows }) => rows).catch((error: unknown) => (error as { code?: unknown }).code) // prettier-ignore
        if (Array.isArray(rows)) expect(rows.every(({ host, n }) => host === 'b' && n >= 2 && n < 8)).toBe(true)
        else expect(rows).toBe('CURSOR_INVALID')
      } else {
        if (bit === towardsStart) {
          const { rows } = await things.scan(where).page({ cursor: given })
          expect(rows.every(({ host, n }) => host === 'b' && n >= 2 && n < 8)).toBe(true)
          continue
        }
        expect(await codeOf(() => things.scan(where).page({ cursor: given })), `bit ${bit}`).toMatch(/^CURSOR_(INVALID|MISMATCH)$/)
        if (bit >= 18 * 8) expect(await differs(() => things.scan(where).page({ cursor: given }))).toBe('table')
      }
    }
    for (let length = 0; length < 26; length++) {
      expect(await codeOf(() => things.scan(where).page({ cursor: bytes.subarray(0, length).toString('base64url') }))).toBe(
        'CURSOR_INVALID',
      )
    }
  })

  test('PAGE-3: signed cursors cannot be turned into the format before', async () => {
    const table = await open(secret)
    const { cursor = '' } = await table.scan(where).page({ size: 2 })
    const [body = '', signature = ''] = cursor.split('.')
    const bytes = Buffer.from(body, 'base64url')
    const older = Buffer.concat([Buffer.from([1]), bytes.subarray(1, 18), bytes.subarray(26)]).toString('base64url')
    expect((await (await open()).scan(where).page({ cursor: older })).rows.map(({ n }) => n)).toEqual([4, 5, 6, 7])
    for (const given of [`${older}.${signature}`, older]) {
      expect(await codeOf(() => table.scan(where).page({ cursor: given }))).toBe('CURSOR_INVALID')
    }
  })
})

test('SCAN-8: a checkpoint belongs to its table, whatever its prefix', async () => {
  const two = 'ArHM8wzpMk2j0QB8Ngk1eZJtZW1vcnkAAmMAAMKAAAAI'
  const code = (schema: TableSchema, checkpoint: string) =>
    refusalOf(() => readCheckpoint(schema, 'memory', checkpoint)).then(({ code, details }) => [code, details['differs']])
  expect(await code(Others, two)).toEqual(['CURSOR_MISMATCH', 'table'])
  expect(() => readCheckpoint(renameTable(Things, 'live_things'), 'memory', two)).not.toThrow()
  expect(() => readCheckpoint(Others, 'memory', 'AbHM8wzpMk2jbWVtb3J5AAJjAADCgAAACA')).not.toThrow()
  for (const bad of [two.slice(0, 20), two.slice(0, 24), `BL${two.slice(2)}`]) expect((await code(Things, bad))[0]).toBe('CURSOR_INVALID')
  const things = await open(secret)
  const others = await open(secret, Others)
  const checkpoint = (await things.readAll().pages().next()).value?.checkpoint
  expect(await things.readAll({ checkpoint }).count()).toBe(0)
  expect((await refusalOf(() => others.readAll({ checkpoint }).count())).details).toEqual({ differs: 'table' })
})
