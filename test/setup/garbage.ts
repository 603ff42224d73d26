import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** How many of these somebody still holds; no more than `upTo` if some are only slow to go. */
export async function alive(refs: readonly WeakRef<object>[], upTo = 0): Promise<number> {
  const held = (): number => refs.filter((ref) => ref.deref() !== undefined).length
  for (let round = 0; round < 30 && (round === 0 || held() > upTo); round++) {
    await new Promise((resolve) => setTimeout(resolve, round)) // a WeakRef holds its target until the task ends
    collect()
  }
  return held()
}
