import type { Row } from 'rowkey/codec'
import { decodeEvent, decodeEventRow, encodeEvent, writeEvent, type EventKey } from '../hand/event-key.js'
import { decodeScore, decodeScoreRow, encodeScore, writeScore, type ScoreKey } from '../hand/score-key.js'
import type { Candidate, Codec } from './candidate.js'

const scratch = Buffer.allocUnsafeSlow(8192)

const eventKeys: Codec<EventKey, Uint8Array> = {
  toKey: (cells) => ({ host: cells[0] as string, event: cells[1] as string, at: cells[2] as number }),
  encode: ({ host, event, at }) => encodeEvent(host, event, at),
  scratch,
  encodeInto: ({ host, event, at }) => writeEvent(scratch, 0, host, event, at),
  decode: decodeEvent,
  toCells(decoded) {
    const { host, event, at } = decoded as EventKey
    return [host, event, at]
  },
}

const eventRows: Codec<Row, Uint8Array> = {
  toKey: (cells) => cells,
  encode: (row) => encodeEvent(row[0] as string, row[1] as string, row[2] as number),
  scratch,
  encodeInto: (row) => writeEvent(scratch, 0, row[0] as string, row[1] as string, row[2] as number),
  decode: decodeEventRow,
}

const scoreKeys: Codec<ScoreKey, Uint8Array> = {
  toKey: (cells) => ({ id: cells[0] as Uint8Array, score: cells[1] as number }),
  encode: ({ id, score }) => encodeScore(id, score),
  scratch,
  encodeInto: ({ id, score }) => writeScore(scratch, 0, id, score),
  decode: decodeScore,
  toCells(decoded) {
    const { id, score } = decoded as ScoreKey
    return [id, score]
  },
}

const scoreRows: Codec<Row, Uint8Array> = {
  toKey: (cells) => cells,
  encode: (row) => encodeScore(row[0] as Uint8Array, row[1] as number),
  scratch,
  encodeInto: (row) => writeScore(scratch, 0, row[0] as Uint8Array, row[1] as number),
  decode: decodeScoreRow,
}

const written = (name: string, codecs: Readonly<Record<string, Codec>>): Candidate => ({
  name,
  descends: true,
  sameBytes: true,
  takesPart: ({ id }) => id in codecs,
  codec: async ({ columns }) => (columns[0]?.name === 'id' ? codecs['W5'] : codecs['W1']) as Codec,
})

/** Written out for one layout, in the format of rowkey: as fast as it can be. */
export const handWritten = written('hand-written', { W1: eventKeys, W5: scoreKeys })
export const handWrittenRows = written('hand-written, rows', { W1: eventRows, W5: scoreRows })
