// Tested by codegen.test.ts.
/**
 * JavaScript text for one column. In it `b` is the array of bytes, `p` the position, `n` the length of `b`, and `t` and `u` are free
 * for use; `v` is the name of the local variable that holds the value. Nothing in it comes from callers: all numbers and names are ours.
 */
export interface ColumnCode {
  /** What its text names in addition to the runtime. */
  readonly uses: Readonly<Record<string, unknown>>
  /** Expression: the local from what the caller passed, `x`. Must not throw. */
  parse(x: string): string
  /** Condition: whether this code cannot write the local. */
  misfit(v: string): string
  /** The local is the caller's bytes, which `write` reads. They may be in the same memory that is written to. */
  readonly mayOverlap?: true
  /** Statements: what to take out of the local before anything is written. */
  load?(v: string): string
  /** Expression: the max number of bytes it can take. */
  room(v: string): string
  /** Statements: write it and move `p`; `writeText` is the name of the function for text. */
  write(v: string, writeText: string): string
  /** Statements: read into the local and move `p`, or return if something is wrong: the interpreter then says what. */
  read(v: string): string
  /** Expression: what the caller gets. */
  format(v: string): string
  /** Expression: the canonical value, for salts that have no code of their own. */
  canonical(v: string): string
  /** Statements: return the key order of two canonical values, unless they are equal. */
  compare(a: string, b: string): string
}

/** Whether the caller passes and gets key objects, or rows of canonical values. */
export type Shape = 'key' | 'row'

/** JavaScript text for the value of one salt; `b` is the key, `q0` `q1` … are where its columns begin. */
export interface SaltCode {
  /** What its text names. */
  readonly uses: Readonly<Record<string, unknown>>
  /** Columns whose start it needs in `q…`; the number of columns means the end of the key. */
  readonly marks: readonly number[]
  /** Expression. The columns are in the key already; `canonical` returns the expression of a column's canonical value. */
  value(canonical: (column: number) => string): string
}

const same = (x: string): string => x

/** What most types have in common: the local is what the caller passed. */
export const plainCode: Pick<ColumnCode, 'uses' | 'parse' | 'format' | 'canonical'> = {
  uses: {},
  parse: same,
  format: same,
  canonical: same,
}

/**
 * Writes the text that reads and writes the bytes of one column. Descending order is applied here, when the text is made, so no column
 * type knows its direction, and the code does not become slower.
 */
export class Emitter {
  readonly isDescending: boolean
  /** What every byte of the column is XORed with, for functions that loop over bytes. */
  readonly mask: 0 | 255

  constructor(isDescending: boolean) {
    this.isDescending = isDescending
    this.mask = isDescending ? 255 : 0
  }

  /** Statements: the lowest `bytes` bytes of a 32-bit number, most significant first, at `p + at`. Uses `t`. */
  put(number: string, bytes: number, at = 0): string {
    let code = this.isDescending ? `t=~(${number});` : `t=${number};`
    for (let i = 0; i < bytes; i++) code += `b[p+${at + i}]=t>>>${8 * (bytes - 1 - i)};`
    return code
  }

  /** Expression: the 32-bit number of `bytes` bytes at `p + at`. */
  get(bytes: number, at = 0): string {
    const joined = Array.from({ length: bytes }, (_, i) => `b[p+${at + i}]<<${8 * (bytes - 1 - i)}`).join('|')
    if (!this.isDescending) return `(${joined})`
    return bytes === 4 ? `~(${joined})` : `(${2 ** (8 * bytes) - 1}^(${joined}))`
  }

  /** Statements that read `bytes` bytes, if they are there. */
  fixed(bytes: number, code: string): string {
    return `if(p+${bytes}>n)return;${code}p+=${bytes};`
  }

  /** Statements: the order of values for which `<` is the order. */
  readonly compareValues = (a: string, b: string): string => {
    const isLess = this.isDescending ? `${b}<${a}` : `${a}<${b}`
    return `if(${a}!==${b})return ${isLess}?-1:1;`
  }

  /** Statements: the order by a function of the runtime. */
  compareBy(order: string): (a: string, b: string) => string {
    return (a, b) => `if(${a}!==${b}){t=${order}(${this.isDescending ? `${b},${a}` : `${a},${b}`});if(t!==0)return t;}`
  }
}
