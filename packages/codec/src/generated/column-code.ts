import type { ColumnCodec } from '../encodings/column-codec.js'
import { integerKinds } from '../values/integer-range.js'
import { closureCode } from './closure-code.js'
import type { ColumnCode, Mask, Shape } from './code.js'
import { boolCode, fixedBytesCode, float32Code, float64Code, narrowCode } from './fixed-code.js'
import { bytesCode, textCode } from './text-code.js'
import { dateCode, millisecondsCode, wideCode, wideNumberCode } from './wide-code.js'

export function columnCode(column: ColumnCodec, index: number, shape: Shape): ColumnCode {
  const code = plainCode(column, shape)
  if (code === undefined) return closureCode(index, shape)
  return column.type.nullable ? nullableCode(code, column.type.nulls === 'last' ? 2 : 0) : code
}

function plainCode({ type }: ColumnCodec, shape: Shape): ColumnCode | undefined {
  const flip: Mask = type.desc ? -1 : 0
  const integer = integerKinds[type.kind]
  if (integer !== undefined) {
    if (integer.bytes < 8) return narrowCode(integer.bytes as 1 | 2 | 4, integer.signed, flip)
    return shape === 'key' && type.as === 'number' ? wideNumberCode(integer.signed, flip) : wideCode(integer.signed, flip)
  }
  const as = shape === 'key' ? type.as : 'number'
  switch (type.kind) {
    case 'text':
      return textCode(flip)
    case 'bytes':
      return bytesCode(flip)
    case 'bool':
      return boolCode(flip)
    case 'fixedBytes':
      return fixedBytesCode(type.width as number, flip)
    case 'float32':
      return float32Code(flip)
    case 'float64':
      return float64Code(flip)
    case 'timestamp':
      return type.unit === 'ms' ? millisecondsCode(as, flip) : wideCode(true, flip)
    case 'date':
      return dateCode(as, flip)
    default:
      return undefined
  }
}

/** One marker byte in front, as KEY-5 has it. */
function nullableCode(code: ColumnCode, isNull: 0 | 2): ColumnCode {
  const first = isNull === 0 ? -1 : 1
  return {
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
