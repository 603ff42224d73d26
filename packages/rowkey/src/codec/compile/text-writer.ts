// Tested by order.test.ts.
import { writeUtf8 } from '../utf8.js'
import { view } from '../built-in.js'

const encoder = /* @__PURE__ */ new TextEncoder()

/** In UTF-16 units: from here on the platform's encoder is faster than a loop, although it needs a view. */
const long = 24

/**
 * JavaScript text of a function of this name: writes text in the escape of KEY-6 with its end, every byte XORed with `x`, and returns
 * the offset after it, or -1 at a lone surrogate. There must be room for 3 bytes per unit and 2 more.
 *
 * It is text so that every layout has its own: the engine then learns from one kind of target, not from all of them together.
 */
export const writeTextCode = (name: string): string => `
function ${name}(b,p,v,x){
  const n=v.length;
  if(n>${long})return writeLong(b,p,v,x);
  for(let i=0;i<n;i++){
    const c=v.charCodeAt(i);
    if(c===0||c>=0x80)return ${name}Other(b,p+i,v,i,x);
    b[p+i]=c^x
  }
  p+=n;b[p]=x;b[p+1]=x;
  return p+2
}
function ${name}Other(b,p,v,i,x){
  const n=v.length;
  for(;i<n;i++){
    let c=v.charCodeAt(i);
    if(c<0x80){b[p++]=c^x;if(c===0)b[p++]=1^x}
    else if(c<0x800){b[p]=(0xc0|c>>6)^x;b[p+1]=(0x80|c&63)^x;p+=2}
    else if((c&0xf800)!==0xd800){b[p]=(0xe0|c>>12)^x;b[p+1]=(0x80|c>>6&63)^x;b[p+2]=(0x80|c&63)^x;p+=3}
    else{
      const d=i+1<n?v.charCodeAt(++i):0;
      if(c>=0xdc00||(d&0xfc00)!==0xdc00)return -1;
      c=0x10000+((c&0x3ff)<<10)+(d&0x3ff);
      b[p]=(0xf0|c>>18)^x;b[p+1]=(0x80|c>>12&63)^x;b[p+2]=(0x80|c>>6&63)^x;b[p+3]=(0x80|c&63)^x;p+=4
    }
  }
  b[p]=x;b[p+1]=x;
  return p+2
}`

/** The same by the platform. */
export function writeLong(target: Uint8Array, at: number, text: string, flip: number): number {
  if (!text.isWellFormed()) return -1
  const end = text.includes('\0')
    ? writeUtf8(target, at, text, true)
    : at + encoder.encodeInto(text, view(target, at, target.length)).written
  if (flip !== 0) for (let i = at; i < end; i++) target[i] = (target[i] as number) ^ flip
  target[end] = flip
  target[end + 1] = flip
  return end + 2
}

/** Bytes in the escape of KEY-7; there is room. */
export function writeBytes(target: Uint8Array, at: number, value: Uint8Array, flip: number): number {
  const { length } = value
  for (let i = 0; i < length; i++) {
    const byte = value[i] as number
    target[at++] = byte ^ flip
    if (byte === 0) target[at++] = 1 ^ flip
  }
  target[at] = flip
  target[at + 1] = flip
  return at + 2
}
