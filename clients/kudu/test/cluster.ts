import { afterAll, beforeAll } from 'vitest'
import { kudu, type KuduOptions, type KuduServer } from '../../../test/servers/src/index.js'
import { Masters } from '../src/masters.js'
import { settingsOf, type KuduClientOptions } from '../src/options.js'
import { KuduError } from '../src/index.js'
import { Tables } from '../src/tables/tables.js'
import { Connections } from '../src/transport/connections.js'
import { Waiting } from '../src/transport/waiting.js'

/** The parts of a client. */
export interface Parts {
  readonly connections: Connections
  readonly masters: Masters
  readonly tables: Tables
  /** Work of one call. */
  during<Value>(work: (waiting: Waiting) => Promise<Value>, timeout?: number): Promise<Value>
}

/** Starts servers for the tests of a file, and makes parts of clients that are closed after them. */
export function clusterOf(options: KuduOptions = {}) {
  let server: KuduServer | undefined
  const opened: Connections[] = []
  beforeAll(async () => {
    server = await kudu.start(options)
  })
  afterAll(async () => {
    for (const connections of opened) connections.close()
    await server?.stop()
  })
  const running = (): KuduServer => server as KuduServer
  return {
    server: running,
    parts(more: Partial<KuduClientOptions> = {}): Parts {
      const settings = settingsOf({ masters: running().connection.masters, ...more })
      const connections = new Connections(settings)
      opened.push(connections)
      const masters = new Masters(settings, connections)
      return {
        connections,
        masters,
        tables: new Tables(masters),
        during: (work, timeout = 60_000) => Waiting.during('test', {}, timeout, work),
      }
    },
  }
}

/** The error with which a call ends. @throws Error if it does not */
export async function failureOf(call: Promise<unknown>): Promise<KuduError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof KuduError) return error
  throw new Error(`it ended with ${String(error)} instead of a KuduError`)
}
