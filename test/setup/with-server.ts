import type { Connections, ServerName } from '@rowkey/servers'
import { describe, inject, test } from 'vitest'
import './serve.js'

/** Tests that need a server of this run. Where it is missing they are one skipped test that says why. */
export function withServer<Name extends ServerName>(name: Name, suite: (connection: Connections[Name]) => void): void {
  const server = inject('servers')[name]
  if (server === undefined) throw new Error(`the set-up of this project does not serve ${name}`)
  if ('missing' in server) test(`${name}: ${server.missing}`, ({ skip }) => skip(server.missing))
  else describe(name, () => suite(server.connection))
}
