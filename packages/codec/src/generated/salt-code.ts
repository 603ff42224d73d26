import type { SaltCodec } from '../salts/salt-codec.js'
import type { ColumnCode, SaltCode } from './code.js'

/** Its own code, or a call with a row of canonical values. */
export function saltCode(salt: SaltCodec, index: number, codes: readonly ColumnCode[]): SaltCode {
  if (salt.code !== undefined) return salt.code
  const values = codes.map((code, i) => (salt.columns.includes(i) ? code.canonical(`v${i}`) : '0'))
  return { uses: {}, marks: [], value: `s${index}.of([${values.join()}])` }
}
