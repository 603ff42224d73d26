import { expect, test } from 'vitest'
import { alive } from '../../../../test/setup/garbage.js'
import { defineTable } from '#model'
import { int32, text } from '#codec'
import { Cancellation, applied, unprocessed } from '../../src/store/adapter/index.js'
import type { Adapter, Mutation, Outcome } from '../../src/store/adapter/index.js'
import { writeMany } from '../../src/store/write/write-many.js'
import { turnsOf } from '../../src/store/write/row-turns.js'
import { writeNow, writeOne } from '../../src/store/write/write-one.js'
import { defaultAttempts, type Writer } from '../../src/store/write/write-request.js'

const Rows = defineTable('rows', { columns: { k: text(), v: int32() }, key: ['k'] })
const put = (k: string, v: number): Mutation => ({ kind: 'put', schema: Rows, row: [k, v] })
const add = (k: string): Mutation => ({ kind: 'update', schema: Rows, row: [k, 0], set: [], additions: [{ column: 1, by: 1 }] })

/** Answers when it is told to. */
function waiting(capabilities: object = {}) {
  const sent: { readonly batch: readonly Mutation[]; readonly answer: (outcome?: Outcome | Error) => Promise<void> }[] = []
  const adapter = {
    capabilities,
    write: (batch: readonly Mutation[]) =>
      new Promise<readonly Outcome[]>((resolve, reject) => {
        sent.push({
          batch,
          answer: async (outcome = applied) => {
            if (outcome instanceof Error) reject(outcome)
            else resolve(batch.map(() => outcome))
            await moment()
          },
        })
      }),
  } as unknown as Adapter
  const writer: Writer = { adapter, turns: turnsOf(adapter), storeOf: () => undefined, random: () => 0, sleep: () => moment() }
  const shown = () => sent.map(({ batch }) => batch.map(({ row }) => row.join('')).join(' '))
  return { sent, shown, writer }
}

const moment = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 5))
const request = { now: 0, attempts: defaultAttempts }

test('WRITE-23: writes of one row are sent one after the other, those of different rows together', async () => {
  const { sent, shown, writer } = waiting()
  const all = Promise.all([
    writeOne(writer, put('a', 1), request),
    writeOne(writer, put('b', 1), request),
    writeMany(writer, [put('a', 2), put('c', 2)], request),
    writeOne(writer, put('c', 3), request),
    writeOne(writer, put('a', 4), request),
  ])
  await moment()
  expect(shown()).toEqual(['a1', 'b1'])
  await sent[0]?.answer()
  expect(shown().slice(2)).toEqual(['a2 c2'])
  await sent[2]?.answer()
  expect(shown().slice(3)).toEqual(['c3', 'a4'])
  for (const each of sent) await each.answer()
  await all
})

test('WRITE-23: a write that is repeated comes before those that were called after it', async () => {
  const { sent, shown, writer } = waiting()
  const both = Promise.all([writeOne(writer, put('a', 1), request), writeOne(writer, put('a', 2), request)])
  await sent[0]?.answer(unprocessed)
  await moment()
  expect(shown()).toEqual(['a1', 'a1'])
  await sent[1]?.answer()
  expect(shown()).toEqual(['a1', 'a1', 'a2'])
  await sent[2]?.answer()
  await both
})

test('WRITE-23: a write that fails neither stops nor fails the next one', async () => {
  const { sent, shown, writer } = waiting()
  const first = Promise.resolve(writeOne(writer, put('a', 1), request)).catch((error: unknown) => error)
  const second = writeOne(writer, put('a', 2), request)
  await sent[0]?.answer(new Error('lost'))
  expect(await first).toMatchObject({ code: 'OUTCOME_UNKNOWN' })
  expect(shown()).toEqual(['a1', 'a2'])
  await sent[1]?.answer()
  await second
})

test('WRITE-23: a write whose caller stops waiting before its turn is not sent, and one whose caller stops waiting later makes way', async () => {
  const { sent, shown, writer } = waiting()
  const abort = [new AbortController(), new AbortController()] as const
  const [first, second] = abort.map(({ signal }, i) =>
    Promise.resolve(writeOne(writer, put('a', i), { ...request, cancellation: new Cancellation({ signal }) })).catch(
      (error: unknown) => error,
    ),
  )
  const third = writeOne(writer, put('a', 3), request)
  abort[1].abort('second')
  expect(await second).toBe('second')
  await moment()
  expect(shown()).toEqual(['a0'])
  abort[0].abort('first')
  expect(await first).toBe('first')
  await moment()
  expect(shown()).toEqual(['a0', 'a3'])
  await sent[1]?.answer()
  await third
})

