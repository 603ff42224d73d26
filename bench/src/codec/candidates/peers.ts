import type { Candidate, Codec } from './candidate.js'
import { indexEncoder } from './index-encoder.js'
import { templateStrings } from './template-strings.js'

/** A codec of arrays that is made once, whatever the columns. */
function peer<Bytes extends Uint8Array | string>(
  name: string,
  load: () => Promise<Omit<Codec<readonly unknown[], Bytes>, 'toKey'>>,
  options: Pick<Candidate, 'unordered'> = {},
): Candidate {
  return {
    name,
    ...options,
    takesPart: ({ salt }) => salt === undefined,
    codec: async () => ({ toKey: (cells) => cells, ...(await load()) }) satisfies Codec<readonly unknown[], Bytes>,
  }
}

export const orderedBinary = peer('ordered-binary', async () => {
  const { fromBufferKey, toBufferKey, writeKey } = await import('ordered-binary')
  const scratch = Buffer.allocUnsafeSlow(8192)
  return {
    encode: (key) => toBufferKey(key as never),
    scratch,
    encodeInto: (key) => writeKey(key as never, scratch, 0),
    decode: (bytes: Buffer) => fromBufferKey(bytes),
    toCells: (decoded) => (Array.isArray(decoded) ? (decoded as unknown[]) : [decoded]), // a key of one column comes back bare
  }
})

/** Each takes ready arrays and puts every column in ascending order. */
export const peers: readonly Candidate[] = [
  orderedBinary,
  peer('fdb-tuple', async () => {
    const { default: tuple } = await import('fdb-tuple')
    return { encode: (key) => tuple.pack(key as never), decode: (bytes: Buffer) => tuple.unpack(bytes) }
  }),
  peer('charwise', async () => {
    const { default: charwise } = await import('charwise')
    return { encode: (key) => charwise.encode(key), decode: (text: string) => charwise.decode(text) }
  }),
  peer('bytewise', async () => {
    const { default: bytewise } = await import('bytewise')
    return { encode: (key) => bytewise.encode(key), decode: (bytes: Buffer) => bytewise.decode(bytes) }
  }),
  indexEncoder,
  peer('tuple-database', async () => {
    const { decodeTuple, encodeTuple } = await import('tuple-database/helpers/codec.js')
    return { encode: (key) => encodeTuple(key as never), decode: (text: string) => decodeTuple(text) }
  }),
  peer('@deno/kv', async () => {
    // The package exports its database only.
    const address = new URL('kv_key.js', import.meta.resolve('@deno/kv'))
    const { packKey, unpackKey } = (await import(address.href)) as {
      packKey: (key: readonly unknown[]) => Uint8Array
      unpackKey: (bytes: Uint8Array) => unknown[]
    }
    return { encode: packKey, decode: unpackKey }
  }),
  peer(
    'msgpackr',
    async () => {
      const { Packr } = await import('msgpackr')
      const packr = new Packr({ useRecords: false })
      return { encode: (key) => packr.pack(key), decode: (bytes: Buffer) => packr.unpack(bytes) as unknown }
    },
    { unordered: true },
  ),
  templateStrings,
]
