import type { ColumnCode, Mask } from './code.js'
import { compareBytes, compareFloats } from '../compare.js'
import { isBytes } from '../values/built-in.js'

const same = (x: string): string => x

/** What most kinds have in common. */
export const plain: Pick<ColumnCode, 'uses' | 'take' | 'give' | 'canonical'> = { uses: {}, take: same, give: same, canonical: same }

/** Statements: the lowest `bytes` bytes of `t`, most significant first, at `p + at`. */
export const put = (bytes: number, at = 0): string => {
  let code = ''
  for (let i = 0; i < bytes; i++) code += `b[p+${at + i}]=t>>>${8 * (bytes - 1 - i)};`
  return code
}

/** Expression: the 32-bit number of `bytes` bytes at `p + at`. */
export const get = (bytes: number, at = 0): string =>
  `(${Array.from({ length: bytes }, (_, i) => `b[p+${at + i}]<<${8 * (bytes - 1 - i)}`).join('|')})`

/** Statements that read `bytes` bytes, if they are there. */
export const fixed = (bytes: number, code: string): string => `if(p+${bytes}>n)return;${code}p+=${bytes};`

/** Statements: the order of values for which `<` is the order. */
export const byValue =
  (flip: Mask) =>
  (a: string, b: string): string =>
    flip === 0 ? `if(${a}!==${b})return ${a}<${b}?-1:1;` : `if(${a}!==${b})return ${a}<${b}?1:-1;`

/** Statements: the order by a function of the runtime. */
export const byCall =
  (order: string, flip: Mask) =>
  (a: string, b: string): string =>
    `if(${a}!==${b}){t=${order}(${flip === 0 ? `${a},${b}` : `${b},${a}`});if(t!==0)return t;}`

/** Integers of up to 32 bits. */
export function narrowCode(bytes: 1 | 2 | 4, signed: boolean, flip: Mask): ColumnCode {
  const bits = 8 * bytes
  const mask = flip ^ (signed ? 1 << (bits - 1) : 0)
  const cut = (x: string): string => (signed ? `(${x}<<${32 - bits}>>${32 - bits})` : `(${x}<<${32 - bits}>>>${32 - bits})`)
  return {
    ...plain,
    misfit: (v) => `typeof ${v}!=="number"||${cut(v)}!==${v}`,
    room: () => String(bytes),
    write: (v) => `t=${v}^${mask};${put(bytes)}p+=${bytes};`,
    read: (v) => fixed(bytes, `t=${get(bytes)}^${mask};${v}=${cut('t')};`),
    compare: byValue(flip),
  }
}

export function boolCode(flip: Mask): ColumnCode {
  return {
    ...plain,
    misfit: (v) => `typeof ${v}!=="boolean"`,
    room: () => '1',
    write: (v) => `b[p++]=(${v}?1:0)^${flip};`,
    read: (v) => fixed(1, `t=(b[p]^${flip})&255;if(t>1)return;${v}=t===1;`),
    compare: byValue(flip),
  }
}

/** NaN has one form and is rare: the closures write and read it. */
export function float64Code(flip: Mask): ColumnCode {
  const turned = flip === 0 ? '' : 't=~t;u=~u;'
  return {
    ...plain,
    uses: { compareFloats },
    misfit: (v) => `typeof ${v}!=="number"||${v}!==${v}`,
    room: () => '8',
    write: (v) => `f64[0]=${v}+0;t=w[H];u=w[L];if(t<0){t=~t;u=~u}else t^=-2147483648;${turned}${put(4)}t=u;${put(4, 4)}p+=8;`,
    read: (v) =>
      fixed(8, `t=${get(4)};u=${get(4, 4)};${turned}if(t<0)t^=-2147483648;else{t=~t;u=~u}w[H]=t;w[L]=u;${v}=f64[0];${oneForm(v, 't|u')}`),
    compare: byCall('compareFloats', flip),
  }
}

export function float32Code(flip: Mask): ColumnCode {
  const turned = flip === 0 ? '' : 't=~t;'
  return {
    ...plain,
    uses: { compareFloats },
    misfit: (v) => `typeof ${v}!=="number"||Math.fround(${v})!==${v}`,
    room: () => '4',
    write: (v) => `f32[0]=${v}+0;t=w[0];if(t<0)t=~t;else t^=-2147483648;${turned}${put(4)}p+=4;`,
    read: (v) => fixed(4, `t=${get(4)};${turned}if(t<0)t^=-2147483648;else t=~t;w[0]=t;${v}=f32[0];${oneForm(v, 't')}`),
    compare: byCall('compareFloats', flip),
  }
}

/** NaN and -0 are for the closures. */
const oneForm = (v: string, bits: string): string => `if(${v}!==${v}||(${v}===0&&(${bits})!==0))return;`

/** So many bytes fit into locals. */
const fewBytes = 16

export function fixedBytesCode(width: number, flip: Mask): ColumnCode {
  const length = width | 0 // a number, whatever a forged type says: it becomes code
  const each = (code: (i: number) => string, separator: string): string => Array.from({ length }, (_, i) => code(i)).join(separator)
  const writing: Pick<ColumnCode, 'mayOverlap' | 'load' | 'write'> =
    length > fewBytes
      ? { mayOverlap: true, write: (v) => `for(t=0;t<${length};t++)b[p+t]=${v}[t]^${flip};p+=${length};` }
      : {
          load: (v) => `let ${each((i) => `${v}_${i}`, ',')};if(${v}!==null){${each((i) => `${v}_${i}=${v}[${i}]`, ';')}}`,
          write: (v) => `${each((i) => `b[p+${i}]=${v}_${i}^${flip}`, ';')};p+=${length};`,
        }
  return {
    ...plain,
    ...writing,
    uses: { compareBytes, isBytes },
    misfit: (v) => `!isBytes(${v})||${v}.length!==${length}`,
    room: () => String(length),
    read: (v) => fixed(length, `${v}=new Uint8Array(${length});for(t=0;t<${length};t++)${v}[t]=b[p+t]^${flip};`),
    compare: byCall('compareBytes', flip),
  }
}
