import { isColumnType, type TypeData } from '#codec'
import { showName, typeFacts } from '#codec/internal'
import type { Problems } from '../problems.js'
import type { Constructor } from './record.js'

type GetMetadata = (key: string, target: object, name: string) => unknown

/**
 * What a legacy compiler emits as the declared type of a field (`emitDecoratorMetadata`): a constructor; undefined if nothing is known.
 * `Object` stands for unions, interfaces and everything else that has no constructor.
 */
export function designType(declaredBy: Constructor, field: string): unknown {
  const { getMetadata } = Reflect as { getMetadata?: GetMetadata }
  return getMetadata?.('design:type', declaredBy.prototype as object, field)
}

/** The metadata is not needed for a column with a type, but if it exists, a contradiction is reported. */
export function checkDesignType(declaredBy: Constructor, name: string, type: TypeData, problems: Problems): void {
  if (!isColumnType(type)) return
  const declared = designType(declaredBy, name)
  const expected = constructorOf(type)
  if (typeof declared !== 'function' || declared === Object || expected === undefined || declared === expected) return
  problems.add({
    code: 'FIELD_TYPE',
    column: name,
    message:
      `field '${showName(name)}' is declared as ${showName(declared.name)}, but its column holds ${expected.name}. ` +
      `Declare it as ${expected.name}, or change the column type.`,
  })
}

const constructors = { boolean: Boolean, number: Number, bigint: BigInt, string: String, Date, Uint8Array } as const

function constructorOf(type: TypeData): { readonly name: string } | undefined {
  const { jsType } = typeFacts(type)
  return jsType === undefined ? undefined : constructors[jsType]
}
