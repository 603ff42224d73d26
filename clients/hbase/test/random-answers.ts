import type { Random } from '../../../test/kit/seeded.js'
import { regions, tableDescriptor } from '../src/decode/tables.js'
import { result, results } from '../src/decode/results.js'
import type { Cell, Result } from '../src/requests.js'
import { bool, int32, list, text } from '../src/thrift/read.js'
import { MalformedAnswer } from '../src/thrift/input.js'
import { Answers } from '../src/transport/answers.js'
import { Pending } from '../src/transport/pending.js'
import { encodeException, encodeReply, type Struct } from './oracle.js'

// Answers of every call that has one, with what a client must make of them.

export interface AnswerCase {
  readonly call: string
  readonly bytes: Buffer
  readonly pending: Pending
}

const bytesOf = ({ below }: Random, min: number, max: number): Buffer =>
  Buffer.from(Array.from({ length: min + below(max - min + 1) }, () => below(256)))

/** A row as npm thrift writes it, or none. */
export function randomRow(random: Random): Struct {
  const { below } = random
  if (below(10) === 0) return { columnValues: [] }
  const columnValues = Array.from({ length: below(5) }, (_, column) => ({
    family: Buffer.from(below(9) === 0 ? 'g' : 'f'),
    qualifier: below(3) === 0 ? bytesOf(random, 0, 3) : Buffer.from([column]),
    value: bytesOf(random, 0, below(20) === 0 ? 5_000 : 40),
    timestamp: BigInt.asIntN(64, BigInt(below(2 ** 32)) << BigInt(below(40))) * (below(5) === 0 ? -1n : 1n),
    // What our reader does not know.
    tags: below(5) === 0 ? bytesOf(random, 0, 9) : undefined,
    type: below(5) === 0 ? 4 : undefined,
  }))
  const stale = below(5) === 0 ? true : undefined
  return { row: bytesOf(random, 1, 30), columnValues, stale, partial: below(5) === 0 ? false : undefined }
}

/** What a client makes of it, as plain values. */
export const expectedRow = ({ row, columnValues }: Struct): unknown => ({
  row,
  cells: (columnValues as readonly Struct[]).map(({ family, qualifier, value, timestamp }) => ({ family, qualifier, value, timestamp })),
})

/** A row that was read, as plain values. */
export const plain = ({ row, cells }: Result): unknown => ({
  row: row && Buffer.from(row),
  cells: cells.map(({ family, qualifier, value, timestamp }: Cell) => ({
    family: Buffer.from(family),
    qualifier: Buffer.from(qualifier),
    value: Buffer.from(value),
    timestamp,
  })),
})

export const pendingOf = (call: string, sequence: number, answer: Pending['answer']): Pending => {
  const pending = new Pending(call, sequence, new Uint8Array(0), answer)
  pending.promise.catch(() => undefined)
  return pending
}

/** An answer of each sort. */
export function answerCases(random: Random): readonly AnswerCase[] {
  const { below } = random
  const rows = Array.from({ length: below(6) }, () => randomRow(random))
  const sequence = below(2 ** 31)
  const reply = (call: string, answer: Pending['answer'], success: Struct): AnswerCase => ({
    call,
    bytes: encodeReply(call, sequence, success),
    pending: pendingOf(call, sequence, answer),
  })
  const family = {
    name: Buffer.from('f'),
    attributes: [[Buffer.from('a'), Buffer.from('b')] as const],
    maxVersions: 3,
    compressionType: below(9),
    timeToLive: 9,
  }
  const descriptor = { tableName: { ns: Buffer.from('n'), qualifier: Buffer.from('t') }, columns: [family, family], durability: 1 }
  const location = {
    serverName: { hostName: 'h', port: 1, startCode: 5n },
    regionInfo: {
      regionId: 0x1a2_fedc_ba98n,
      tableName: Buffer.from('t'),
      startKey: bytesOf(random, 0, 5),
      endKey: bytesOf(random, 0, 5),
      offline: false,
    },
  }
  return [
    reply('get', result, { success: randomRow(random) }),
    reply('getScannerResults', results(10), { success: rows }),
    reply('getScannerResults', results(10), { io: { message: 'java.io.IOException: no\n\tat x', canRetry: true } }),
    reply('getScannerRows', results(10), { ia: { message: 'Invalid scanner Id' } }),
    reply('put', undefined, {}),
    reply('deleteMultiple', undefined, { success: [{ row: bytesOf(random, 1, 5), columns: [{ family: bytesOf(random, 1, 3) }] }] }),
    reply('checkAndPut', bool, { success: below(2) === 0 }),
    reply('openScanner', int32, { success: below(100) }),
    reply('getTableDescriptor', tableDescriptor, { success: descriptor }),
    reply('getAllRegionLocations', regions, { success: [location, location] }),
    reply('listNamespaces', list(text, 4), { success: ['default', 'n\u00e4'] }),
    {
      call: 'put',
      bytes: encodeException('put', sequence, 'Internal error processing put', 6),
      pending: pendingOf('put', sequence, undefined),
    },
  ]
}

/** What became of an answer that arrived in these pieces. */
export function receive(
  pending: Pending,
  pieces: Iterable<Uint8Array>,
  { isFramed = false, maxBytes = 2 ** 20 } = {},
): 'read' | 'malformed' | 'more' {
  let isDone = false
  const answers = new Answers(
    isFramed,
    maxBytes,
    () => (isDone ? undefined : pending),
    () => (isDone = true),
  )
  try {
    for (const piece of pieces) answers.push(piece)
  } catch (error) {
    if (error instanceof MalformedAnswer) return 'malformed'
    throw error
  }
  return isDone ? 'read' : 'more'
}

/** Bytes in pieces that are cut anywhere. */
export function* cut(bytes: Uint8Array, { below }: Random, maxPiece: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length;) {
    const length = 1 + below(maxPiece)
    yield bytes.subarray(at, at + length)
    at += length
  }
}
