import { int32, json, nullable, text } from '#codec'
import { createMapper, isRowkeyError } from '#mapper'
import { memory } from '#memory'
import { Column, KeyColumn, Table, Version, type StandardSchema } from '#model'
import { scaled } from '@rowkey/servers/scale'
import * as classValidator from 'class-validator'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { on } from '../../../../../test/kit/checked.js'
import { randomChecks, randomPatch, randomRow, type RandomCheck, type Rich, type Values } from './random-validators.js'

class Row implements Rich {
  @KeyColumn(1, text()) id!: string
  @Column(int32()) a!: number
  @Column(int32()) b!: number
  @Column(nullable(int32())) c!: number | null
  @Column(text()) text!: string
  @Column(json<readonly number[]>()) list!: readonly number[]
  @Version() readonly rev!: string
  get sum(): number {
    return this.a + this.b
  }
  isGreat(): boolean {
    return this.a > this.b
  }
}

const rowCheck: StandardSchema = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value) => ((value as Values).a + (value as Values).list.length > 4 ? { issues: [{ message: 'too much' }] } : { value }),
  },
}
const isRefused = (row: object): boolean => 'issues' in rowCheck['~standard'].validate(row)

const key = { id: 'x' }
const ways = ['insert', 'put', 'putMany', 'load', 'update', 'update if', 'modify', 'upsert', 'increment', 'create', 'write'] as const
const operations = ['insert', 'put', 'update', 'upsert', 'increment'] as const
const change = fc.record({
  way: fc.oneof({ arbitrary: fc.constantFrom(...ways), weight: 2 }, fc.constant('update' as const)),
  row: randomRow,
  patch: randomPatch,
  by: fc.record({ a: fc.integer({ min: -2, max: 2 }), c: fc.integer({ min: -2, max: 2 }) }),
  operation: fc.constantFrom(...operations),
  isAtomic: fc.boolean(),
})
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

/** Rows of a class with these checks, and every way to write one. */
async function open(checks: readonly RandomCheck[], hasRowCheck: boolean) {
  @Table('random_rows', hasRowCheck ? { check: rowCheck } : {})
  class Checked extends Row {}
  for (const { property, decorators } of checks) on(Checked, property, ...decorators)
  const db = createMapper(memory(), { classValidator })
  await db.ensureTables([Checked])
  const rows = db.repository(Checked)
  const isValid = async (values: Values): Promise<boolean> => {
    const object = Object.assign(new Checked(), { ...key, ...values })
    return !(hasRowCheck && isRefused(object)) && (await classValidator.validate(object)).length === 0
  }
  const stored = async (): Promise<Values | undefined> => {
    const found = await rows.get(key)
    return found === undefined ? undefined : valuesOf(found)
  }
  const batch = ({ operation, row, patch, by, isAtomic }: Change): Promise<unknown> => {
    const { ops } = rows
    const made = {
      insert: () => ops.insert({ ...key, ...row }),
      put: () => ops.put({ ...key, ...row }),
      update: () => ops.update(key, patch),
      upsert: () => ops.upsert({ ...key, ...row }),
      increment: () => ops.increment(key, by),
    }
    return db.write([ops.put({ id: 'other', ...validRow }), made[operation]()], { atomic: isAtomic })
  }
  const write = (each: Change): Promise<unknown> => {
    const { way, row, patch, by } = each
    const whole = { ...key, ...row }
    const run: Readonly<Record<typeof way, () => Promise<unknown>>> = {
      insert: () => rows.insert(whole),
      put: () => rows.put(whole),
      putMany: () => rows.putMany([whole]),
      load: () => rows.putMany([whole]),
      update: () => rows.update(key, patch, { returning: true }),
      'update if': () => rows.update(key, patch, { if: { a: { gte: 1 } } }),
      modify: () => rows.modify(key, () => patch),
      upsert: () => rows.upsert(whole),
      increment: () => rows.increment(key, by),
      create: () => rows.increment(key, { c: by.c }, { create: { a: row.a, b: row.b, text: row.text, list: row.list } }),
      write: () => batch(each),
    }
    return run[way]()
  }
  return { rows, isValid, stored, write }
}

const valuesOf = ({ a, b, c, text: note, list }: Values): Values => ({ a, b, c, text: note, list })
/** What every check of these tests accepts, or refuses together with any other row of a batch. */
const validRow = { a: 0, b: 0, c: 0, text: '', list: [] }

