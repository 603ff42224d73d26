import type { Salt } from '#codec'
import { attachImpl, registerSalt, type SaltImpl } from '#codec/internal'

// A salt that the codec does not know: all there is of it is here.

const impl: SaltImpl = {
  encoding: () => ({
    bytes: 1,
    write(target, at, value) {
      target[at] = value
    },
    read: (reader) => reader.byte(),
  }),
  valueOf({ count }, [position = 0], [input]) {
    if (input === undefined) throw new Error('a checksum is of one column')
    return (row) => {
      const value = row[position] as never
      const bytes = new Uint8Array(input.ascending.size(value))
      input.ascending.write(bytes, 0, value)
      return bytes.reduce((sum, byte) => sum + byte, 0) % count
    }
  },
  fromJSON: ({ of: [column = ''], count }) => checksum(column, count),
  code: ({ of, count }) => ['checksum', { of, count }],
  text: ({ count }, columns) => `checksum(${columns}; count ${count})`,
}

/** The sum of the bytes of a column, modulo a count up to 256. */
export function checksum<Of extends string>(column: Of, count: number): Salt<Of> {
  return attachImpl({ kind: 'checksum' as 'hash', of: [column], count, seed: 0 }, impl)
}

registerSalt('checksum', impl)
