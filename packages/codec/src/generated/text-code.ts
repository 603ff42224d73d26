import type { ColumnCode, Mask } from './code.js'
import { byCall, plain } from './fixed-code.js'

/** Statements: finds the end of an escape; `s` is where it began, `t` all its bytes OR-ed, `u` how many are escapes. */
const scan = (flip: Mask): string =>
  's=p;t=0;u=0;for(;;){if(p>=n)return;' +
  `c=(b[p++]^${flip})&255;if(c!==0){t|=c;continue}` +
  `if(p>=n)return;c=(b[p++]^${flip})&255;if(c===0)break;if(c!==1)return;u++}`

export function textCode(flip: Mask): ColumnCode {
  const other = `text.other(b,s,p-2,${flip & 255})`
  return {
    ...plain,
    misfit: (v) => `typeof ${v}!=="string"`,
    room: (v) => `(3*${v}.length+2)`,
    write: (v, writeText) => `p=${writeText}(b,p,${v},${flip & 255});if(p<0)return -1;`,
    read: (v) =>
      scan(flip) + (flip === 0 ? `${v}=t<128&&u===0?text.ascii(b,s,p-2):${other};` : `${v}=${other};`) + `if(${v}===undefined)return;`,
    compare: byCall('compareText', flip),
  }
}

export function bytesCode(flip: Mask): ColumnCode {
  return {
    ...plain,
    misfit: (v) => `!(${v} instanceof Uint8Array)`,
    room: (v) => `(2*${v}.length+2)`,
    write: (v) => `p=writeBytes(b,p,${v},${flip & 255});`,
    read: (v) => scan(flip) + `${v}=new Uint8Array(p-2-s-u);for(t=0;s<p-2;s++){c=(b[s]^${flip})&255;${v}[t++]=c;if(c===0)s++}`,
    compare: byCall('compareBytes', flip),
  }
}
