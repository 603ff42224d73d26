import { readFileSync } from 'node:fs'
import protobuf, { type Field, type Message, type Type } from 'protobufjs'
import type { Random } from '../../../test/kit/seeded.js'
import { text, type Shape } from '../src/proto/codec.js'
import * as common from '../src/proto/common.js'
import * as messages from '../src/proto/messages.js'
import * as rpc from '../src/proto/rpc.js'

const { root } = protobuf.parse(readFileSync(new URL('fixtures/kudu.proto', import.meta.url), 'utf8'))
root.resolveAll()

/** A message of ours, and what Kudu calls it. */
export interface Compared {
  readonly name: string
  readonly shape: Shape<object>
  readonly type: Type
}

const compared = (name: string, shape: unknown): Compared => ({ name, shape: shape as Shape<object>, type: root.lookupType(name) })

const methods = Object.values<unknown>(messages).filter(
  (value): value is messages.Method<object, object> => typeof value === 'object' && 'request' in (value as object),
)

/** The messages of all calls, and those around them. */
export const all: readonly Compared[] = [
  ...methods.flatMap(({ name, request, response }) => [compared(`${name}RequestPB`, request), compared(`${name}ResponsePB`, response)]),
  compared('RequestHeader', rpc.requestHeader),
  compared('ResponseHeader', rpc.responseHeader),
  compared('ErrorStatusPB', rpc.errorStatus),
  compared('NegotiatePB', rpc.negotiate),
  compared('ConnectionContextPB', rpc.connectionContext),
  compared('PartitionPB', common.partition),
]

/** A random message: as it is here, and as protobufjs has it. */
export interface Pair {
  readonly ours: Record<string, unknown>
  readonly theirs: Record<string, unknown>
}

const bigs = [0n, 1n, 127n, 128n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 53n + 1n, 2n ** 63n - 1n, -1n, -(2n ** 63n), -(2n ** 31n) - 1n]
const integers = [0, 1, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152, 268_435_455, 268_435_456, 2 ** 31 - 1, -1, -33, -(2 ** 31)]
const texts = ['', 'a', 'grüß', '日本語', '😀', 'x'.repeat(130), 'y'.repeat(700)]

/** `hasUnknown`: theirs has fields that ours does not know. */
export function randomPair({ shape, type }: Compared, random: Random, hasUnknown: boolean): Pair {
  const ours: Record<string, unknown> = {}
  const theirs: Record<string, unknown> = {}
  const usedOneOfs = new Set<unknown>()
  for (const field of type.fieldsArray) {
    const known = shape.byNumber.get(field.id)
    if (known === undefined && !(hasUnknown || field.required)) continue
    if (field.map) continue
    if (!field.required && field.partOf !== null && usedOneOfs.has(field.partOf)) continue
    if (!field.required && !field.repeated && random.below(3) === 0) continue
    if (field.partOf !== null) usedOneOfs.add(field.partOf)
    const count = field.repeated ? random.below(4) : 1
    const values = Array.from({ length: count }, () => randomValue(field, known?.[1].kind, random, hasUnknown))
    theirs[field.name] = field.repeated ? values.map(([, their]) => their) : values[0]?.[1]
    if (known !== undefined) ours[known[0]] = field.repeated ? values.map(([our]) => our) : values[0]?.[0]
  }
  return { ours, theirs }
}

function randomValue(field: Field, kind: unknown, random: Random, hasUnknown: boolean): readonly [ours: unknown, theirs: unknown] {
  const { below } = random
  const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value
  const { resolvedType } = field
  if (resolvedType instanceof protobuf.Type) {
    const shape = (kind ?? { byNumber: new Map() }) as Shape<object>
    const { ours, theirs } = randomPair({ name: '', shape, type: resolvedType }, random, hasUnknown)
    return [ours, theirs]
  }
  if (resolvedType instanceof protobuf.Enum) {
    // Types of columns that no client meets have no names here.
    const [name, number] = pick(Object.entries(resolvedType.values))
    const isNamed = kind === undefined || !/^(UINT|INT128|IS_DELETED|UNKNOWN_(DATA|ENCODING|COMPRESSION)|TXN)/.test(name)
    return [isNamed ? name : `#${number}`, number]
  }
  if (field.type === 'bool') return twice(below(2) === 1)
  if (field.type === 'int32') return twice(pick(integers))
  if (field.type === 'uint32') return twice(pick(integers) >>> 0)
  if (field.type === 'string') return twice(pick(texts))
  if (field.type === 'bytes') {
    const value = kind === text ? Buffer.from('0123456789abcdef') : Buffer.from(Array.from({ length: below(200) }, () => below(256)))
    return [kind === text ? value.toString() : value, value]
  }
  const isUnsigned = field.type !== 'int64'
  const value = isUnsigned ? BigInt.asUintN(64, pick(bigs)) : pick(bigs)
  // As protobufjs takes them where the package long is not there.
  return [value, { low: Number(BigInt.asIntN(32, value)), high: Number(BigInt.asIntN(32, value >> 32n)), unsigned: isUnsigned }]
}

const twice = (value: unknown): readonly [unknown, unknown] => [value, value]

export const encodeTheirs = ({ type }: Compared, value: object): Buffer => Buffer.from(type.encode(value as Message).finish())

/** Whether protobufjs takes the bytes for a message. */
export function isTheirs({ type }: Compared, bytes: Uint8Array): boolean {
  try {
    type.decode(bytes)
    return true
  } catch {
    return false
  }
}
