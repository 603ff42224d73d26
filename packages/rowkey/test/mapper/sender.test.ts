import { afterEach, expect, test, vi } from 'vitest'
import { nullable, text, uint32 } from '#codec'
import { copyTable, createMapper, type Mapper } from '#mapper'
import { memory } from '#memory'
import { defineTable } from '#model'
import type { Adapter, MaybePromise } from '#store/adapter'
import { Sender } from '../../src/mapper/table/sender.js'

// Every write of a mapper passes its sender: a call of the adapter's `write` that no call of the sender has under way is reported.
const Plain = defineTable('plain', {
  columns: { id: text(), n: uint32({ default: 0 }), note: nullable(text()) },
  key: ['id'],
  version: 'rev',
})
const Checked = defineTable('checked', {
  columns: { id: text(), n: uint32() },
  key: ['id'],
  check: { '~standard': { version: 1, vendor: 'test', validate: () => ({}) } },
})
const Copied = defineTable('copied', { columns: { id: text(), n: uint32({ default: 0 }), note: nullable(text()) }, key: ['id'] })

const doors = ['one', 'many', 'each', 'atomic', 'held'] as const satisfies readonly (keyof Sender)[]
type Door = (this: Sender, ...args: unknown[]) => MaybePromise<unknown>

interface Sent {
  /** What was called of the sender, in order. */
  readonly calls: string[]
  /** Mutations that reached the adapter within such a call, and those that did not. */
  inside: number
  outside: number
}

afterEach(() => vi.restoreAllMocks())

async function watched(): Promise<{ readonly db: Mapper; readonly sent: Sent }> {
  const sent: Sent = { calls: [], inside: 0, outside: 0 }
  let open = 0
  for (const door of doors) {
    const methods = Sender.prototype as unknown as Record<(typeof doors)[number], Door>
    const original = methods[door]
    vi.spyOn(methods, door).mockImplementation(function (this: Sender, ...args) {
      sent.calls.push(door)
      open++
      const close = (): void => {
        open--
      }
      let answer: MaybePromise<unknown>
      try {
        answer = original.apply(this, args)
      } catch (error) {
        close()
        throw error
      }
      if (answer instanceof Promise) answer.then(close, close)
      else close()
      return answer
    })
  }
  const adapter: Adapter = memory()
  const write = adapter.write.bind(adapter)
  adapter.write = (batch, options) => {
    sent[open > 0 ? 'inside' : 'outside'] += batch.length
    return write(batch, options)
  }
  const db = createMapper(adapter)
  await db.ensureTables([Plain, Checked, Copied])
  for (let i = 0; i < 3; i++) {
    await db.repository(Plain).put({ id: `${i}` })
    await db.repository(Checked).put({ id: `${i}`, n: 1 })
  }
  Object.assign(sent, { inside: 0, outside: 0 })
  sent.calls.length = 0
  return { db, sent }
}

/** Name, what it calls, what of the sender it has to call, and how many mutations arrive. */
const paths: readonly (readonly [string, (db: Mapper) => Promise<unknown>, readonly string[], number])[] = [
  ['insert', (db) => db.repository(Plain).insert({ id: 'new' }), ['one'], 1],
  ['insert, with a check', (db) => db.repository(Checked).insert({ id: 'new', n: 2 }), ['one'], 1],
  ['put', (db) => db.repository(Plain).put({ id: '1' }), ['one'], 1],
  ['putMany', (db) => db.repository(Plain).putMany([{ id: '1' }, { id: 'new' }]), ['many'], 2],
  ['update', (db) => db.repository(Plain).update({ id: '1' }, { n: 2 }), ['one'], 1],
  ['update, with a check', (db) => db.repository(Checked).update({ id: '1' }, { n: 2 }), ['held'], 1],
  ['upsert', (db) => db.repository(Plain).upsert({ id: 'new', n: 2 }), ['one'], 1],
  ['upsert, with a check', (db) => db.repository(Checked).upsert({ id: 'new', n: 2 }), ['held'], 1],
  ['increment', (db) => db.repository(Plain).increment({ id: '1' }, { n: 2 }), ['one'], 1],
  ['increment, with a check', (db) => db.repository(Checked).increment({ id: '1' }, { n: 2 }), ['held'], 1],
  ['modify', (db) => db.repository(Plain).modify({ id: '1' }, ({ n }) => ({ n: n + 1 })), ['held'], 1],
  ['modify, asynchronous', (db) => db.repository(Plain).modify({ id: '1' }, ({ n }) => Promise.resolve({ n: n + 1 })), ['one'], 1],
  ['delete', (db) => db.repository(Plain).delete({ id: '1' }), ['one'], 1],
  ['deleteMany', (db) => db.repository(Plain).deleteMany([{ id: '1' }, { id: '2' }]), ['many'], 2],
  ['deleteAll', (db) => db.repository(Plain).scan({}, { unbounded: true }).deleteAll(), ['each'], 3],
  ['putMany, a stream', (db) => db.repository(Plain).putMany([{ id: '1' }, { id: 'new' }].values()), ['many'], 2],
  ['putMany, with patience', (db) => db.repository(Plain).putMany([{ id: 'new' }], { patience: '1m' }), ['many'], 1],
  [
    'write',
    (db) => {
      const { ops } = db.repository(Plain)
      return db.write([ops.insert({ id: 'new' }), ops.delete({ id: '1' }), db.repository(Checked).ops.put({ id: '1', n: 3 })])
    },
    ['many'],
    3,
  ],
  [
    'write, atomic',
    (db) => {
      const { ops } = db.repository(Plain)
      return db.write([ops.update({ id: '0' }, { n: 1 }), ops.upsert({ id: 'new' }), ops.increment({ id: '1' }, { n: 1 })], {
        atomic: true,
      })
    },
    ['atomic'],
    3,
  ],
  ['copyTable', (db) => copyTable(db.repository(Plain), db.repository(Copied), { map: ({ rev: _, ...row }) => row }), ['many'], 3],
]

test.each(paths)('%s passes the sender', async (_, write, calls, mutations) => {
  const { db, sent } = await watched()
  await write(db)
  expect(sent).toEqual({ calls, inside: mutations, outside: 0 })
})

test('every method of a repository that writes is in the list above', () => {
  const reads = ['get', 'getOrThrow', 'exists', 'getMany', 'scan', 'readAll', 'keyOf', 'parts', 'encodeKey', 'decodeKey', 'locate']
  const repository: object = Object.getPrototypeOf(createMapper(memory()).repository(Plain)) as object
  const isPublic = (name: string): boolean => !['constructor', 'shownWith', 'readOptions'].includes(name)
  const methods = Object.getOwnPropertyNames(repository).filter(isPublic)
  const listed = new Set(paths.map(([name]) => name))
  expect(methods.filter((name) => !reads.includes(name) && !listed.has(name))).toEqual([])
})
