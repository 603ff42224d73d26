import { expect, test } from 'vitest'
import { scaled } from '@rowkey/servers/scale'
import { seeded, type Random } from '../../../test/kit/seeded.js'
import type { Result } from '../src/requests.js'
import { Input } from '../src/thrift/input.js'
import { results } from '../src/decode/results.js'
import { framed } from './fake-gateway.js'
import { encodeReply } from './oracle.js'
import { answerCases, cut, pendingOf, receive } from './random-answers.js'

const lengths = [0x7fffffff, 0x80000000, 0xffffffff, 0x00ffffff, 0, 1]

/** What a faulty or evil server may make of an answer. */
function mutate(bytes: Buffer, random: Random): Buffer {
  const { below } = random
  let mutated = Buffer.from(bytes)
  for (let left = 1 + below(3); left > 0; left--) {
    const at = below(Math.max(1, mutated.length))
    const kind = below(6)
    if (mutated.length === 0) return mutated
    if (kind === 0) mutated[at] = below(256)
    else if (kind === 1) mutated = mutated.subarray(0, at)
    else if (kind === 2 && mutated.length > 4) mutated.writeUInt32BE(lengths[below(lengths.length)] ?? 0, below(mutated.length - 3))
    else if (kind === 3) mutated = Buffer.concat([mutated.subarray(0, at), Buffer.from([below(256)]), mutated.subarray(at)])
    else if (kind === 4) mutated = Buffer.concat([mutated.subarray(0, at), mutated.subarray(at + 1 + below(8))])
    // A part of it again: fields that are there twice.
    else mutated = Buffer.concat([mutated.subarray(0, at), mutated.subarray(below(at + 1), at), mutated.subarray(at)])
  }
  return mutated
}

test('a damaged answer is read, refused or waited for: nothing else is thrown, and steps and cells stay in proportion to its bytes', async () => {
  const random = seeded()
  const { has } = Input.prototype
  let steps = 0
  Input.prototype.has = function (length) {
    steps++
    return has.call(this, length)
  }
  const outcomes = { read: 0, malformed: 0, more: 0 }
  const total = scaled(100_000)
  try {
    for (let done = 0; done < total;) {
      for (const { bytes, pending } of answerCases(random)) {
        const isFramed = random.below(4) === 0
        const mutated = mutate(isFramed ? framed(bytes) : bytes, random)
        steps = 0
        const outcome = receive(pending, cut(mutated, random, 1 + random.below(300)), { isFramed, maxBytes: 2 ** 31 - 1 })
        outcomes[outcome]++
        done++
        // Each piece may ask once more for what it did not complete.
        expect(steps).toBeLessThan(2 * mutated.length + 100)
        const value = pending.isSettled
          ? await pending.promise.catch((error: unknown) => (error as { readonly code: string }).code)
          : undefined
        if (typeof value === 'string') expect(['SERVER', 'GATEWAY']).toContain(value)
        const cells = Array.isArray(value) ? (value as Result[]).reduce((sum, row) => sum + (row.cells?.length ?? 0), 0) : 0
        expect(cells).toBeLessThanOrEqual(mutated.length / 22)
      }
    }
  } finally {
    Input.prototype.has = has
  }
  for (const count of Object.values(outcomes)) expect(count).toBeGreaterThan(total / 100)
})

const call = 'getScannerResults'
const [BOOL, STRING, STRUCT, MAP, LIST] = [2, 11, 12, 13, 15]
const head = encodeReply(call, 1, {}).subarray(0, -1)
const integer = (value: number): number[] => [value >>> 24, value >>> 16, value >>> 8, value].map((byte) => byte & 255)
const answerOf = (...bytes: readonly number[]): Buffer => Buffer.concat([head, Buffer.from(bytes)])
/** A result with a list of rows. */
const rowsOf = (count: number, ...bytes: readonly number[]): Buffer => answerOf(LIST, 0, 0, STRUCT, ...integer(count), ...bytes)
/** A row with an unknown field before its cells. */
const unknown = (type: number, ...bytes: readonly number[]): Buffer =>
  rowsOf(1, type, 0, 99, ...bytes, LIST, 0, 2, STRUCT, 0, 0, 0, 0, 0, 0)

