import type { Contest, Contestant } from '../duel/contestant.js'
import { inputCount } from '../measure/loop.js'
import { Random } from '../measure/random.js'
import { md5Digests } from './candidates/md5-recipes.js'
import { layoutOf } from './layout-of.js'

/** Four hex digits of md5, without a key around them. rowkey gives them as the number of the bucket. */
export const md5Contest: Contest = {
  id: 'md5',
  title: 'four hex digits of md5 of a text of 16 characters',
  base: 'createHash',
  operations: ['prefix'],
  allocation: true,
  parties: new Map([
    ['rowkey, bucketOf', () => party(bucketOf, (bucket) => bucket.toString(16).padStart(4, '0'))],
    ['createHash', () => party(md5Digests.createHash, (digits) => digits)],
    ['crypto.hash', () => party(md5Digests['crypto.hash'], (digits) => digits)],
  ]),
}

const { rows } = layoutOf({ columns: [{ name: 'user', kind: 'text' }], salt: 'user' })

/** The row stands ready, as it does when a key is encoded. */
const row: [string] = ['']
function bucketOf(user: string): number {
  row[0] = user
  return rows.bucketOf(row)
}

function party<T>(run: (user: string) => T, digitsOf: (result: T) => string): Contestant {
  const random = new Random(5)
  const inputs = Array.from({ length: inputCount }, () => random.word(16))
  const wrong = inputs.filter((user) => digitsOf(run(user)) !== md5Digests.createHash(user)).length
  if (wrong > 0) return { operations: {}, facts: { wrong: { prefix: `wrong ${wrong}/${inputs.length}` } } }
  return { operations: { prefix: { inputs, run } }, facts: {} }
}
