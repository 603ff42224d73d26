/** Methods that look into a text, or into what they are given, for as long as it is. */
const readers: readonly (readonly [owner: object, name: string, of: 'this' | 'argument'])[] = [
  ...['charCodeAt', 'codePointAt', 'isWellFormed', 'includes', 'indexOf', 'replaceAll', 'split', 'search'].map(
    (name) => [String.prototype, name, 'this'] as const,
  ),
  ...['exec', 'test'].map((name) => [RegExp.prototype, name, 'argument'] as const),
  ...['encode', 'encodeInto'].map((name) => [TextEncoder.prototype, name, 'argument'] as const),
  [TextDecoder.prototype, 'decode', 'argument'],
  [globalThis, 'atob', 'argument'],
  [JSON, 'stringify', 'argument'],
]

/** What is read while something runs: `read` gets the text or bytes and the method, once per call. */
export async function whileReading<T>(read: (what: unknown, method: string) => void, run: () => T | Promise<T>): Promise<T> {
  const plain = readers.map(([owner, name]) => Object.getOwnPropertyDescriptor(owner, name) as PropertyDescriptor)
  readers.forEach(([owner, name, of], i) => {
    const { value: method } = plain[i] as { value: (...args: unknown[]) => unknown }
    const watched = function (this: unknown, ...args: unknown[]): unknown {
      read(of === 'this' ? String(this) : args[0], name)
      return Reflect.apply(method, this, args)
    }
    Object.defineProperty(owner, name, { ...plain[i], value: watched })
  })
  try {
    return await run()
  } finally {
    readers.forEach(([owner, name], i) => Object.defineProperty(owner, name, plain[i] as PropertyDescriptor))
  }
}
