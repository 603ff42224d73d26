import { isColumnType, type TypeData } from '@rowkey/codec'
import { typeFacts } from '@rowkey/codec/internal'
import type { Constructor, FieldRecord } from './record.js'
import type { Problems } from '../problems.js'

type GetMetadata = (key: string, target: object, name: string) => unknown

/**
 * Legacy compilers can emit the declared type of a field (`emitDecoratorMetadata`). It is never needed, but if it exists, a contradiction
 * is reported. `Object` stands for unions, interfaces and everything else that has no constructor.
 */
export function checkDesignType(declaredBy: Constructor, { name, type }: FieldRecord, problems: Problems): void {
  if (!isColumnType(type)) return
  const { getMetadata } = Reflect as { getMetadata?: GetMetadata }
  const declared = getMetadata?.('design:type', declaredBy.prototype as object, name)
  const expected = constructorOf(type)
  if (typeof declared !== 'function' || declared === Object || expected === undefined || declared === expected) return
  problems.add(
    'FIELD_TYPE',
    name,
    `field '${name}' is declared as ${declared.name}, but its column holds ${expected.name}. ` +
      `Declare it as ${expected.name}, or change the column type.`,
  )
}

const constructors = { boolean: Boolean, number: Number, bigint: BigInt, string: String, Date, Uint8Array } as const

function constructorOf(type: TypeData): { readonly name: string } | undefined {
  const { jsType } = typeFacts(type)
  return jsType === undefined ? undefined : constructors[jsType]
}
