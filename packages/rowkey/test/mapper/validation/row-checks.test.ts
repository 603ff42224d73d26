import { int32, json, nullable, text } from '#codec'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { defineTable, type StandardSchema } from '#model'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { codeOf, refusalOf } from '../../../../../test/kit/refusal.js'
import { wrapped } from '../../../../../test/kit/wrapped.js'

const columns = {
  id: text(),
  mail: text(),
  name: nullable(text()),
  from: int32({ default: 1 }),
  to: int32({ default: 2 }),
  data: nullable(json()),
}

/** The same checks three times: of two columns, of what is inside one, and of the row. */
const libraries: Record<string, Record<'mail' | 'name' | 'data' | 'row', StandardSchema>> = {
  zod: {
    mail: z.email(),
    name: z.string().min(3),
    data: z.object({ lines: z.array(z.object({ count: z.number().min(1) })) }),
    row: z
      .object({ from: z.number(), to: z.number() })
      .refine(({ from, to }) => from < to, { path: ['to'], message: 'before its beginning' }),
  },
  valibot: {
    mail: v.pipe(v.string(), v.email()),
    name: v.pipe(v.string(), v.minLength(3)),
    data: v.object({ lines: v.array(v.object({ count: v.pipe(v.number(), v.minValue(1)) })) }),
    row: v.pipe(
      v.object({ from: v.number(), to: v.number() }),
      v.forward(
        v.check(({ from, to }) => from < to, 'before its beginning'),
        ['to'],
      ),
    ),
  },
  arktype: {
    mail: type('string.email'),
    name: type('string >= 3'),
    data: type({ lines: type({ count: 'number >= 1' }).array() }),
    row: type({ from: 'number', to: 'number' }).narrow(
      ({ from, to }, context) => from < to || context.reject({ path: ['to'], expected: 'later' }),
    ),
  },
}

async function open(checks: Partial<Record<keyof typeof columns, StandardSchema | StandardSchema[]>>, check: StandardSchema[] = []) {
  const Users = defineTable('users', { columns, key: ['id'], version: 'rev', ttl: '30d', checks, check })
  let writes = 0
  const db = createMapper(wrapped(memory(), { write: (_, inner) => (writes++, inner()) }))
  await db.ensureTables([Users])
  return { db, users: db.repository(Users), writes: () => writes }
}
const good = { id: 'a', mail: 'ann@example.org', name: 'Ann', data: { lines: [{ count: 1 }] } }
const pathsOf = async (run: () => unknown) => {
  const { code, details } = await refusalOf(run)
  expect(code).toBe('VALIDATION_FAILED')
  return (details['issues'] as { path: PropertyKey[] }[]).map(({ path }) => path.join('.')).toSorted()
}

describe.each(Object.entries(libraries))('ROW-6: %s', (_, { mail, name, data, row }) => {
  test('ROW-6: rows that pass are written as they were given', async () => {
    const { users } = await open({ mail, name, data }, [row])
    await users.insert(good)
    expect(await users.get({ id: 'a' })).toMatchObject(good)
    await users.put({ ...good, name: null }) // a null is not checked
    await users.update({ id: 'a' }, { name: 'Anna', data: null })
  })

  test('ROW-6: all issues with their paths, before anything is written', async () => {
    const { users, db, writes } = await open({ mail, name, data }, [row])
    const bad = { id: 'a', mail: 'x', name: 'An', from: 3, data: { lines: [{ count: 1 }, { count: 0 }] } }
    const all = ['data.lines.1.count', 'mail', 'name', 'to']
    expect(await pathsOf(() => users.insert(bad))).toEqual(all)
    expect(await pathsOf(() => users.put(bad))).toEqual(all)
    expect(await pathsOf(() => users.putMany([good, bad]))).toEqual(all)
    expect(await pathsOf(() => users.putMany([bad, good]))).toEqual(all)
    expect(await pathsOf(() => db.write([users.ops.put(good), users.ops.put(bad)]))).toEqual(all)
    expect(writes()).toBe(0)
    await users.insert(good)
    expect(await pathsOf(() => users.update({ id: 'a' }, { name: 'An', from: 3 }))).toEqual(['name', 'to'])
    expect(await pathsOf(() => users.modify({ id: 'a' }, () => ({ name: 'An', from: 3 })))).toEqual(['name', 'to'])
    expect(await users.get({ id: 'a' })).toMatchObject(good)
  })
})

test('ROW-6: a check sees what a read will give: defaults filled in, no version, no expiry, its own copies', async () => {
  const seen: unknown[] = []
  const check: StandardSchema = { '~standard': { version: 1, vendor: 'test', validate: (value) => (seen.push(value), {}) } }
  const { users } = await open({ data: check }, [check])
  const data = { lines: [] }
  await users.insert({ id: 'a', mail: 'm', data })
  expect(seen).toEqual([data, { id: 'a', mail: 'm', name: null, from: 1, to: 2, data }])
  expect(seen[0]).not.toBe(data)
})

