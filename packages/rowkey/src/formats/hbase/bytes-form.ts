// Tested by packages/rowkey/test/formats/hbase/vectors.test.ts.
import { codecError, Reader, show } from '#codec/internal'

/**
 * One form of HBase's `Bytes.toBytes`: the bytes of a single value, without header or end. Fixed-width forms can be anywhere in a
 * key. Text and decimals can only be at its end, or the application must know their length.
 */
export interface BytesForm<V> {
  /** Whether the bytes sort like the values. If they do not, only `=` finds the right rows. */
  readonly ordered: boolean
  /** An array of its own. @throws RowkeyError `INVALID_VALUE` */
  encode(value: V): Uint8Array
  /** The exact inverse of `encode`. @throws RowkeyError `MALFORMED_KEY` for anything `encode` cannot have written */
  decode(bytes: Uint8Array): V
}

interface Plan<V> {
  readonly ordered: boolean
  fits(given: unknown): given is V
  /** Ends the sentence "Give …" of a refusal. */
  readonly wants: string
  write(value: V): Uint8Array
  /** Reads up to the end of the reader, or fails. */
  read(reader: Reader): V
}

/** A form with the checks of what it encodes and decodes. */
export function bytesForm<V>(name: string, { ordered, fits, wants, write, read }: Plan<V>): BytesForm<V> {
  return Object.freeze({
    ordered,
    encode(value: V): Uint8Array {
      if (fits(value)) return write(value)
      const shown = show(value)
      throw codecError('INVALID_VALUE', `${name} cannot encode ${shown}. Give ${wants}.`, { column: '', value: shown })
    },
    decode(bytes: Uint8Array): V {
      const reader = new Reader(bytes)
      const value = read(reader)
      if (reader.left > 0) reader.fail(`it continues after the value (remaining bytes: ${reader.left})`)
      return value
    },
  })
}

/** A form of `width` bytes over the methods of a DataView, which are big-endian. */
export function viewForm<V>(
  name: string,
  width: number,
  plan: Pick<Plan<V>, 'fits' | 'wants'> & { set(view: DataView, value: V): void; get(view: DataView, reader: Reader): V },
): BytesForm<V> {
  return bytesForm(name, {
    ordered: false,
    fits: plan.fits,
    wants: plan.wants,
    write(value) {
      const bytes = new Uint8Array(width)
      plan.set(new DataView(bytes.buffer), value)
      return bytes
    },
    read(reader) {
      return plan.get(new DataView(reader.copyFrom(reader.advance(width)).buffer), reader)
    },
  })
}
