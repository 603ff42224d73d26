import type { Operation } from '../duel/contestant.js'

/** Calls an operation this many times, one input after the other, from the start again when they end. */
export type Loop = (calls: number) => void | Promise<void>

/** How many inputs an operation has; the loop needs a power of two. */
export const inputCount = 1024

/**
 * A loop of its own for each operation. Loops from one piece of source would share what the engine learns about the call, and the
 * second operation would be slower than the first one. Results are kept, else the engine leaves out work that nobody sees.
 */
export function loopOf(name: string, { run, inputs, isAsync = false }: Operation): Loop {
  if (inputs.length !== inputCount) throw new Error(`${name}: ${inputs.length} inputs instead of ${inputCount}`)
  const make = new Function(
    'run',
    'inputs',
    'kept',
    `return ${isAsync ? 'async ' : ''}(calls) => { for (let i = 0; i < calls; i++) kept[i & 255] = ${isAsync ? 'await ' : ''}run(inputs[i & ${inputCount - 1}]) }\n//# sourceURL=bench/${encodeURI(name)}.js`,
  ) as (run: unknown, inputs: readonly unknown[], kept: unknown[]) => Loop
  return make(run, inputs, new Array(256).fill(undefined))
}
