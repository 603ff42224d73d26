import { stores, type Connections, type ServerName, type Store } from '@rowkey/servers'
import { inject, test, type TestOptions } from 'vitest'
import '../setup/serve.js'
import { kitOf, type Opened, type StoreKit } from '../kit/store-kit.js'

/** A store of a server, or why there is none. */
export interface StoreUnderTest {
  readonly name: string
  readonly missing?: string
  /** How many operations it is asked to do. */
  readonly length: number
  open(): Promise<Opened>
}

/** The stores of all servers of this run; `length` for those that are fast. */
export async function openStores(length: number): Promise<readonly StoreUnderTest[]> {
  const found = await Promise.all(
    stores.map(async (store: Store) => {
      const servers = Object.entries(store.servers).filter(([, { isOwnOnly }]) => isOwnOnly !== true)
      const kit = servers.length === 0 ? undefined : await kitOf(store.name)
      return kit === undefined ? [] : servers.map(([server]) => underTest(server as ServerName, kit, length))
    }),
  )
  return found.flat()
}

/** A test on a store. Where its server is missing, it is a skipped one that says why. */
export function testOn({ missing }: StoreUnderTest, title: string, options: TestOptions, run: () => Promise<void>): void {
  if (missing === undefined) test(title, options, run)
  else test(`${title}: ${missing}`, ({ skip }) => skip(missing))
}

/** Of tests that ask a server for much. */
export const long: TestOptions = { timeout: 1_200_000 }

function underTest<Name extends ServerName>(name: Name, { on, share = {} }: StoreKit, all: number): StoreUnderTest {
  const open = on[name] as ((connection: Connections[Name]) => Opened | Promise<Opened>) | undefined
  if (open === undefined) throw new Error(`the kit of the store does not open its server ${name}`)
  const length = 100 * Math.ceil((all * (share[name] ?? 1)) / 100)
  const server = inject('servers')[name]
  if (server === undefined || 'missing' in server)
    return { name, length, missing: server?.missing ?? 'not served', open: () => Promise.reject(new Error(name)) }
  return { name, length, open: async () => open(server.connection) }
}
