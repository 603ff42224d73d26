import * as crypto from 'node:crypto'
import type { Candidate, Codec } from './candidate.js'
import { orderedBinary } from './peers.js'

type Digest = (text: string) => string

/** crypto.hash came with Node.js 20.12. */
const { hash } = crypto as { hash?: (algorithm: string, text: string) => string }

/** The first four hex digits, the way the vendors' guides do it. */
export const md5Digests: Readonly<Record<'createHash' | 'crypto.hash', Digest>> = {
  createHash: (text) => crypto.createHash('md5').update(text).digest('hex').substring(0, 4),
  'crypto.hash': (text) => {
    if (hash === undefined) throw new Error('this Node.js has no crypto.hash')
    return hash('md5', text).substring(0, 4)
  },
}

/** A salted key without rowkey: hash, cut, and let ordered-binary encode the result as one more column. */
const recipe = (name: keyof typeof md5Digests): Candidate => ({
  name: `ordered-binary + ${name}`,
  takesPart: ({ salt }) => salt !== undefined,
  async codec(workload): Promise<Codec<readonly unknown[], Buffer>> {
    const digest = md5Digests[name]
    digest('') // refuses here
    const inner = (await orderedBinary.codec(workload)) as Required<Codec<readonly unknown[], Buffer>>
    const salted = (cells: readonly unknown[]): readonly unknown[] => [digest(cells[0] as string), cells[0], cells[1]]
    return {
      toKey: (cells) => cells,
      encode: (cells) => inner.encode(salted(cells)),
      scratch: inner.scratch,
      encodeInto: (cells) => inner.encodeInto(salted(cells)),
      decode(bytes) {
        const [, user, order] = inner.decode(bytes) as unknown[]
        return [user, order]
      },
    }
  },
})

export const md5Recipes: readonly Candidate[] = [recipe('createHash'), recipe('crypto.hash')]
