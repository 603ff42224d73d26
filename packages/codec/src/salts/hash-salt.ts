import type { SaltKind } from './salt-kind.js'
import { hashed, hashInput } from './hash-input.js'
import { murmur3Of } from './murmur3.js'
import { numberForm, seeded } from './salt-kind.js'

/** bucket({ of, count }): KEY-22. */
export const hashSalt: SaltKind = {
  form: numberForm,
  text: (salt, columns) => `bucket(${columns}; count ${salt.count}${seeded(salt)})`,
  valueOf({ count, seed = 0 }, positions, inputs) {
    const fill = hashInput(
      positions,
      inputs.map(({ ascending }) => ascending),
    )
    return (row) => {
      const length = fill(row) // first: it may replace the array
      return murmur3Of(hashed, 0, length, seed) % count
    }
  },
  /** Where its columns stand side by side in the key as they are hashed, the key is hashed. */
  code({ count, seed = 0 }, positions, inputs) {
    const [first, last] = [positions[0] as number, positions.at(-1) as number]
    if (last - first + 1 !== positions.length || inputs.some(({ type }) => type.desc)) return undefined
    return { uses: { murmur3Of }, marks: [first, last + 1], value: `murmur3Of(b,q${first},q${last + 1},${seed >>> 0})%${count | 0}` }
  },
}
