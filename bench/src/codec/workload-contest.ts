import type { Contest, Contestant, Facts, Operation } from '../duel/contestant.js'
import type { Candidate, Codec } from './candidates/candidate.js'
import { md5Digests } from './candidates/md5-recipes.js'
import { orderedBinary } from './candidates/peers.js'
import { misplaced, sameCells } from './correct.js'
import { relatedSampleOf, sampleOf } from './sample.js'
import { sameAsRowkey } from './same-as-rowkey.js'
import type { Cells, Column, Workload } from './workloads.js'

/** Encoding and decoding the keys of one workload. */
export function workloadContest(workload: Workload, candidates: readonly Candidate[]): Contest {
  const parties = candidates.filter((candidate) => candidate.takesPart(workload))
  return {
    id: workload.id,
    title: workload.title,
    base: parties.includes(orderedBinary) ? orderedBinary.name : 'ordered-binary + createHash',
    ...(workload.decodeBase === undefined ? {} : { otherBase: { decode: workload.decodeBase } }),
    operations: ['encode', 'into', 'decode'],
    allocation: true,
    parties: new Map(parties.map((candidate) => [candidate.name, () => contestant(workload, candidate)])),
  }
}

async function contestant(workload: Workload, candidate: Candidate): Promise<Contestant> {
  const codec = await candidate.codec(workload)
  const checked = [...sampleOf(workload), ...relatedSampleOf(workload)]
  if (candidate.sameBytes === true) sameAsRowkey(workload, codec, checked)
  const wrong = wrongResults(workload, candidate, codec, checked)
  const inputs = sampleOf(workload).map((each) => codec.toKey(each))
  const keys = inputs.map((key) => inOnePiece(codec.encode(key)))
  const operations = Object.entries(operationsOf(codec, inputs, keys)).filter(([name]) => !(name in wrong))
  const keyBytes = keys.reduce((sum, key) => sum + Buffer.byteLength(key), 0) / keys.length
  return {
    operations: Object.fromEntries(operations),
    facts: { keyBytes, wrong },
    ...(codec.meanwhile === undefined ? {} : { meanwhile: codec.meanwhile }),
  }
}

/** A string that was put together of parts is joined by its first reader; that is part of encoding it. */
let joined = 0

function operationsOf(codec: Codec, inputs: readonly unknown[], keys: readonly (Uint8Array | string)[]): Record<string, Operation> {
  const { encode, encodeInto, decode } = codec
  const encodeWhole = (input: never): unknown => {
    const text = encode(input) as string
    joined = (joined + text.charCodeAt(0)) | 0
    return text
  }
  return {
    encode: { inputs, run: typeof keys[0] === 'string' ? encodeWhole : encode },
    ...(encodeInto === undefined ? {} : { into: { inputs, run: encodeInto } }),
    ...(decode === undefined ? {} : { decode: { inputs: keys, run: decode } }),
  }
}

function wrongResults(workload: Workload, candidate: Candidate, codec: Codec, cells: readonly Cells[]): NonNullable<Facts['wrong']> {
  const inputs = cells.map((each) => codec.toKey(each))
  const keys = inputs.map((input) => kept(codec.encode(input)))
  const descends = candidate.descends === true
  const order = candidate.unordered === true ? 0 : misplaced({ ...withSalt(workload, cells), keys, descends })
  const changed = cells.filter((wanted, i) => !sameCells(decodedCells(codec, keys[i]), wanted)).length
  const different = inputs.filter((input, i) => !writesSame(codec, input, keys[i])).length
  return {
    ...(order === 0 ? {} : { encode: `order ${order}/${keys.length - 1}` }),
    ...(different === 0 ? {} : { into: `differs ${different}/${keys.length}` }),
    ...(changed === 0 ? {} : { decode: `wrong ${changed}/${keys.length}` }),
  }
}

/** A salt is one more column, in front. */
function withSalt(
  { columns, salt }: Workload,
  cells: readonly Cells[],
): { readonly columns: readonly Column[]; readonly cells: readonly Cells[] } {
  if (salt === undefined) return { columns, cells }
  const at = columns.findIndex(({ name }) => name === salt)
  return {
    columns: [{ name: 'salt', kind: 'text' }, ...columns],
    cells: cells.map((each) => [md5Digests.createHash(each[at] as string), ...each]),
  }
}

function decodedCells(codec: Codec, key: unknown): unknown {
  try {
    const decoded = codec.decode?.(key as string)
    return codec.toCells === undefined ? decoded : codec.toCells(decoded)
  } catch {
    return undefined
  }
}

function writesSame(codec: Codec, input: unknown, key: unknown): boolean {
  const end = codec.encodeInto?.(input)
  return end === undefined || Buffer.compare((codec.scratch as Uint8Array).subarray(0, end), key as Uint8Array) === 0
}

/** Some codecs hand out memory that they write to again. */
const kept = (key: Uint8Array | string): Uint8Array | string => (typeof key === 'string' ? key : Buffer.from(key))

function inOnePiece(key: Uint8Array | string): Uint8Array | string {
  if (typeof key !== 'string') return key
  const copy = Buffer.from(key, 'utf8').toString('utf8')
  return copy === key ? copy : key // a lone surrogate does not survive
}
