import type { TypeData } from '../types/column-type.js'
import { compareText } from '../compare.js'
import { reversedEncoding, turned } from '../encodings/reversed.js'
import { kindCode, type KindCode } from './kind-code.js'
import { typeText } from './type-text.js'

const innerOf = ({ inner }: TypeData): TypeData => inner as TypeData

export const reversedKind: KindCode = {
  form: (type, column) => kindCode(innerOf(type)).form(innerOf(type), column),
  encoding: (type) => reversedEncoding(innerOf(type)),
  words: (type) => [typeText(innerOf(type))],
  keyOrder: () => (a, b) => compareText(turned(a), turned(b)),
}
