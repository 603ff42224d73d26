// Tested by schema-from-json.test.ts.
import { desc, followedBy, nullable, random, type ColumnType, type Default, type TypeData, type ValueJSON } from '#codec'
import { isPlainObject, registeredType, show, showName, typeFields, valueFromJSON, values, valueToJSON } from '#codec/internal'
import { Malformed, unknownTo } from './malformed-json.js'

type Data = Readonly<Record<string, unknown>>

/** A column type as JSON, fields in a fixed order. It leaves out the physical name, and `ordered`, which follows from the rest. */
export function typeToJSON(type: TypeData): Data {
  return Object.freeze(Object.fromEntries(typeFields(type).map(([field, value]) => [field, fieldToJSON(field, value)])))
}

function fieldToJSON(field: string, value: unknown): unknown {
  if (field === 'inner') return typeToJSON(value as TypeData)
  return field === 'default' ? defaultToJSON(value as Default) : value
}

/**
 * The exact inverse of {@link typeToJSON}. It calls the type constructors, so JSON cannot contain what they refuse.
 *
 * @param path where the type is in its schema's JSON
 * @throws Malformed for what is unknown; what the constructors throw; `INVALID_VALUE` for bytes that are not hex
 */
export function typeFromJSON(data: Data, physical: string | undefined, path: string): TypeData {
  const name = physical === undefined ? {} : { name: physical }
  const bare = construct(data, name, path)
  const given = data['default']
  const made = given === undefined ? bare : construct(data, { ...name, default: defaultFromJSON(given, bare, `${path}.default`) }, path)
  const turned = data['desc'] === true ? desc(made) : made
  const constant = data['followedBy']
  const followed = constant === undefined ? turned : followedBy(turned, constant as string)
  return data['nullable'] === true ? nullable(followed, { nulls: (data['nulls'] ?? 'first') as 'first' | 'last' }) : followed
}

/** Far more than any type has: of reversed text, for example, it is 2. */
const maxWithin = 8

function construct(given: unknown, options: object, path: string, within = 1): ColumnType {
  if (within > maxWithin) throw new Malformed(path, `is within more than ${maxWithin} other types`)
  const data = objectAt(path, given)
  const kind = data['kind']
  const impl = typeof kind === 'string' ? registeredType(kind) : undefined
  if (impl === undefined) throw unknownTo(`${path}.kind`, kind)
  return impl.fromJSON(options, data, (inner, innerOptions) => construct(inner, innerOptions, `${path}.inner`, within + 1))
}

function objectAt(path: string, given: unknown): Data {
  if (isPlainObject(given)) return given
  throw given === undefined ? new Malformed(path, 'is missing') : new Malformed(path, `is ${show(given)}, not an object`)
}

function defaultToJSON(initial: Default): Data {
  if (initial.kind === 'random') return { kind: 'random', below: initial.below }
  if (initial.kind !== 'constant') return { kind: initial.kind }
  return { kind: 'constant', value: valueToJSON(initial.value) }
}

/** A default as the constructors accept it. */
function defaultFromJSON(given: unknown, type: TypeData, path: string): unknown {
  const { kind, below, value } = objectAt(path, given)
  if (kind === 'now' || kind === 'updatedAt' || kind === 'ulid' || kind === 'uuid') return kind
  if (kind === 'random') return random(below as number)
  if (kind === 'constant' && value === undefined) throw new Malformed(`${path}.value`, 'is missing')
  if (kind === 'constant') return values(type, 'default').fromValue(constantFromJSON(value, `${path}.value`))
  throw unknownTo(`${path}.kind`, kind)
}

/** The digits of a 64-bit integer and its sign. Longer text would cost time and cannot be a default. */
const maxDigits = 20

function constantFromJSON(value: unknown, path: string): null | boolean | number | bigint | string | Uint8Array {
  if (typeof value !== 'object' || value === null) return value as boolean | number | string
  const [tag = '', data] = Object.entries(value)[0] ?? []
  if (!['bigint', 'number', 'bytes'].includes(tag)) throw unknownTo(`${path}.${showName(tag)}`)
  if (typeof data !== 'string') throw new Malformed(`${path}.${tag}`, `is ${show(data)}, not text`)
  if (tag !== 'bytes' && data.length > maxDigits) throw new Malformed(`${path}.${tag}`, `is ${show(data)}, which is too long`)
  return valueFromJSON({ [tag]: data } as unknown as ValueJSON)
}