test('WRITE-23: increments go together, and wait for what comes before them', async () => {
  const { sent, shown, writer } = waiting()
  const all = Promise.all<unknown>(
    [put('a', 1), add('a'), add('a'), put('a', 2), add('a')].map((each) => Promise.resolve(writeOne(writer, each, request))),
  )
  await sent[0]?.answer()
  expect(shown()).toEqual(['a1', 'a0', 'a0'])
  await sent[2]?.answer()
  expect(shown()).toHaveLength(3)
  await sent[1]?.answer()
  expect(shown().slice(3)).toEqual(['a2'])
  await sent[3]?.answer()
  await sent[4]?.answer()
  await all
})

test('WRITE-23: a batch of several rounds is one write', async () => {
  const { sent, shown, writer } = waiting()
  const batch = writeMany(writer, [add('a'), add('a'), put('b', 1)], request)
  const next = [writeOne(writer, put('a', 3), request), writeOne(writer, put('b', 3), request)]
  await sent[0]?.answer()
  expect(shown()).toEqual(['a0 b1', 'a0'])
  await sent[1]?.answer()
  expect(shown().slice(2)).toEqual(['a3', 'b3'])
  for (const each of sent.slice(2)) await each.answer()
  await Promise.all([batch, ...next])
})

test('WRITE-23: a held turn holds up later writes until it ends or is left, and its own do not wait', async () => {
  const { sent, shown, writer } = waiting()
  const change = (v: number, isLeft: boolean) => async (leave: () => void) => {
    await moment()
    if (isLeft) leave()
    return isLeft ? moment() : writeNow(writer, put('a', v), request)
  }
  const first = writeOne(writer, put('a', 1), request)
  const held = writer.turns.hold(put('a', 0), change(2, false), undefined)
  const third = writeOne(writer, put('a', 3), request)
  const left = writer.turns.hold(put('a', 0), change(4, true), undefined)
  const last = writeOne(writer, put('a', 5), request)
  await moment()
  expect(shown()).toEqual(['a1'])
  await sent[0]?.answer()
  await moment()
  expect(shown()).toEqual(['a1', 'a2'])
  await sent[1]?.answer()
  await held
  await moment()
  expect(shown()).toEqual(['a1', 'a2', 'a3'])
  await sent[2]?.answer()
  await moment()
  await moment()
  expect(shown()).toEqual(['a1', 'a2', 'a3', 'a5'])
  await sent[3]?.answer()
  await Promise.all([first, third, left, last])
})

test('ADAPTER-19: an adapter that keeps the order gets calls up to its size immediately', async () => {
  const { sent, shown, writer } = waiting({ ordered: 2 })
  const ended: string[] = []
  const one = async (mutation: Mutation): Promise<unknown> => writeOne(writer, mutation, request)
  const all = [
    one(put('a', 1)),
    writeMany(writer, [put('a', 2), put('b', 2)], request),
    one(put('a', 3)),
    writer.turns.hold(put('a', 0), async () => void ended.push('held'), undefined),
    writeMany(writer, [put('b', 4), put('c', 4), put('d', 4)], request),
    one(put('c', 5)),
  ]
  expect(shown()).toEqual(['a1', 'a2 b2', 'a3'])
  for (const each of sent.slice(0, 2)) await each.answer()
  expect(ended).toEqual([])
  await sent[2]?.answer()
  expect(ended).toEqual(['held'])
  expect(shown().slice(3)).toEqual(['b4 c4 d4'])
  await sent[3]?.answer()
  expect(shown().slice(4)).toEqual(['c5'])
  await sent[4]?.answer()
  await Promise.all(all)
})

test('ADAPTER-19: what waits for calls that are kept in order also waits for those before one whose caller has stopped waiting', async () => {
  const { sent, shown, writer } = waiting({ ordered: 1 })
  const abort = new AbortController()
  const first = writeOne(writer, put('a', 1), request)
  const second = Promise.resolve(
    writeOne(writer, put('b', 1), { ...request, cancellation: new Cancellation({ signal: abort.signal }) }),
  ).catch((error: unknown) => error)
  abort.abort('enough')
  expect(await second).toBe('enough')
  const ended: string[] = []
  const held = writer.turns.hold(put('a', 0), async () => void ended.push('held'), undefined)
  await moment()
  expect([ended, shown()]).toEqual([[], ['a1', 'b1']])
  await sent[0]?.answer()
  await sent[1]?.answer()
  await Promise.all([first, held])
  expect(ended).toEqual(['held'])
})

test('WRITE-23: a row that is never free keeps nothing of the writes before', async () => {
  const { sent, writer } = waiting()
  const returned: WeakRef<object>[] = []
  let last: unknown = writeOne(writer, put('a', 0), request)
  for (let i = 1; i < 20; i++) {
    const next = Promise.resolve(writeOne(writer, put('a', i), request))
    const row = ['a', i]
    returned.push(new WeakRef(row))
    await sent.shift()?.answer({ kind: 'applied', row }) // nothing of the test may hold it either
    await last
    last = next
  }
  expect(await alive(returned.slice(0, 15))).toBe(0)
  await sent.shift()?.answer()
  await last
})
