import { bool, bytes, int64, isRowkeyError, text, timestamp, type ColumnType, type TypeData } from '#codec'
import { isTypeWrapper, sentenceOf, showName } from '#codec/internal'
import type { Problems } from '../problems.js'
import { designType } from './design-type.js'
import type { Constructor, FieldRecord } from './record.js'

/** One type for each constructor whose values have only one obvious form in bytes. */
const inferred = new Map<unknown, () => ColumnType>([
  [String, () => text()],
  [Date, () => timestamp('ms')],
  [BigInt, () => int64()],
  [Boolean, () => bool()],
  [Uint8Array, () => bytes()],
])

/**
 * The type of a column: as it was passed to the decorator, or inferred from what the compiler emits about the field. It is never guessed:
 * what is not certain is added to `problems`, with the line to write, and some type is returned so that the rest can be checked.
 */
export function columnTypeOf(declaredBy: Constructor, field: FieldRecord, problems: Problems): TypeData {
  const { name, type, hasType, isStandard } = field
  if (hasType && !isTypeWrapper(type)) return type as TypeData
  const refuse = (why: string): TypeData => {
    problems.add({ code: 'INVALID_TYPE', column: name, message: `column '${showName(name)}' has no type, and ${why}` })
    return text()
  }
  if (isStandard) return refuse('standard decorators are told nothing about the type of a field. Give it one, as in @Column(text()).')
  const declared = designType(declaredBy, name)
  const make = inferred.get(declared)
  if (make === undefined) return refuse(declared === undefined ? absent() : refusal(declared))
  try {
    return isTypeWrapper(type) ? type(make()) : make()
  } catch (error) {
    if (!isRowkeyError(error)) throw error
    problems.add({
      code: 'INVALID_TYPE',
      column: name,
      message: `the type of column '${showName(name)}' is wrapped twice. ${sentenceOf(error)}`,
    })
    return make()
  }
}

/** Why there is no metadata. */
function absent(): string {
  const remedy = 'or give the column its type, as in @Column(text()).'
  if (typeof (Reflect as { getMetadata?: unknown }).getMetadata !== 'function') {
    return `reflect-metadata is not loaded. Put import 'reflect-metadata' before the first import of a model and set emitDecoratorMetadata, ${remedy}`
  }
  return (
    'the compiler has emitted nothing about its field. Set emitDecoratorMetadata, compile with tsc, SWC or Bun (esbuild, tsx and Vitest ' +
    `cannot emit it), and import reflect-metadata before the first model, ${remedy}`
  )
}

/** Why a declared type names no column type. */
function refusal(declared: unknown): string {
  const name = typeof declared === 'function' ? showName(declared.name) : 'an enum'
  const says = `its field is declared as ${name}`
  if (declared === Number) {
    return `${says}, which int32(), uint32(), float64() and int64({ as: 'number' }) hold in different bytes. Choose one.`
  }
  if (declared === Object) {
    return `its field is a union, an interface or may be null, which the compiler calls Object. Write nullable(text()), text<T>() or json<T>().`
  }
  if (declared === Array) return `${says}. Write json<T[]>().`
  if (name === 'Buffer') return `${says}, but values come back as Uint8Array. Declare it as Uint8Array.`
  if (typeof declared !== 'function') return `its field is an enum. Write text<T>() for texts, or a type of numbers such as uint8().`
  return `${says}, which can be held in several ways. Write json<T>(), or another type.`
}
