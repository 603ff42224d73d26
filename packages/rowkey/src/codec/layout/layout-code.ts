// Also tested by codegen.test.ts.
import type { SaltCodec } from '../salts/salt-codec.js'
import type { ColumnCodec } from '../type/column-codec.js'
import type { LayoutParts } from './layout-parts.js'
import { Emitter, type ColumnCode, type SaltCode, type Shape } from '../compile/column-code.js'
import { writeTextCode } from '../compile/text-writer.js'
import { typeImpl } from '../type/type-impl.js'
import { utf8Of } from '../utf8.js'
import { interpretedCode } from './interpreted-code.js'

/** More names than this are looked up in a set instead of compared one by one. */
const fewNames = 16

/** The calls of objects, and of rows: `c` is the compiled paths, `i` the interpreter. */
const callsCode = (name: '' | 'Row', shape: 'Key' | 'Row'): string =>
  `encode${name}(k){const e=c.write${shape}(scratch,0,k);return e<0?i.encode${name}(k):owned(e)},` +
  `encode${name}Into(b,p,k){const e=isBytes(b)?c.into${shape}(b,p,k):-1;return e<0?i.encode${name}Into(b,p,k):e},` +
  `decode${name}(b){return c.read${shape}(b)??i.decode${name}(b)},`

/**
 * The text of the functions of a layout: a function body that returns them. Column names are the only part that comes from callers; they are
 * written as JSON strings, which are JavaScript strings.
 */
export function layoutCode(parts: LayoutParts): { readonly text: string; readonly uses: Readonly<Record<string, unknown>> } {
  const key = shaped(parts, 'key')
  const row = shaped(parts, 'row')
  const names = parts.columns.map(({ name }) => JSON.stringify(name))
  const known = names.length <= fewNames ? names.map((name) => `x!==${name}`).join('&&') : '!known.has(x)'
  // In a literal `__proto__` would set the prototype; in brackets it is a name like any other.
  const properties = names.map(
    (name, i) => `${name === '"__proto__"' ? `[${name}]` : name}:${(key.columns[i] as ColumnCode).format(`v${i}`)}`,
  )
  const values = row.columns.map((code, i) => code.format(`v${i}`))
  const ofKey = (i: number): string => `k[${names[i]}]`
  const ofRow = (i: number): string => `r[${i}]`
  const isNoKey = `if(typeof k!=="object"||k===null)return -1;for(const x in k)if(${known})return -1;`
  const isNoRow = 'if(!Array.isArray(r))return -1;'
  const written = (name: string): string => {
    const whole = { from: 0, salted: true, writeText: `${name}Text` }
    return (
      `${name}Key(b,p,k){${isNoKey}${writeCode(parts, key, ofKey, whole)}},` +
      `${name}Row(b,p,r){${isNoRow}${writeCode(parts, row, ofRow, { ...whole, tellsPartition: name === 'write' && parts.partitionLength > 0 })}},`
    )
  }
  // Bytes that are read while others are written might be in the same memory. Writing into the scratch first prevents that.
  const copied =
    'intoKey(b,p,k){return copy(b,p,this.writeKey(scratch,0,k))},' + 'intoRow(b,p,r){return copy(b,p,this.writeRow(scratch,0,r))},'
  const writers = [written('write'), row.columns.some(({ mayOverlap }) => mayOverlap === true) ? copied : written('into')]
  const rest = { from: parts.partitionLength, salted: false, writeText: 'writeText' }
  const text = [
    `${writeTextCode('writeText')}${writeTextCode('intoText')};return{partitionEnd:0,`,
    ...writers,
    `writeRest(b,p,r){${writeCode(parts, row, ofRow, rest)}},`,
    `readKey(b){${readCode(parts, key)}return {${properties.join()}}},`,
    `readRow(b){${readCode(parts, row)}return [${values.join()}]},`,
    `compare(r,s){let t;${row.columns
      .slice(0, parts.split?.column)
      .map((code, i) => `{const x=r[${i}],y=s[${i}];${code.compare('x', 'y')}}`)
      .join(
        '',
      )}return ${parts.split === undefined ? '0' : 'split.compareRows(r,s)'}},calls(i){const c=this;return{${callsCode('', 'Key')}${callsCode('Row', 'Row')}}}}`,
  ].join('')
  const pieces = [...key.columns, ...row.columns, ...row.salts]
  return { text, uses: Object.assign({ split: parts.split }, ...pieces.map(({ uses }) => uses)) as Record<string, unknown> }
}

/** The code of all columns and salts, for key objects or for rows. */
interface ShapedCode {
  readonly columns: readonly ColumnCode[]
  readonly salts: readonly PlacedSalt[]
}

function shaped(parts: LayoutParts, shape: Shape): ShapedCode {
  const columns = parts.columns.map((column, i) => columnCode(column, i, shape))
  return { columns, salts: saltCodes(parts, columns) }
}

interface WriteOptions {
  /** The first column to write. */
  readonly from: number
  readonly salted: boolean
  /** Name of the function that writes text. */
  readonly writeText: string
  /** Whether it sets `partitionEnd` to the end of the partition columns. */
  readonly tellsPartition?: boolean
}

