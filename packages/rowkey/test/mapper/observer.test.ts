import { int32, text } from '#codec'
import { createMapper, type MapperOptions } from '#mapper'
import { memory } from '#memory'
import { defineTable } from '#model'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi, type MockInstance } from 'vitest'
import { codeOf } from '../../../../test/kit/refusal.js'

const Things = defineTable('things', { columns: { k: text(), n: int32() }, key: ['k', 'n'] })

async function open(options: MapperOptions = {}) {
  const adapter = memory()
  await createMapper(adapter).ensureTables([Things])
  const things = createMapper(adapter, options).repository(Things)
  return { things }
}

const broken = new Error('observer')
/** Ways of an observer to fail, all of them with the same error. */
const failing: readonly (readonly [string, () => unknown])[] = [
  [
    'throws',
    () => {
      throw broken
    },
  ],
  [
    'is async and throws',
    async () => {
      throw broken
    },
  ],
  [
    'is async and rejects later',
    async () => {
      await setTimeout(1)
      throw broken
    },
  ],
  ['gives a thenable that rejects', () => ({ then: (_: unknown, reject: (error: unknown) => void) => reject(broken) })],
  [
    'gives a thenable that rejects, resolves and throws',
    () => ({
      then(resolve: () => void, reject: (error: unknown) => void) {
        reject(broken)
        reject(new Error('again'))
        resolve()
        throw new Error('and again')
      },
    }),
  ],
  [
    'gives a thenable whose then throws',
    () => ({
      then() {
        throw broken
      },
    }),
  ],
  [
    'gives an object whose then cannot be read',
    () => ({
      get then() {
        throw broken
      },
    }),
  ],
  [
    'gives a function that is a thenable',
    () => Object.assign(() => undefined, { then: (_: unknown, no: (e: unknown) => void) => no(broken) }),
  ],
  [
    'gives a promise that cannot be looked at',
    () =>
      Object.defineProperty(Promise.resolve(), 'constructor', {
        get() {
          throw broken
        },
      }),
  ],
]

let logged: MockInstance
const rejections: unknown[] = []
const heard = (reason: unknown): unknown => rejections.push(reason)
beforeEach(() => {
  logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  rejections.length = 0
  process.on('unhandledRejection', heard)
})
afterEach(() => {
  logged.mockRestore()
  process.off('unhandledRejection', heard)
})

/** Long enough for what was dropped to be an unhandled rejection. */
const later = (): Promise<void> => setTimeout(10)

describe.each(failing)('OBSERVE-1: an observer that %s', (_, observer) => {
  test('OBSERVE-1: onCall is reported once and changes nothing', async () => {
    const { things } = await open({ onCall: observer })
    await things.insert({ k: 'a', n: 1 })
    expect(await things.get({ k: 'a', n: 1 })).toEqual({ k: 'a', n: 1 })
    expect(await codeOf(() => things.insert({ k: 'a', n: 1 }))).toBe('ROW_EXISTS')
    for await (const { n } of things.scan({ k: 'a' })) expect(n).toBe(1)
    expect(await things.readAll().count()).toBe(1)
    await later()
    expect(logged.mock.calls).toEqual(Array.from({ length: 5 }, () => ['rowkey: onCall threw', broken]))
    expect(rejections).toEqual([])
  })

  test('OBSERVE-1: onProgress is reported once per batch, and the rows are written', async () => {
    const { things } = await open()
    const rows = Array.from({ length: 300 }, (_, n) => ({ k: 'a', n }))
    expect(await things.putMany(rows, { concurrency: 1, onProgress: observer })).toEqual({ rows: 300 })
    await later()
    expect(logged.mock.calls).toEqual(Array.from({ length: 2 }, () => ['rowkey: onProgress threw', broken]))
    expect(rejections).toEqual([])
  })
})

test('OBSERVE-1: an observer that never settles keeps nobody waiting, and one that succeeds says nothing', async () => {
  for (const observer of [() => new Promise(() => undefined), async () => 'fine', () => ({ then: 5 }), () => 7]) {
    const { things } = await open({ onCall: observer })
    await things.putMany([{ k: 'a', n: 1 }], { onProgress: observer })
    expect(await things.scan({ k: 'a' }).count()).toBe(1)
  }
  await later()
  expect(logged.mock.calls).toEqual([])
  expect(rejections).toEqual([])
})

test('OBSERVE-1: an error that console.error cannot show changes no call either', async () => {
  logged.mockImplementation(() => {
    throw new Error('cannot be shown')
  })
  for (const [, observer] of failing.slice(0, 2)) {
    const { things } = await open({ onCall: observer })
    await things.put({ k: 'a', n: 1 })
    expect(await things.scan({ k: 'a' }).count()).toBe(1)
  }
  await later()
  expect(rejections).toEqual([])
})

test('OBSERVE-1: an async filter or clock is refused, and what it rejects with later ends nothing', async () => {
  const { things } = await open()
  await things.put({ k: 'a', n: 1 })
  const filter = async (): Promise<boolean> => {
    throw broken
  }
  expect(await codeOf(() => things.scan({ k: 'a' }, { filter: filter as never }).count())).toBe('INVALID_OPTION')
  expect(await codeOf(() => things.readAll({ filter: filter as never }).count())).toBe('INVALID_OPTION')
  const { things: timeless } = await open({ clock: filter as never })
  expect(await codeOf(() => timeless.put({ k: 'a', n: 1 }))).toBe('INVALID_OPTION')
  await later()
  expect(rejections).toEqual([])
})