test('ROW-6: update runs the checks of what it changes; if the row has checks, all of them on the whole row', async () => {
  const seen: string[] = []
  const check = (name: string): StandardSchema => ({
    '~standard': { version: 1, vendor: 'test', validate: () => (seen.push(name), {}) },
  })
  const columns = { id: check('id'), mail: check('mail'), name: check('name') }
  for (const [row, updated] of [
    [[], ['name']],
    [[check('row')], ['id', 'mail', 'name', 'row']],
  ] as const) {
    const { users } = await open(columns, [...row])
    await users.insert(good)
    expect(seen.splice(0)).toEqual(['id', 'mail', 'name', ...(row.length === 0 ? [] : ['row'])])
    await users.update({ id: 'a' }, { name: 'Anna' })
    expect(seen.splice(0)).toEqual(updated)
  }
})

test('ROW-6: what a schema makes of a value is not used', async () => {
  const { users } = await open({ name: z.string().trim().toUpperCase() })
  await users.insert({ ...good, name: ' ann ' })
  expect((await users.get({ id: 'a' }))?.name).toBe(' ann ')
})

describe('ROW-6: asynchronous checks', () => {
  const later = (bad: string): StandardSchema => z.string().refine(async (value) => (await Promise.resolve(), value !== bad), 'taken')

  test('ROW-6: are waited for, together with the others', async () => {
    const { users, writes } = await open({ mail: [later('x'), later('y')], name: z.string().min(3) })
    expect(await pathsOf(() => users.insert({ ...good, mail: 'x', name: 'An' }))).toEqual(['mail', 'name'])
    expect(await pathsOf(() => users.putMany([good, { ...good, mail: 'y' }]))).toEqual(['mail'])
    expect(await pathsOf(() => users.putMany([{ ...good, mail: 'y' }]))).toEqual(['mail'])
    expect(await pathsOf(() => users.update({ id: 'a' }, { mail: 'y' }))).toEqual(['mail'])
    expect(writes()).toBe(0)
    await users.insert(good)
    expect(writes()).toBe(1)
  })

  test('ROW-6: a table that is not there leaves no rejection behind while a check is waited for', async () => {
    const left: unknown[] = []
    const listen = (reason: unknown): void => void left.push(reason)
    process.on('unhandledRejection', listen)
    try {
      const slow = z.string().refine(() => new Promise((resolve) => setTimeout(() => resolve(true), 5)))
      const Users = defineTable('users', { columns, key: ['id'], checks: { mail: slow } })
      const users = createMapper(memory()).repository(Users)
      expect(await codeOf(() => users.insert(good))).toBe('TABLE_NOT_FOUND')
      expect(await codeOf(() => users.update({ id: 'a' }, { mail: 'x' }))).toBe('TABLE_NOT_FOUND')
      await new Promise((resolve) => setTimeout(resolve, 5))
      expect(left).toEqual([])
    } finally {
      process.off('unhandledRejection', listen)
    }
  })

  test.each([undefined, true, null, { issues: 'no' }])('ROW-6: %s is no result of a check', async (result) => {
    for (const validate of [() => result, () => Promise.resolve(result)]) {
      const check = { '~standard': { version: 1, vendor: 'test', validate } } as unknown as StandardSchema
      const column = await open({ mail: check })
      const { code, message } = await refusalOf(() => column.users.insert(good))
      expect([code, column.writes()]).toEqual(['INVALID_OPTION', 0])
      expect(message).toContain("a check of column 'mail' of 'users' returned ")
      const row = await open({}, [check])
      expect((await refusalOf(() => row.users.insert(good))).message).toContain("a check of rows of 'users' returned ")
    }
  })

  test('ROW-6: an empty list of issues is a refusal, as in the specification of Standard Schema', async () => {
    const { users } = await open({ mail: { '~standard': { version: 1, vendor: 'test', validate: () => ({ issues: [] }) } } })
    expect(await pathsOf(() => users.insert(good))).toEqual(['mail'])
  })

  test('ROW-6: what a check throws comes as it is, and leaves no rejection behind', async () => {
    const mine = new Error('mine')
    const left: unknown[] = []
    const listen = (reason: unknown): void => void left.push(reason)
    process.on('unhandledRejection', listen)
    try {
      const throwing: StandardSchema = {
        '~standard': {
          version: 1,
          vendor: 'test',
          validate: () => {
            throw mine
          },
        },
      }
      const rejecting: StandardSchema = { '~standard': { version: 1, vendor: 'test', validate: () => Promise.reject(new Error('late')) } }
      const { users, writes } = await open({ mail: [rejecting, throwing] })
      await expect(users.insert(good)).rejects.toBe(mine)
      await expect(users.putMany([good, good])).rejects.toBe(mine)
      expect(writes()).toBe(0)
      await new Promise((resolve) => setTimeout(resolve, 5))
      expect(left).toEqual([])
    } finally {
      process.off('unhandledRejection', listen)
    }
  })
})

test.each([
  ['at once', z.string().min(3)],
  ['late', z.string().refine(async (name) => (await Promise.resolve(), name.length >= 3))],
])('ROW-6: an error of many rows names the place, with checks that answer %s', async (_, name) => {
  const { users, db: own } = await open({ name })
  const bad = { ...good, name: 'x' }
  for (const write of [
    () => users.putMany([good, bad, good]),
    () => users.putMany([good, bad, good]),
    () => own.write([users.ops.put(good), users.ops.put(bad)]),
  ]) {
    const { details, message } = await refusalOf(write)
    expect(details['index']).toBe(1)
    expect(message).toContain('at index 1 of the list: a row of ')
  }
  const { db } = await open({})
  expect(await codeOf(() => db.write([users.ops.put(bad)]))).toBe('INVALID_OPTION')
})
