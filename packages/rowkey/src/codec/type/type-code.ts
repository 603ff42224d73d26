import type { Default, TypeData, Value } from './column-type.js'
import { toHex } from '../hex.js'
import { quoted } from '../show.js'
import { typeFields } from './describe.js'
import { typeImpl } from './type-impl.js'
import { values } from './values.js'

/**
 * A column type as code that makes it, its name in the store included.
 *
 * @internal
 * @example
 * ```ts
 * typeCode(nullable(desc(decimal(9, 2)))) //=> 'nullable(desc(decimal(9, 2)))'
 * typeCode(uint8({ default: random(100) })) //=> 'uint8({ default: random(100) })'
 * typeCode(timestamp('ms', { as: 'number', name: 'ts' })) //=> "timestamp('ms', { name: 'ts', as: 'number' })"
 * ```
 */
export function typeCode(type: TypeData): string {
  const made = constructorCode(type, { name: type.name, default: type.default === undefined ? undefined : defaultCode(type, type.default) })
  const directed = type.desc ? `desc(${made})` : made
  const followed = type.followedBy === undefined ? directed : `followedBy(${directed}, ${quoted(type.followedBy)})`
  if (!type.nullable) return followed
  return `nullable(${followed}${type.nulls === 'last' ? ", { nulls: 'last' }" : ''})`
}

/** What wrappers add, and what is an option of every type. */
const ofAll: readonly string[] = ['kind', 'desc', 'nullable', 'nulls', 'followedBy', 'default']

/** `given`: options of every type; a default is code already. */
function constructorCode(type: TypeData, given: { readonly name: string | undefined; readonly default: string | undefined }): string {
  const impl = typeImpl(type)
  const { positional = [] } = impl
  const isOuter = positional.includes('inner') // it has no options: those of the type inside are its own
  const args =
    impl.firstArgument === undefined
      ? positional.map((field) => (field === 'inner' ? constructorCode(type.inner as TypeData, given) : valueCode(type[field])))
      : [impl.firstArgument(type)]
  const own = typeFields(type).filter(
    ([field, value]) => !ofAll.includes(field) && !positional.includes(field as keyof TypeData) && !isUsual(type, field, value),
  )
  const options = [
    ...(given.name === undefined || isOuter ? [] : [`name: ${quoted(given.name)}`]),
    ...own.map(([field, value]) => `${field}: ${valueCode(value)}`),
    ...(given.default === undefined || isOuter ? [] : [`default: ${given.default}`]),
  ]
  return `${type.kind}(${[...args, ...(options.length === 0 ? [] : [`{ ${options.join(', ')} }`])].join(', ')})`
}

/** Whether the constructor would set the field to this value by itself. */
function isUsual(type: TypeData, field: string, value: unknown): boolean {
  const { [field]: _, ...rest } = Object.fromEntries(typeFields(type))
  try {
    const made = typeImpl(type).fromJSON({}, rest, (inner) => inner as never)
    return (made as unknown as Readonly<Record<string, unknown>>)[field] === value
  } catch {
    return false // it cannot do without
  }
}

function valueCode(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (!Array.isArray(value)) return String(value)
  // Codes of a dictionary are the only list.
  return `{ ${value.map(([name, code]: readonly string[]) => `${plainName.test(name ?? '') ? name : quoted(name ?? '')}: ${quoted(code ?? '')}`).join(', ')} }`
}

const plainName = /^[A-Za-z_$][\w$]*$/

function defaultCode(type: TypeData, initial: Default): string {
  if (initial.kind === 'random') return `random(${initial.below})`
  return initial.kind === 'constant' ? constantCode(type, initial.value) : quoted(initial.kind)
}

/** A constant as the application gives it. */
function constantCode(type: TypeData, value: Value): string {
  const given = values(type, 'default').fromValue(value)
  if (given instanceof Date) return `new Date(${given.getTime()})`
  if (given instanceof Uint8Array) return `fromHex('${toHex(given)}')`
  if (typeof given === 'bigint') return `${given}n`
  if (typeof given === 'string') return quoted(given)
  return Object.is(given, -0) ? '-0' : JSON.stringify(given)
}
