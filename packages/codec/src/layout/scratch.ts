/** Where compiled code writes before the result gets an array of its own. Nobody keeps it. */
export const scratch: Uint8Array = new Uint8Array(8192)

/** The beginning of the scratch in an array of its own, with memory of its own: no page of others' keys stays alive with it. */
export const owned = (end: number): Uint8Array => scratch.slice(0, end)

/** The beginning of the scratch into a target; the offset after it, or -1 where the key was not written or there is no room. */
export function copy(target: Uint8Array, at: number, end: number): number {
  if (end < 0 || typeof at !== 'number' || (at | 0) !== at || at < 0 || at + end > target.length) return -1
  for (let i = 0; i < end; i++) target[at + i] = scratch[i] as number
  return at + end
}