test.each([
  ['more rows than were asked for', rowsOf(11)],
  ['a negative count', rowsOf(-1)],
  ['a count that no answer can have', rowsOf(0x7fffffff)],
  ['a row of a negative length', rowsOf(1, STRING, 0, 1, ...integer(-5))],
  ['a row longer than an answer may be', rowsOf(1, STRING, 0, 1, ...integer(0x7fffff00))],
  ['cells of a wrong type', rowsOf(1, LIST, 0, 2, STRING, ...integer(1))],
  ['a type that does not exist', rowsOf(1, 99, 0, 1)],
  ['a list of a type that does not exist', unknown(LIST, 99, ...integer(1))],
  ['a row without cells', rowsOf(1, 0, 0)],
  ['a cell without a value', rowsOf(1, LIST, 0, 2, STRUCT, ...integer(1), ...Array<number>(22).fill(0))],
  ['no result', answerOf(0)],
  ['a result of another type', answerOf(BOOL, 0, 0, 1, 0)],
  ['deep nesting', unknown(STRUCT, ...Array.from({ length: 50 }, () => [STRUCT, 0, 1]).flat())],
  ['another call', encodeReply('getScannerRows', 1, { success: [] })],
  ['another number', encodeReply(call, 2, { success: [] })],
  ['a request instead of an answer', Buffer.concat([Buffer.from([0x80, 1, 0, 1]), encodeReply(call, 1, { success: [] }).subarray(4)])],
  ['no strict protocol', encodeReply(call, 1, { success: [] }).subarray(4)],
  ['a long name', Buffer.from([0x80, 1, 0, 2, ...integer(5_000)])],
  ['an answer too many', Buffer.concat([encodeReply(call, 1, { success: [] }), encodeReply(call, 1, { success: [] })])],
])('%s is refused', (_, bytes) => {
  expect(receive(pendingOf(call, 1, results(10)), [bytes], { maxBytes: 2 ** 20 })).toBe('malformed')
})

test.each([
  ['a frame longer than an answer may be', framed(Buffer.alloc(2_000))],
  ['a frame of a negative length', Buffer.from([255, 255, 255, 255])],
  ['a frame shorter than its answer', Buffer.concat([Buffer.from(integer(10)), encodeReply(call, 1, { success: [] })])],
  ['a frame longer than its answer', framed(Buffer.concat([encodeReply(call, 1, { success: [] }), Buffer.from([0])]))],
])('%s is refused', (_, bytes) => {
  expect(receive(pendingOf(call, 1, results(10)), [bytes], { isFramed: true, maxBytes: 1_999 })).toBe('malformed')
})

test.each([
  ['a flag', unknown(BOOL, 1)],
  ['text', unknown(STRING, ...integer(3), 1, 2, 3)],
  ['a list of structs', unknown(LIST, STRUCT, ...integer(2), BOOL, 0, 1, 1, 0, 0)],
  ['a list of numbers', unknown(LIST, 8, ...integer(2), ...integer(1), ...integer(2))],
  ['a set of text', unknown(14, STRING, ...integer(1), ...integer(1), 65)],
  ['a map of text to lists', unknown(MAP, STRING, LIST, ...integer(1), ...integer(1), 65, BOOL, ...integer(1), 1)],
  ['an empty map', unknown(MAP, BOOL, BOOL, ...integer(0))],
])('a field that nobody knows is passed over: %s', async (_, bytes) => {
  const pending = pendingOf(call, 1, results(10))
  expect(receive(pending, cut(bytes, seeded(), 3))).toBe('read')
  expect(await pending.promise).toEqual([{ row: undefined, cells: [] }])
})

test('a field that is there twice counts once: the last one', async () => {
  const pending = pendingOf(call, 1, results(10))
  const empty = [LIST, 0, 2, STRUCT, ...integer(0)]
  receive(pending, [rowsOf(1, STRING, 0, 1, ...integer(1), 65, ...empty, STRING, 0, 1, ...integer(1), 66, ...empty, 0, 0)])
  expect(await pending.promise).toEqual([{ row: new Uint8Array([66]), cells: [] }])
})

test('what a server says is one line without control characters, and not longer than anybody reads', async () => {
  const { pending, bytes } = {
    pending: pendingOf('put', 1, undefined),
    bytes: encodeReply('put', 1, { io: { message: `org.x.EvilException: \u001b[31m\u202e${'a'.repeat(10_000)}\nat x`, canRetry: false } }),
  }
  receive(pending, [bytes])
  const error = await pending.promise.then(undefined, (thrown: unknown) => thrown as Error)
  expect(error).toMatchObject({ code: 'SERVER', javaClass: 'EvilException', canRetry: false, isSent: false })
  expect((error as Error).message).toMatch(/^put\(\) was refused by HBase: org\.x\.EvilException: \\u001b\[31m\\u202ea+…$/)
  expect((error as Error).message.length).toBeLessThan(600)
})

test('of what the gateway repeated, the last failure is told', async () => {
  const failure = (at: number, why: string): string =>
    `2026-11-26T11:33:0${at}.351Z, RpcRetryingCaller{globalStartTime=x, pause=100}, java.lang.${why}`
  const message = `Failed after attempts=2, exceptions:\n${failure(1, 'FirstException: a')}\n${failure(2, 'IllegalArgumentException: b')}\n\n\tat x`
  const pending = pendingOf('put', 1, undefined)
  receive(pending, [encodeReply('put', 1, { io: { message, canRetry: true } })])
  await expect(pending.promise).rejects.toMatchObject({
    javaClass: 'IllegalArgumentException',
    serverMessage: 'java.lang.IllegalArgumentException: b',
    canRetry: true,
  })
})