/** Takes and checks everything first: no code of the caller runs after the first byte is written. */
function writeCode(
  parts: LayoutParts,
  { columns, salts: levels }: ShapedCode,
  given: (i: number) => string,
  { from, salted, writeText, tellsPartition = false }: WriteOptions,
): string {
  const used = columns.map((code, i) => ({ code, i })).slice(from)
  const salts = salted ? levels : []
  const room = used.map(({ code, i }) => code.room(`v${i}`)).join('+') || '0'
  const saltBytes = salted ? parts.saltBytes : 0
  const mark = (i: number): string =>
    (salts.some(({ marks }) => marks.includes(i)) ? `q${i}=p;` : '') +
    (tellsPartition && i === parts.partitionLength ? 'this.partitionEnd=p;' : '')
  return [
    'let t,u;',
    ...used.map(({ code, i }) => `const x${i}=${given(i)},v${i}=${code.parse(`x${i}`)};if(${code.misfit(`v${i}`)})return -1;`),
    `if(typeof p!=="number"||(p|0)!==p||p<0||p+${saltBytes}+${room}>b.length)return -1;`,
    ...used.map(({ code, i }) => code.load?.(`v${i}`) ?? ''),
    saltBytes > 0 ? `const o=p;p+=${saltBytes};` : '',
    declared(salts),
    ...used.map(({ code, i }) => mark(i) + code.write(`v${i}`, writeText)),
    mark(columns.length),
    ...salts.map(({ value, at, index }) => `s${index}.write(b,o+${at},${value});`),
    'return p',
  ].join('')
}

function readCode({ saltBytes }: LayoutParts, { columns, salts }: ShapedCode): string {
  const mark = (i: number): string => (salts.some(({ marks }) => marks.includes(i)) ? `q${i}=p;` : '')
  return [
    'if(!isBytes(b))return;',
    `const n=b.length;let p=${saltBytes},s,t,u,c,${columns.map((_, i) => `v${i}`).join()};`,
    declared(salts),
    ...columns.map((code, i) => mark(i) + code.read(`v${i}`)),
    mark(columns.length),
    'if(p!==n)return;',
    ...salts.map(
      ({ value, at, index, bytes }) => `s${index}.write(salt,0,${value});for(t=0;t<${bytes};t++)if(b[${at}+t]!==salt[t])return;`,
    ),
  ].join('')
}

interface PlacedSalt extends Pick<SaltCode, 'uses' | 'marks'> {
  /** Expression. */
  readonly value: string
  readonly index: number
  /** Its offset in the key. */
  readonly at: number
  readonly bytes: number
}

function saltCodes({ salts }: LayoutParts, columns: readonly ColumnCode[]): readonly PlacedSalt[] {
  let at = 0
  return salts.map((salt, index) => {
    at += salt.bytes
    const { uses, marks, value } = saltCode(salt, index, columns.length)
    const canonical = (i: number): string => (columns[i] as ColumnCode).canonical(`v${i}`)
    return { uses, marks, value: value(canonical), index, at: at - salt.bytes, bytes: salt.bytes }
  })
}

function declared(salts: readonly PlacedSalt[]): string {
  const marks = new Set(salts.flatMap((salt) => salt.marks))
  return marks.size === 0 ? '' : `let ${Array.from(marks, (i) => `q${i}`).join()};`
}

function columnCode(column: ColumnCodec, index: number, shape: Shape): ColumnCode {
  const { type } = column
  const code = typeImpl(type).compile?.(type, new Emitter(type.desc), shape)
  if (code === undefined) return interpretedCode(column, index, shape)
  if (type.followedBy !== undefined) return followedCode(code, utf8Of(type.followedBy))
  return type.nullable ? nullableCode(code, type.nulls === 'last' ? 2 : 0) : code
}

/** Constant bytes after the value. */
function followedCode(code: ColumnCode, constant: Uint8Array): ColumnCode {
  const each = (one: (byte: number, i: number) => string, separator: string): string => Array.from(constant, one).join(separator)
  return {
    ...code,
    room: (v) => `(${code.room(v)}+${constant.length})`,
    write: (v, writeText) => `${code.write(v, writeText)}${each((byte, i) => `b[p+${i}]=${byte}`, ';')};p+=${constant.length};`,
    read: (v) => `${code.read(v)}if(${each((byte, i) => `b[p+${i}]!==${byte}`, '||')})return;p+=${constant.length};`,
  }
}

/** One marker byte before the value, as in KEY-5. */
function nullableCode(code: ColumnCode, isNull: 0 | 2): ColumnCode {
  const first = isNull === 0 ? -1 : 1
  return {
    ...code,
    parse: (x) => `${x}===null?null:${code.parse(x)}`,
    misfit: (v) => `${v}!==null&&(${code.misfit(v)})`,
    room: (v) => `(${v}===null?1:1+${code.room(v)})`,
    write: (v, writeText) => `if(${v}===null)b[p++]=${isNull};else{b[p++]=1;${code.write(v, writeText)}}`,
    read: (v) => `if(p>=n)return;t=b[p++];if(t===${isNull})${v}=null;else if(t!==1)return;else{${code.read(v)}}`,
    format: (v) => `${v}===null?null:${code.format(v)}`,
    canonical: (v) => `${v}===null?null:${code.canonical(v)}`,
    compare: (a, b) => `if(${a}===null){if(${b}!==null)return ${first};}else if(${b}===null)return ${-first};else{${code.compare(a, b)}}`,
  }
}

/** Its own code, or a call with a row of canonical values. */
function saltCode(salt: SaltCodec, index: number, columns: number): SaltCode {
  if (salt.code !== undefined) return salt.code
  const value: SaltCode['value'] = (canonical) => {
    const values = Array.from({ length: columns }, (_, i) => (salt.columns.includes(i) ? canonical(i) : '0'))
    return `s${index}.of([${values.join()}])`
  }
  return { uses: {}, marks: [], value }
}
