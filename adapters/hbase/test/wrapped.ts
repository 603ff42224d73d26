import type { HBaseClient } from '@rowkey/hbase-client'

type Call = (...given: unknown[]) => Promise<unknown>

/** A client whose calls go through `around`, by their names. */
export function wrapped(
  client: HBaseClient,
  around: (name: string, call: Call, given: readonly unknown[]) => Promise<unknown>,
): HBaseClient {
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function' || typeof name !== 'string') return value
      const call = (value as Call).bind(target)
      return (...given: unknown[]) => around(name, call, given)
    },
  })
}

/** A client that creates tables with other region borders than those it is given. */
export const withWrongBorders = (client: HBaseClient): HBaseClient =>
  wrapped(client, (name, call, given) => {
    if (name !== 'createTable') return call(...given)
    const [descriptor, splitKeys = []] = given as Parameters<HBaseClient['createTable']>
    return call(
      descriptor,
      splitKeys.map((key) => Uint8Array.of(0xef, ...key)),
    )
  })
