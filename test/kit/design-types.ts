type DesignType = readonly [of: object, field: string, type: unknown]

/** Runs it as if reflect-metadata were loaded, and a compiler with `emitDecoratorMetadata` had said these types of fields. */
export async function withTypes<T>(types: readonly DesignType[], run: () => T | Promise<T>): Promise<T> {
  const before = Object.getOwnPropertyDescriptor(Reflect, 'getMetadata')
  const getMetadata = (_: string, target: object, name: string): unknown =>
    types.find(([of, field]) => target === of && field === name)?.[2]
  Object.defineProperty(Reflect, 'getMetadata', { value: getMetadata, configurable: true })
  try {
    return await run()
  } finally {
    if (before === undefined) Reflect.deleteProperty(Reflect, 'getMetadata')
    else Object.defineProperty(Reflect, 'getMetadata', before)
  }
}
