/**
 * The hex digits of a UUID, version digit first and the clock of version 1 from its high part to its low one.
 * Source: Apache Cassandra 5.0, UUIDType, byte-comparable form.
 */
export function timedHex(uuid: string): string {
  const [low = '', middle = '', high = '', ...rest] = uuid.split('-')
  const first = high.startsWith('1') ? high + middle + low : `${high.slice(0, 1)}${low}${middle}${high.slice(1)}`
  return first + rest.join('')
}

/** The UUID of such digits. */
export function untimed(hex: string): string {
  const parts = hex.startsWith('1')
    ? [hex.slice(8, 16), hex.slice(4, 8), hex.slice(0, 4)]
    : [hex.slice(1, 9), hex.slice(9, 13), hex.slice(0, 1) + hex.slice(13, 16)]
  return [...parts, hex.slice(16, 20), hex.slice(20)].join('-')
}
