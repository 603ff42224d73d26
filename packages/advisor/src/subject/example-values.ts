import { type SchemaColumn, textWidth, typeFacts, values } from 'rowkey/internal'

/**
 * Different values of a column, ascending, as an application would give them; fewer if it has no more. The first ones have no meaning: they
 * stand for any.
 *
 * @param step how far numbers are apart
 */
export function examples({ type, name }: SchemaColumn, count: number, step = 1): readonly unknown[] {
  const { storage } = typeFacts(type)
  const { fromValue } = values(type, name)
  const each = <T>(value: (place: number) => T): readonly T[] => Array.from({ length: count }, (_, place) => value(place))
  if (type.codes !== undefined) return type.codes.slice(0, count).map(([value]) => value)
  switch (storage.class) {
    case 'boolean':
      return [false, true].slice(0, count)
    case 'int':
      return each((place) => Math.min(place * step + 1, storage.max)).map(fromValue)
    case 'bigint':
      return each((place) => BigInt(place * step + 1)).map(fromValue)
    case 'float':
      return each((place) => place * step + 1)
    case 'decimal':
      return each((place) => fromValue(`${place % 10}${storage.scale === 0 ? '' : `.${'0'.repeat(storage.scale)}`}`))
    case 'bytes':
      return each((place) => bytes(storage.length ?? 4, place))
    case 'json':
      return each((place) => ({ n: place }))
    case 'text':
      return each((place) => text(storage.format, textWidth(type), place))
  }
}

const bytes = (length: number, place: number): Uint8Array => Uint8Array.from({ length }, (_, at) => place >> (8 * (length - 1 - at)))

function text(format: 'uuid' | 'time-uuid' | 'ascii' | undefined, width: number | undefined, place: number): string {
  const digits = (length: number): string => place.toString(16).padStart(length, '0')
  if (format === 'uuid' || format === 'time-uuid') return `00000000-0000-4000-8000-${digits(12)}`
  if (format === 'ascii') return digits(26).toUpperCase()
  return `a${digits((width ?? 5) - 1)}`.slice(0, width)
}
