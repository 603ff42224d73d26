import type { ColumnCodec } from '../encodings/column-codec.js'
import type { Encoding } from '../encodings/encoding.js'
import { utf8Length, writeUtf8 } from '../encodings/utf8.js'
import { hashed, hashInput } from './hash-input.js'
import { murmur2Modulo } from './murmur2.js'
import { numberForm, seeded, type SaltKind } from './salt-kind.js'

const kuduKinds = ['int8', 'int16', 'int32', 'int64', 'decimal', 'date', 'timestamp', 'text', 'bytes']

/** hashPartition({ of, buckets }): KEY-35. */
export const partitionSalt: SaltKind = {
  form: numberForm,
  text: (salt, columns) => `hashPartition(${columns}; buckets ${salt.count}${seeded(salt)})`,
  refuses({ name, type }) {
    if (kuduKinds.includes(type.kind)) return undefined
    const remedy = 'Kudu hashes signed integers, decimals, dates, timestamps, text and bytes; use bucket({ count }) for others.'
    return `hashPartition() is of '${name}', a ${type.kind}. ${remedy}`
  },
  valueOf({ count, seed = 0 }, positions, inputs) {
    const last = inputs.length - 1
    const fill = hashInput(
      positions,
      inputs.map((input, i) => (i === last ? bare(input) : input.ascending)),
    )
    return (row) => {
      const length = fill(row) // first: it may replace the array
      return murmur2Modulo(hashed, 0, length, seed, count)
    }
  },
}

/** As Kudu writes the last column: text and bytes without escape and end. */
function bare({ type, ascending }: ColumnCodec): Encoding {
  if (type.kind === 'text')
    return { ...ascending, size: utf8Length, write: (target, at, text: string) => writeUtf8(target, at, text, false) }
  if (type.kind !== 'bytes') return ascending
  return {
    ...ascending,
    size: (bytes: Uint8Array) => bytes.length,
    write(target, at, bytes: Uint8Array) {
      target.set(bytes, at)
      return at + bytes.length
    },
  }
}
