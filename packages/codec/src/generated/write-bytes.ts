/** Bytes in the escape of KEY-7; there is room. */
export function writeBytes(target: Uint8Array, at: number, value: Uint8Array, flip: number): number {
  const { length } = value
  for (let i = 0; i < length; i++) {
    const byte = value[i] as number
    target[at++] = byte ^ flip
    if (byte === 0) target[at++] = 1 ^ flip
  }
  target[at] = flip
  target[at + 1] = flip
  return at + 2
}
