// Tested by results.test.ts and fuzz.test.ts.
import { MalformedAnswer, type Input, type Reader, type Reading } from './input.js'
import { BOOL, BYTE, DOUBLE, I16, I32, I64, LIST, MAP, SET, STOP, STRING, STRUCT } from './types.js'

const maxDepth = 16
/** What is passed over need not be in one piece. */
const passedAtOnce = 65_536

const sizes: Readonly<Record<number, number>> = { [BOOL]: 1, [BYTE]: 1, [I16]: 2, [I32]: 4, [I64]: 8, [DOUBLE]: 8 }
const containers: ReadonlySet<number> = new Set([STRING, STRUCT, MAP, SET, LIST])

/** The least number of bytes that a value has. */
function sizeOf(type: number): number {
  const size = sizes[type]
  if (size !== undefined) return size
  if (!containers.has(type)) throw new MalformedAnswer(`there is no type ${type}`)
  return type === STRUCT ? 1 : type === MAP ? 6 : type === STRING ? 4 : 5
}

function* passBytes(input: Input, length: number): Reading<void> {
  for (let left = length; left > 0;) {
    const part = Math.min(left, passedAtOnce)
    while (!input.has(part)) yield
    input.pass(part)
    left -= part
  }
}

/** Passes over a value of which nothing is wanted. */
export function* skip(input: Input, type: number, depth: number = maxDepth): Reading<void> {
  const size = sizes[type]
  if (size !== undefined) return yield* passBytes(input, size)
  if (depth === 0) throw new MalformedAnswer(`it is nested more than ${maxDepth} deep`)
  if (type === STRING) {
    while (!input.has(4)) yield
    return yield* passBytes(input, input.count(1))
  }
  if (type === STRUCT) {
    for (;;) {
      while (!input.has(1)) yield
      const fieldType = input.byte()
      if (fieldType === STOP) return
      yield* passBytes(input, 2)
      yield* skip(input, fieldType, depth - 1)
    }
  }
  while (!input.has(sizeOf(type))) yield
  const types = type === MAP ? [input.byte(), input.byte()] : [input.byte()]
  const elementSize = types.map(sizeOf).reduce((sum, each) => sum + each)
  const count = input.count(elementSize)
  if (types.every((each) => sizes[each] !== undefined)) return yield* passBytes(input, count * elementSize)
  for (let index = 0; index < count; index++) for (const each of types) yield* skip(input, each, depth - 1)
}

/** Bytes, as a view. */
export const bytes: Reader<Uint8Array> = {
  type: STRING,
  *read(input) {
    while (!input.has(4)) yield
    const length = input.count(1)
    while (!input.has(length)) yield
    return input.view(length)
  },
}

/** Text in UTF-8. What is none has replacement characters. */
export const text: Reader<string> = {
  type: STRING,
  *read(input) {
    const { buffer, byteOffset, byteLength } = yield* bytes.read(input)
    return Buffer.from(buffer, byteOffset, byteLength).toString('utf8')
  },
}

export const bool: Reader<boolean> = {
  type: BOOL,
  *read(input) {
    while (!input.has(1)) yield
    return input.byte() !== 0
  },
}

export const int32: Reader<number> = {
  type: I32,
  *read(input) {
    while (!input.has(4)) yield
    return input.int32()
  },
}

export const int64: Reader<bigint> = {
  type: I64,
  *read(input) {
    while (!input.has(8)) yield
    return input.int64()
  },
}

/** A list of things of one sort. Each has at least `minSize` bytes, so that no count makes it larger than what has arrived. */
export const list = <Value>(element: Reader<Value>, minSize: number): Reader<Value[]> => ({
  type: LIST,
  *read(input) {
    const count = yield* listHeader(input, element.type, minSize)
    const values: Value[] = []
    for (let index = 0; index < count; index++) values.push(yield* element.read(input))
    return values
  },
})

/** The count of a list of a type. */
export function* listHeader(input: Input, elementType: number, minSize: number): Reading<number> {
  while (!input.has(5)) yield
  const type = input.byte()
  const count = input.count(minSize)
  // An empty list may name any type.
  if (type !== elementType && count > 0) throw new MalformedAnswer(`a list has elements of type ${type} instead of ${elementType}`)
  return count
}

/** Text by text. */
export const textMap: Reader<Record<string, string>> = {
  type: MAP,
  *read(input) {
    while (!input.has(6)) yield
    const types = [input.byte(), input.byte()]
    const count = input.count(8)
    if (count > 0 && types.some((type) => type !== STRING)) throw new MalformedAnswer(`a map has the types ${types.join(' and ')}`)
    const entries: [string, string][] = []
    for (let index = 0; index < count; index++) entries.push([yield* text.read(input), yield* text.read(input)])
    return Object.fromEntries(entries)
  },
}

/** A field of a struct. */
export interface Field<Value> {
  readonly name: string
  readonly reader: Reader<Value>
}

/**
 * The fields of a struct by their names. Fields that nobody knows, and fields of another type, are passed over. Of a field that is there
 * twice the last one counts.
 */
export const struct = <Value>(
  fields: Readonly<Record<number, Field<unknown>>>,
  required: readonly (keyof Value & string)[],
): Reader<Value> => ({
  type: STRUCT,
  *read(input) {
    const values: Record<string, unknown> = {}
    for (;;) {
      while (!input.has(1)) yield
      const type = input.byte()
      if (type === STOP) break
      while (!input.has(2)) yield
      const field = fields[input.int16()]
      if (field?.reader.type === type) values[field.name] = yield* field.reader.read(input)
      else yield* skip(input, type)
    }
    for (const name of required) if (values[name] === undefined) throw new MalformedAnswer(`a struct has no ${name}`)
    return values as Value
  },
})
