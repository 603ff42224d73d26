// Tested by dry-run.test.ts and doc-examples.test.ts.
import type { Kind } from '../type/column-type.js'
import type { TypeImpl } from '../type/type-impl.js'
import { boolImpl } from './boolean.js'
import { bytesImpl, fixedBytesImpl } from './bytes.js'
import { decimalImpl } from './decimal.js'
import { paddedTextImpl, separatedTextImpl } from './delimited-text.js'
import { dictionaryImpl } from './dictionary.js'
import { digitsImpl } from './digits.js'
import { fixedTextImpl } from './fixed-text.js'
import { float32Impl, float64Impl } from './float.js'
import { ulidImpl, uuidImpl } from './ids.js'
import { int16Impl, int32Impl, int64Impl, int8Impl, uint16Impl, uint32Impl, uint64Impl, uint8Impl } from './integers.js'
import { jsonImpl } from './json.js'
import { lastBytesImpl, lastTextImpl } from './last.js'
import { periodImpl } from './period.js'
import { reversedImpl } from './reversed.js'
import { textImpl } from './text.js'
import { dateImpl, timestampImpl } from './time.js'

// A record, so that a kind which is missing does not compile.
const builtIn: Readonly<Record<Kind, TypeImpl>> = {
  text: textImpl,
  bytes: bytesImpl,
  fixedBytes: fixedBytesImpl,
  fixedText: fixedTextImpl,
  lastBytes: lastBytesImpl,
  lastText: lastTextImpl,
  bool: boolImpl,
  uuid: uuidImpl,
  ulid: ulidImpl,
  json: jsonImpl,
  int8: int8Impl,
  int16: int16Impl,
  int32: int32Impl,
  int64: int64Impl,
  uint8: uint8Impl,
  uint16: uint16Impl,
  uint32: uint32Impl,
  uint64: uint64Impl,
  float32: float32Impl,
  float64: float64Impl,
  decimal: decimalImpl,
  timestamp: timestampImpl,
  date: dateImpl,
  period: periodImpl,
  paddedText: paddedTextImpl,
  separatedText: separatedTextImpl,
  reversed: reversedImpl,
  dictionary: dictionaryImpl,
  digits: digitsImpl,
}

const registered = new Map<string, TypeImpl>(Object.entries(builtIn))

/**
 * Makes a kind of column type known to schemas that are read from JSON. Types made by a constructor need no registration.
 *
 * @internal
 * @example
 * ```ts
 * registerColumnType('text', registeredType('text'))
 * registeredType('text') === undefined //=> false
 * ```
 */
export function registerColumnType(kind: string, impl: TypeImpl): void {
  registered.set(kind, impl)
}

/**
 * The implementation of a kind that JSON names; undefined for one that this version does not know.
 *
 * @internal
 * @example
 * ```ts
 * registeredType('complex') //=> undefined
 * ```
 */
export function registeredType(kind: string): TypeImpl | undefined {
  return registered.get(kind)
}
