// For the other packages of rowkey only: nothing here is stable.
export { isPlainObject } from './built-in.js'
export { checkKey, checkOptions } from './check.js'
export { codecError, reworded, sentenceOf } from './error.js'
export { cutItems, keepsBytes, laterItems } from './growing.js'
export { decimalText } from './columns/decimal.js'
export { beginsPeriod, periodOf } from './columns/period.js'
export { dayOfText, periodBegin } from './columns/period-days.js'
export { registerColumnType, registeredType } from './columns/all.js'
export { makeCode } from './compile/make-code.js'
export { latin1String } from './latin1-string.js'
export { registerSalt, registeredSalt } from './salts/all.js'
export { kuduLast } from './salts/kudu-last.js'
export { murmur2Modulo } from './salts/murmur2.js'
export { murmur3 } from './salts/murmur3.js'
export {
  isKuduHash,
  saltCode,
  saltOptions,
  saltText,
  saltWeakness,
  type SaltEncoding,
  type SaltImpl,
  type SaltWeakness,
} from './salts/salt.js'
export { nearestName } from './nearest.js'
export { printable, visible } from './printable.js'
export { reasonOf } from './reason.js'
export { counted, said, show, showName, showNames, showPath, showSome, showText, showWhole } from './show.js'
export { columnCodec, type ColumnCodec } from './type/column-codec.js'
export { byteOptions, defaultText, sameBytes, typeFields, typeText } from './type/describe.js'
export { makeType } from './type/make-type.js'
export { growthOf, holdsValuesOf } from './type/growth.js'
export { Reader } from './type/reader.js'
export { typeCode } from './type/type-code.js'
export { textWidth, typeFacts, type TypeFacts } from './type/type-facts.js'
export {
  attachImpl,
  derived,
  type Conversion,
  type Encoding,
  type JsType,
  type Periods,
  type Storage,
  type TypeImpl,
} from './type/type-impl.js'
export { isTypeWrapper, shownType } from './type/type-wrapper.js'
export { valueFromJSON, valueToJSON } from './type/value-json.js'
export { values, type Values } from './type/values.js'
export { readUtf8, utf8Length, utf8Of } from './utf8.js'
