/** Where compiled code writes before the result gets an array of its own. No caller keeps it. */
export const scratch: Uint8Array = /* @__PURE__ */ new Uint8Array(8192)

/** A copy of the beginning of the scratch, with memory of its own, so that it does not keep a larger page alive. */
export const owned = (end: number): Uint8Array => scratch.slice(0, end)

/** Copies the beginning of the scratch into a target. Returns the offset after it, or -1 if the key was not written or there is no room. */
export function copy(target: Uint8Array, at: number, end: number): number {
  if (end < 0 || typeof at !== 'number' || (at | 0) !== at || at < 0 || at + end > target.length) return -1
  for (let i = 0; i < end; i++) target[at + i] = scratch[i] as number
  return at + end
}
