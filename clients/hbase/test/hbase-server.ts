import { hbase, type HBaseServer } from '@rowkey/servers'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { HBaseClient, type HBaseClientOptions } from '../src/index.js'

export const transports = ['unframed', 'framed', 'http'] as const

/** A server of this file alone, with its gateways. */
export interface OwnServer {
  readonly server: HBaseServer
  /** A client of a gateway, which is closed after the tests. */
  client(transport: (typeof transports)[number], options?: HBaseClientOptions): HBaseClient
}

/** Tests of a real HBase. Where it is missing they are one skipped test that says why. */
export function withHBase(suite: (own: OwnServer) => void): void {
  const missing = hbase.missing()
  if (missing !== undefined && process.env['ROWKEY_REQUIRE_SERVERS'] === '1') throw new Error(`hbase is required: ${missing}`)
  if (missing !== undefined) {
    test.skip(`hbase: ${missing}`, () => undefined)
    return
  }
  describe('hbase', () => {
    let server: HBaseServer | undefined
    const clients: HBaseClient[] = []
    beforeAll(async () => {
      server = await hbase.start()
    })
    afterAll(async () => {
      await Promise.all(clients.map((client) => client.close()))
      await server?.stop()
    })
    suite({
      get server() {
        if (server === undefined) throw new Error('the server has not started')
        return server
      },
      client(transport, options = {}) {
        const { host, gateways } = this.server.connection
        const client = new HBaseClient({ host, port: gateways[transport], transport, ...options })
        clients.push(client)
        return client
      },
    })
  })
}
