import { scaled } from '@rowkey/servers/scale'
import { expect, test } from 'vitest'
import { seeded, type Random } from '../../../test/kit/seeded.js'
import { MalformedAnswer } from '../src/malformed-answer.js'
import { decode, encode } from '../src/proto/codec.js'
import { responseHeader } from '../src/proto/rpc.js'
import { answerOf, Frames } from '../src/transport/frames.js'
import { frame, lengthOf } from './fake-server.js'
import { all, encodeTheirs, randomPair, type Compared } from './proto-oracle.js'

const lengths = [0x7fffffff, 0x80000000, 0xffffffff, 0x00ffffff, 0, 1]
const maxBytes = 2 ** 31 - 1

/** What a faulty or evil server may make of its answers. */
function mutate(bytes: Buffer, { below }: Random): Buffer {
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

function answers(compared: Compared, random: Random): Buffer {
  const { below } = random
  return Buffer.concat(
    Array.from({ length: 1 + below(3) }, (_, callId) => {
      const message = encodeTheirs(compared, randomPair(compared, random, true).theirs)
      const sidecars = Array.from({ length: below(3) }, () => Buffer.alloc(below(50), callId))
      let offset = message.length
      const sidecarOffsets = sidecars.map((sidecar) => {
        const start = offset
        offset += sidecar.length
        return start
      })
      return frame(encode(responseHeader, { callId, sidecarOffsets }), Buffer.concat([message, ...sidecars]))
    }),
  )
}

/** How much is in a value, counted as objects, lists, texts and bytes. */
function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return 1
  return Object.values(value).reduce<number>((sum, each) => sum + countOf(each), 1)
}

test('damaged answers are read, refused or waited for: nothing else is thrown, and what is read stays in proportion to its bytes', () => {
  const random = seeded()
  const { below } = random
  const outcomes = { read: 0, malformed: 0, more: 0 }
  const total = scaled(20_000)
  for (let done = 0; done < total; done++) {
    const compared = all[below(all.length)] as Compared
    const bytes = mutate(answers(compared, random), random)
    let framedBytes = 0
    const frames = new Frames(maxBytes, (one) => {
      framedBytes += one.length + 4
      const { message, sidecars } = answerOf(one)
      expect(sidecars.reduce((sum, { length }) => sum + length, message.length)).toBeLessThanOrEqual(one.length)
      // Each list of each message is there, even if it is empty.
      expect(countOf(decode(compared.shape, message))).toBeLessThanOrEqual(20 * (message.length + 1))
    })
    const size = 1 + below(300)
    try {
      for (let at = 0; at < bytes.length; at += size) frames.push(bytes.subarray(at, at + size))
      outcomes[frames.isEmpty ? 'read' : 'more']++
    } catch (error) {
      expect(error).toBeInstanceOf(MalformedAnswer)
      outcomes.malformed++
    }
    expect(framedBytes).toBeLessThanOrEqual(bytes.length)
  }
  for (const count of Object.values(outcomes)) expect(count).toBeGreaterThan(total / 100)
})

test('a length takes no memory before its bytes come', () => {
  const before = process.memoryUsage().arrayBuffers
  const waiting = Array.from({ length: 50 }, () => {
    const frames = new Frames(maxBytes, () => undefined)
    frames.push(lengthOf(maxBytes))
    for (let count = 0; count < 100; count++) frames.push(Buffer.of(1))
    return frames
  })
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10 * 2 ** 20)
  expect(waiting.every(({ isEmpty }) => !isEmpty)).toBe(true)
})

test('a frame in pieces is put together once', () => {
  const pieces = 20_000
  const { concat } = Buffer
  let copied = 0
  Buffer.concat = (list, length) => {
    copied += length ?? 0
    return concat(list, length)
  }
  try {
    let got = 0
    const frames = new Frames(maxBytes, (one) => (got = one.length))
    frames.push(lengthOf(pieces))
    for (let count = 0; count < pieces; count++) frames.push(Buffer.of(7))
    expect(got).toBe(pieces)
    expect(copied).toBeLessThan(2 * pieces)
  } finally {
    Buffer.concat = concat
  }
})
