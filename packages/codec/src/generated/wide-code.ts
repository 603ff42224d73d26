import type { TypeData } from '../types/column-type.js'
import type { ColumnCode, Mask } from './code.js'
import { lastInstant } from '../values/integer-range.js'
import { timeOf } from '../values/built-in.js'
import { byValue, fixed, get, plain, put } from './fixed-code.js'

/** 64-bit integers as bigint: a view of the same memory splits and joins them, without bigint arithmetic. */
export function wideCode(signed: boolean, flip: Mask): ColumnCode {
  const mask = flip ^ (signed ? 0x80000000 : 0)
  const [view, cut] = signed ? ['i64', 'BigInt.asIntN'] : ['u64', 'BigInt.asUintN']
  return {
    ...plain,
    misfit: (v) => `typeof ${v}!=="bigint"||${cut}(64,${v})!==${v}`,
    room: () => '8',
    write: (v) => `${view}[0]=${v};t=w[H]^${mask};${put(4)}t=w[L]^${flip};${put(4, 4)}p+=8;`,
    read: (v) => fixed(8, `w[H]=${get(4)}^${mask};w[L]=${get(4, 4)}^${flip};${v}=${view}[0];`),
    compare: byValue(flip),
  }
}

/** The same from and to a number that is an integer. */
function split(signed: boolean, flip: Mask, limit: number): Pick<ColumnCode, 'misfit' | 'room' | 'write' | 'read' | 'compare'> {
  const mask = flip ^ (signed ? 0x80000000 : 0)
  return {
    misfit: (v) => `typeof ${v}!=="number"||!(${v}>=${signed ? -limit : 0}&&${v}<=${limit})||Math.floor(${v})!==${v}`,
    room: () => '8',
    write: (v) => `t=Math.floor(${v}/4294967296)^${mask};${put(4)}t=${v}^${flip};${put(4, 4)}p+=8;`,
    // Beyond 2^53 the sum is rounded, but never to less than the limit.
    read: (v) =>
      fixed(
        8,
        `t=${get(4)}^${mask};u=${get(4, 4)}^${flip};${v}=${signed ? 't' : '(t>>>0)'}*4294967296+(u>>>0);if(${v}>${limit}${signed ? `||${v}<-${limit}` : ''})return;`,
      ),
    compare: byValue(flip),
  }
}

export function wideNumberCode(signed: boolean, flip: Mask): ColumnCode {
  return { ...plain, ...split(signed, flip, Number.MAX_SAFE_INTEGER), canonical: (v) => `BigInt(${v})` }
}

/** Epoch milliseconds, a number inside. */
export function millisecondsCode(as: TypeData['as'], flip: Mask): ColumnCode {
  const code = { ...plain, ...split(true, flip, lastInstant) }
  if (as === 'Date') return { ...code, uses: { timeOf }, take: (x) => `timeOf(${x})`, give: (v) => `new Date(${v})` }
  if (as === 'bigint') return { ...code, take: (x) => `(typeof ${x}==="bigint"?Number(${x}):undefined)`, give: (v) => `BigInt(${v})` }
  return code
}

/** Days since 1970, a number inside. */
export function dateCode(as: TypeData['as'], flip: Mask): ColumnCode {
  const mask = flip ^ 0x80000000
  const last = lastInstant / 86_400_000
  const code: ColumnCode = {
    ...plain,
    misfit: (v) => `typeof ${v}!=="number"||(${v}|0)!==${v}||${v}>${last}||${v}<-${last}`,
    room: () => '4',
    write: (v) => `t=${v}^${mask};${put(4)}p+=4;`,
    read: (v) => fixed(4, `${v}=${get(4)}^${mask};if(${v}>${last}||${v}<-${last})return;`),
    compare: byValue(flip),
  }
  if (as !== 'Date') return code
  return { ...code, uses: { timeOf }, take: (x) => `timeOf(${x})/86400000`, give: (v) => `new Date(${v}*86400000)` }
}
