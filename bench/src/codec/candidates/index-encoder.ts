import type { Kind } from '../workloads.js'
import type { Candidate, Codec } from './candidate.js'

const encodings: Partial<Record<Kind, 'STRING' | 'UINT' | 'INT' | 'BOOL' | 'BUFFER'>> = {
  text: 'STRING',
  integer: 'INT',
  instant: 'UINT',
  uint32: 'UINT',
  int32: 'INT',
  flag: 'BOOL',
  id: 'BUFFER',
  bytes: 'BUFFER',
}

/** Knows its columns beforehand, as rowkey does. */
export const indexEncoder: Candidate = {
  name: 'index-encoder',
  takesPart: ({ salt }) => salt === undefined,
  async codec({ columns }): Promise<Codec<readonly unknown[], Buffer>> {
    const { default: IndexEncoder } = await import('index-encoder')
    const encoder = new IndexEncoder(
      columns.map(({ kind }) => {
        const encoding = encodings[kind]
        if (encoding === undefined) throw new Error(`no ${kind}`)
        return IndexEncoder[encoding]
      }),
    )
    return { toKey: (cells) => cells, encode: (key) => encoder.encode(key), decode: (bytes) => encoder.decode(bytes) }
  },
}
