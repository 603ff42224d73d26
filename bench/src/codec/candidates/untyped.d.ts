// Packages without types of their own; only what is used.

declare module 'charwise' {
  export function encode(key: unknown): string
  export function decode(key: string): unknown
}

declare module 'bytewise' {
  export function encode(key: unknown): Buffer
  export function decode(key: Buffer): unknown
}

declare module 'index-encoder' {
  type Encoding = object
  class IndexEncoder {
    static readonly STRING: Encoding
    static readonly UINT: Encoding
    static readonly INT: Encoding
    static readonly BOOL: Encoding
    static readonly BUFFER: Encoding
    constructor(encodings: readonly Encoding[])
    encode(key: readonly unknown[]): Buffer
    decode(key: Buffer): unknown[]
  }
  export = IndexEncoder
}
