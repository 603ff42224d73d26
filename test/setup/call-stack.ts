/** Runs it when two thirds of the call stack are used up, as a caller may have done. */
export function onUsedStack<T>(run: () => T): T {
  const used = Math.floor((framesLeft() * 2) / 3)
  const below = (frames: number): T => (frames === 0 ? run() : below(frames - 1))
  return below(used)
}

/** How many calls of a small function fit on the call stack. */
function framesLeft(): number {
  let frames = 0
  const below = (count: number): number => {
    frames = count
    return below(count + 1)
  }
  try {
    return below(0)
  } catch {
    return frames
  }
}
