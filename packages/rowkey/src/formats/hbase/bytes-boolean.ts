import { bytesForm, type BytesForm } from './bytes-form.js'

/**
 * `Bytes.toBytes(boolean)`: `00` or `ff`. Ordered, false first. `Bytes.toBoolean` reads any other byte as true; here it is refused.
 *
 * @example
 * ```ts
 * toHex(bytesBoolean.encode(true)) //=> 'ff'
 * ```
 */
export const bytesBoolean: BytesForm<boolean> = bytesForm<boolean>('bytesBoolean', {
  ordered: true,
  fits: (given): given is boolean => typeof given === 'boolean',
  wants: 'true or false',
  write: (value) => Uint8Array.of(value ? 0xff : 0),
  read(reader) {
    const byte = reader.byte()
    return byte === 0 || byte === 0xff ? byte === 0xff : reader.fail('a boolean is 00 or ff')
  },
})
