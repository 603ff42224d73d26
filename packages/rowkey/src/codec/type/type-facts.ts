// Tested by column-type.test.ts.
import type { TypeData, Value } from './column-type.js'
import { byNumber, compareBytes, compareDecimals, compareFloats, compareText } from '../compare.js'
import { typeImpl, type Conversion, type JsType, type Storage } from './type-impl.js'

/** What the layers above the codec need to know about a column type. None of them branches on its kind. */
export interface TypeFacts {
  /** In which form a store may hold the values. */
  readonly storage: Storage
  /**
   * `value`: the bytes in a key are in the order of the type's values, or their order is not used. `idiom`: they follow the convention
   * of another system, which needs exactly those bytes. `none`: no key holds the type, and its values have neither order nor equality.
   */
  readonly keyBytes: 'value' | 'idiom' | 'none'
  /** Whether `startsWith` finds a range of keys. */
  readonly startsWith: boolean
  /**
   * Whether values have the order of what a store holds for them: numbers and decimals by size, text by code point, bytes unsigned. If not,
   * a store must not compare them with the ends of a range.
   */
  readonly storedOrder: boolean
  /** Whether it has no end of its own in a key, so that only the end of a key can hold it. */
  readonly openEnded: boolean
  /** Whether new values are after old ones, because they are times or begin with one. */
  readonly countsUp: boolean
  /** What values are in JavaScript; undefined if they can be anything. */
  readonly jsType: JsType | undefined
  /**
   * Whether a value of the right storage class, as a store returns it, can be one of this type. For `json` it parses the whole text, so
   * adapters do not call it there: the mapper parses the text anyway and refuses what is not JSON.
   */
  accepts(value: Value): boolean
}

const jsTypes: Readonly<Record<Storage['class'], JsType | undefined>> = {
  boolean: 'boolean',
  int: 'number',
  bigint: 'bigint',
  float: 'number',
  decimal: 'string',
  text: 'string',
  json: undefined,
  bytes: 'Uint8Array',
}

/** The orders of storage classes. Booleans are not among them, because some stores cannot compare them. */
const storedOrders = new Set<Conversion['compare']>([byNumber, compareFloats, compareDecimals, compareText, compareBytes])

/**
 * What other packages need to know about a column type.
 *
 * @internal
 * @example
 * ```ts
 * typeFacts(uint16()).storage    //=> { class: 'int', min: 0, max: 65535 }
 * typeFacts(date()).jsType       //=> 'Date'
 * typeFacts(uuid()).accepts('x') //=> false
 * ```
 */
export function typeFacts(type: TypeData): TypeFacts {
  const impl = typeImpl(type)
  const storage = impl.storage(type)
  let parse: Conversion['parse'] | undefined // most callers never ask, and some conversions are costly to make
  const isUnchanged = (value: Value): boolean => {
    const parsed = (parse ??= impl.conversion(impl.canonical?.(type) ?? type, '').parse)(value)
    return parsed === value || (Number.isNaN(parsed) && Number.isNaN(value))
  }
  return {
    storage,
    keyBytes: impl.encoding === undefined ? 'none' : impl.compareEncoded === undefined ? 'value' : 'idiom',
    startsWith: impl.startsWith === true,
    get storedOrder() {
      return storedOrders.has(impl.conversion(type, '').compare)
    },
    get openEnded() {
      return impl.encoding?.(type, 0).openEnd !== undefined
    },
    countsUp: ('counts' in storage && storage.counts !== undefined) || impl.beginsWithTime?.(type) === true,
    jsType: impl.jsType?.(type) ?? jsTypes[storage.class],
    accepts: impl.accepts === undefined ? isUnchanged : (value) => impl.accepts?.(type, value) === true,
  }
}

/**
 * The declared width of a text, also of one inside another type; undefined if it has none.
 *
 * @example
 * ```ts
 * textWidth(reversed(fixedText(11))) //=> 11
 * ```
 */
export const textWidth = ({ width, inner }: TypeData): number | undefined => width ?? (inner === undefined ? undefined : textWidth(inner))