/** The row after a change that passes; undefined if the change finds no row, or one that it must not find. */
function after({ way, operation, row, patch, by }: Change, before: Values | undefined): Values | undefined {
  const kind = way === 'write' ? operation : way
  if (kind === 'insert') return before === undefined ? row : undefined
  if (['put', 'putMany', 'load', 'upsert'].includes(kind)) return row
  if (kind === 'create') return before === undefined ? { ...row, c: by.c } : { ...before, c: (before.c ?? 0) + by.c }
  if (before === undefined || (kind === 'update if' && before.a < 1)) return undefined
  return kind === 'increment' ? { ...before, a: before.a + by.a, c: (before.c ?? 0) + by.c } : { ...before, ...patch }
}

const outcomeOf = (run: () => Promise<unknown>): Promise<string> =>
  run().then(
    () => 'written',
    (error: unknown) => (isRowkeyError(error) ? error.code : String(error)),
  )

const seen: Record<string, number> = {}

test(
  'ROW-6: no write of any kind stores a row that its class refuses, and none refuses a row that it accepts',
  { timeout: 600_000 },
  async () => {
    const scenario = fc.record({
      checks: randomChecks,
      hasRowCheck: fc.nat(4).map((n) => n === 0),
      changes: fc.array(change, { minLength: 10, maxLength: 30 }),
    })
    const holds = async ({ checks, hasRowCheck, changes }: typeof scenario extends fc.Arbitrary<infer T> ? T : never): Promise<void> => {
      const { isValid, stored, write } = await open(checks, hasRowCheck)
      for (const each of changes) {
        const before = await stored()
        const outcome = await outcomeOf(() => write(each))
        const now = await stored()
        const what = JSON.stringify([checks.map((check) => check.what), hasRowCheck, each, before, outcome, now])
        if (now !== undefined) expect(await isValid(now), what).toBe(true)
        const expected = after(each, before)
        const isRead = each.way !== 'write'
        if (outcome === 'written') expect(now, what).toEqual(expected)
        else expect(now, what).toEqual(before)
        if (outcome === 'VALIDATION_FAILED') expect(expected !== undefined && isRead && (await isValid(expected)), what).toBe(false)
      else if (outcome === 'CHECK_NEEDS_ROW') expect(isRead, what).toBe(false)
      else if (outcome !== 'written') expect([expected, outcome], what).toEqual([undefined, expect.stringMatching(/^(ROW_EXISTS|ROW_NOT_FOUND|CONDITION_FAILED|WRITE_INCOMPLETE)$/)]) // prettier-ignore
        seen[`${each.way} ${outcome}`] = (seen[`${each.way} ${outcome}`] ?? 0) + 1
      }
    }
    await fc.assert(fc.asyncProperty(scenario, holds), { numRuns: scaled(500), seed: Number(process.env['ROWKEY_SEED'] ?? 1) })
    for (const way of ways) {
      expect(seen[`${way} written`] ?? 0, way).toBeGreaterThan(5)
      expect(seen[`${way} VALIDATION_FAILED`] ?? 0, way).toBeGreaterThan(5)
    }
  },
)

test('ROW-6: nor do writes that run concurrently', { timeout: 600_000 }, async () => {
  const scenario = fc.record({
    checks: randomChecks,
    hasRowCheck: fc.boolean(),
    first: fc.array(randomRow, { minLength: 1, maxLength: 8 }),
    changes: fc.array(change, { minLength: 2, maxLength: 4 }),
  })
  const holds = async ({
    checks,
    hasRowCheck,
    first,
    changes,
  }: typeof scenario extends fc.Arbitrary<infer T> ? T : never): Promise<void> => {
    const { rows, isValid, stored, write } = await open(checks, hasRowCheck)
    for (const row of first) await outcomeOf(() => rows.put({ ...key, ...row }))
    const outcomes = await Promise.all(changes.map((each) => outcomeOf(() => write(each))))
    const now = await stored()
    if (now !== undefined) expect(await isValid(now), JSON.stringify([checks.map(({ what }) => what), changes, outcomes, now])).toBe(true)
  }
  await fc.assert(fc.asyncProperty(scenario, holds), { numRuns: scaled(150), seed: Number(process.env['ROWKEY_SEED'] ?? 1) })
})
