/** A key of its own from the scratch it was written to. */
export function owned(scratch: Uint8Array, length: number): Uint8Array {
  const key = Buffer.allocUnsafe(length)
  for (let i = 0; i < length; i++) key[i] = scratch[i] as number
  return key
}
