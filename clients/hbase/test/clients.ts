import { afterAll } from 'vitest'
import type { HBaseConnection } from '../../../test/servers/src/index.js'
import { HBaseClient, type HBaseClientOptions } from '../src/index.js'

export const transports = ['unframed', 'framed', 'http'] as const

/** Makes clients of a server's gateways, which are closed after the tests. */
export function clientsOf(connection: () => HBaseConnection) {
  const clients: HBaseClient[] = []
  afterAll(() => Promise.all(clients.map((client) => client.close())))
  return (transport: (typeof transports)[number], options: HBaseClientOptions = {}): HBaseClient => {
    const { host, gateways } = connection()
    const client = new HBaseClient({ host, port: gateways[transport], transport, ...options })
    clients.push(client)
    return client
  }
}
