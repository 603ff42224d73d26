import { isColumnType, type TypeData } from '@rowkey/codec'
import type { Constructor, FieldRecord } from './record.js'
import type { Problems } from '../problems.js'

type GetMetadata = (key: string, target: object, name: string) => unknown

/**
 * Legacy compilers can emit the declared type of a field (`emitDecoratorMetadata`); it is never needed, but where it is there, a
 * contradiction is reported. `Object` stands for unions, interfaces and all else that has no constructor.
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
      'Declare it so, or change the column type.',
  )
}

function constructorOf(type: TypeData): { readonly name: string } | undefined {
  if (type.as !== undefined) return { Date, bigint: BigInt, number: Number }[type.as]
  switch (type.kind) {
    case 'json':
      return undefined
    case 'bool':
      return Boolean
    case 'bytes':
    case 'fixedBytes':
      return Uint8Array
    case 'reversed':
      return type.inner === undefined ? undefined : constructorOf(type.inner)
    case 'text':
    case 'uuid':
    case 'ulid':
    case 'decimal':
    case 'paddedText':
    case 'separatedText':
    case 'dictionary':
      return String
    default:
      return Number
  }
}
