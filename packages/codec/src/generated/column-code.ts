import type { ColumnCodec } from '../encodings/column-codec.js'
import type { ColumnCode, Shape } from './code.js'
import { kindCode } from '../kinds/kind-code.js'
import { closureCode } from './closure-code.js'

export function columnCode(column: ColumnCodec, index: number, shape: Shape): ColumnCode {
  const { type } = column
  const code = kindCode(type).code?.(type, type.desc ? -1 : 0, shape)
  if (code === undefined) return closureCode(column, index, shape)
  return type.nullable ? nullableCode(code, type.nulls === 'last' ? 2 : 0) : code
}

/** One marker byte in front, as KEY-5 has it. */
function nullableCode(code: ColumnCode, isNull: 0 | 2): ColumnCode {
  const first = isNull === 0 ? -1 : 1
  return {
    uses: code.uses,
    ...(code.mayOverlap === true ? { mayOverlap: true } : {}),
    ...(code.load === undefined ? {} : { load: code.load }),
    take: (x) => `${x}===null?null:${code.take(x)}`,
    misfit: (v) => `${v}!==null&&(${code.misfit(v)})`,
    room: (v) => `(${v}===null?1:1+${code.room(v)})`,
    write: (v, writeText) => `if(${v}===null)b[p++]=${isNull};else{b[p++]=1;${code.write(v, writeText)}}`,
    read: (v) => `if(p>=n)return;t=b[p++];if(t===${isNull})${v}=null;else if(t!==1)return;else{${code.read(v)}}`,
    give: (v) => `${v}===null?null:${code.give(v)}`,
    canonical: (v) => `${v}===null?null:${code.canonical(v)}`,
    compare: (a, b) => `if(${a}===null){if(${b}!==null)return ${first};}else if(${b}===null)return ${-first};else{${code.compare(a, b)}}`,
  }
}
