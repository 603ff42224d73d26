/** An object that was written as JSON; undefined if the bytes are something else. */
export function parseJson(bytes: Buffer): object | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
