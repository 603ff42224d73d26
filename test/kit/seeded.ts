import { onTestFailed } from 'vitest'

/** The same random numbers in every run; ROWKEY_SEED=… gives others. A failing test prints its seed. */
export interface Random {
  /** 0 <= x < 1 */
  next(): number
  /** An integer, 0 <= n < limit. */
  below(limit: number): number
  shuffle(list: unknown[]): void
}

export const seed = Number(process.env['ROWKEY_SEED'] ?? 1)

export function seeded(fixed?: number): Random {
  if (fixed === undefined) onTestFailed(() => console.log(`ROWKEY_SEED=${seed}`))
  let state = (fixed ?? seed) >>> 0
  const next = (): number => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    next,
    below,
    shuffle(list) {
      for (let i = list.length - 1; i > 0; i--) {
        const j = below(i + 1)
        ;[list[i], list[j]] = [list[j], list[i]]
      }
    },
  }
}
