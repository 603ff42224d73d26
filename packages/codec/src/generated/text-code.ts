import type { ColumnCode, Mask } from './code.js'
import { compareBytes, compareText } from '../compare.js'
import { isBytes } from '../values/built-in.js'
import { byCall, plain } from './fixed-code.js'
import { writeBytes } from './write-bytes.js'

/** Statements: finds the end of an escape; `s` is where it began, `u` how many escapes are in it. */
const scan = (flip: Mask): string =>
  's=p;u=0;for(;;){if(p>=n)return;' +
  `c=(b[p++]^${flip})&255;if(c!==0)continue;` +
  `if(p>=n)return;c=(b[p++]^${flip})&255;if(c===0)break;if(c!==1)return;u++}`

export function textCode(flip: Mask): ColumnCode {
  const other = (v: string): string => `${v}=text.other(b,s,${flip & 255});if(${v}===undefined)return;p=text.end;`
  // Reads ahead as long as it is ASCII, which is nearly always to the end.
  const ascii = (v: string): string =>
    `while(p<n&&(c=b[p])!==0&&c<128)p++;if(p+1<n&&c===0&&b[p+1]===0){${v}=text.ascii(b,s,p);p+=2}else{${other(v)}}`
  return {
    ...plain,
    uses: { compareText },
    misfit: (v) => `typeof ${v}!=="string"`,
    room: (v) => `(3*${v}.length+2)`,
    write: (v, writeText) => `p=${writeText}(b,p,${v},${flip & 255});if(p<0)return -1;`,
    read: (v) => `s=p;${flip === 0 ? ascii(v) : other(v)}`,
    compare: byCall('compareText', flip),
  }
}

export function bytesCode(flip: Mask): ColumnCode {
  return {
    ...plain,
    uses: { compareBytes, isBytes, writeBytes },
    misfit: (v) => `!isBytes(${v})`,
    mayOverlap: true,
    room: (v) => `(2*${v}.length+2)`,
    write: (v) => `p=writeBytes(b,p,${v},${flip & 255});`,
    read: (v) => scan(flip) + `${v}=new Uint8Array(p-2-s-u);for(t=0;s<p-2;s++){c=(b[s]^${flip})&255;${v}[t++]=c;if(c===0)s++}`,
    compare: byCall('compareBytes', flip),
  }
}
