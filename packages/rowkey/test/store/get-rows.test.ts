import type { Row } from '#store/adapter'
import { bucket, bytes, int32, text } from '#codec'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { defineTable } from '#model'
import { expect, test } from 'vitest'
import { codeOf, refusalOf } from '../../../../test/kit/refusal.js'
import { wrapped, type Overrides } from '../../../../test/kit/wrapped.js'

const Things = defineTable('things', {
  columns: { host: text(), id: bytes(), n: int32() },
  key: ['host', 'id'],
  salt: bucket({ of: 'host', count: 4 }),
})
const key = (host: string, id: number) => ({ host, id: new Uint8Array([id]) })

async function open(overrides: Overrides = {}) {
  const db = createMapper(wrapped(memory(), overrides))
  await db.ensureTables([Things])
  const things = db.repository(Things)
  await things.putMany([1, 2, 3].map((n) => ({ ...key('web', n), n })))
  return things
}

test('GET-1: a get names all key columns and nothing else', async () => {
  const things = await open()
  expect(await things.get(key('web', 1))).toEqual({ ...key('web', 1), n: 1 })
  expect(await things.get(key('web', 9))).toBeUndefined()
  expect(await things.exists(key('web', 1))).toBe(true)
  expect(await things.exists(key('web', 9))).toBe(false)
  const wrong: [object, string][] = [
    [{ host: 'web' }, 'INVALID_VALUE'],
    [{ ...key('web', 1), id: undefined }, 'INVALID_VALUE'],
    [{ ...key('web', 1), m: 1 }, 'UNKNOWN_COLUMN'],
    [{ host: 'web', id: 'x' }, 'INVALID_VALUE'],
    [{ host: null, id: new Uint8Array() }, 'INVALID_VALUE'],
  ]
  for (const [given, code] of wrong) {
    for (const method of ['get', 'getOrThrow', 'exists', 'delete'] as const) {
      expect(await codeOf(() => things[method](given as never)), `${method} ${JSON.stringify(given)}`).toBe(code)
    }
    expect(await codeOf(() => things.getMany([key('web', 1), given as never]))).toBe(code)
  }
  for (const nothing of [undefined, null, 'web', 7]) expect(await codeOf(() => things.get(nothing as never))).toBe('INVALID_VALUE')
})

test('GET-1: getOrThrow says which row is missing, whatever becomes of the key object', async () => {
  const things = await open({
    get: async (keys, inner, options) => {
      wanted.id[0] = 99
      return inner(keys, options)
    },
  })
  const wanted = key('web', 9)
  const error = await refusalOf(() => things.getOrThrow(wanted))
  expect(error.code).toBe('ROW_NOT_FOUND')
  expect(error.details).toEqual({ table: 'things', key: key('web', 9) })
  expect(error.message).toContain('host "web", id 0x09')
})

test('GET-2: getMany answers in the order of its keys; one asked for twice is two objects', async () => {
  const things = await open()
  const found = await things.getMany([key('web', 3), key('web', 9), key('web', 1), key('web', 3)])
  expect(found.map((row) => row?.n)).toEqual([3, undefined, 1, 3])
  expect(found[0]).not.toBe(found[3])
  expect(found[0]?.id).not.toBe(found[3]?.id)
  expect(await things.getMany([])).toEqual([])
})

test('GET-3: the adapter is asked for distinct keys, in one call', async () => {
  const asked: (readonly Row[])[] = []
  const things = await open({
    get: (keys, inner, options) => {
      asked.push(keys)
      return inner(keys, options)
    },
  })
  await things.getMany([key('web', 3), key('web', 1), key('web', 3), key('web', 3)])
  await things.getMany([])
  const { id } = key('web', 2)
  await things.scan({ host: { in: ['web', 'db', 'web'] }, id: { in: [id, new Uint8Array(id), id] } }).toArray()
  expect(asked.map((keys) => keys.map(([host, bytes]) => `${String(host)} ${String(bytes)}`))).toEqual([
    ['web 3', 'web 1'],
    ['db 2', 'web 2'],
  ])
})

test('GET-3: an answer with another key, a short one and a long one are ADAPTER_FAULT', async () => {
  const answers: Overrides['get'][] = [
    (keys) => keys.map(() => ['web', new Uint8Array([7]), 7]),
    (keys, inner, options) => (inner(keys, options) as Row[]).toReversed().map((row) => row ?? ['db', new Uint8Array([1]), 1]),
    () => [],
    (keys) => [...keys.map(() => undefined), undefined],
    async (keys) => keys.map(() => ['web', new Uint8Array([7]), 7]),
  ]
  for (const [i, get] of answers.entries()) {
    const things = await open({ get: get as NonNullable<typeof get> })
    const keys = [key('web', 1), key('web', 2)]
    expect(await codeOf(() => things.getMany(keys)), `answer ${i}`).toBe('ADAPTER_FAULT')
    expect(await codeOf(() => things.scan({ host: 'web', id: { in: keys.map(({ id }) => id) } }).page()), `answer ${i}`).toBe(
      'ADAPTER_FAULT',
    )
    if (i === 1) continue // one row reversed is right
    expect(await codeOf(() => things.get(key('web', 1))), `answer ${i}`).toBe('ADAPTER_FAULT')
    expect(await codeOf(() => things.exists(key('web', 1))), `answer ${i}`).toBe('ADAPTER_FAULT')
  }
  const other = await open({ get: (keys) => keys.map(() => ['web', new Uint8Array([7]), 7]) })
  const { message } = await refusalOf(() => other.get(key('web', 1)))
  expect(message).toContain('key ("web", 0x07), but ("web", 0x01) was requested')
})
