import { cassandra, type CassandraAdapter } from '@rowkey/cassandra'
import type { CassandraConnection } from '@rowkey/servers'
import { Client, type ClientOptions } from 'cassandra-driver'
import { silentWire } from '../../../test/setup/silence.js'

/** A client and a keyspace of its own. */
export interface Connected {
  readonly client: Client
  readonly keyspace: string
  readonly adapter: CassandraAdapter
  dispose(): Promise<void>
}

let count = 0

/** A client of a server of this run. */
export const clientOf = (connection: CassandraConnection, options: ClientOptions = {}): Client =>
  new Client({
    contactPoints: [...connection.contactPoints],
    localDataCenter: connection.localDataCenter,
    ...options,
  })

/** An adapter in a keyspace of its own, which goes with it. */
export async function connect(connection: CassandraConnection, options: ClientOptions = {}): Promise<Connected> {
  const keyspace = `rowkey_${process.pid}_${Date.now()}_${count++}`
  const client = clientOf(connection, options)
  const create = `CREATE KEYSPACE ${keyspace} WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}`
  await client.execute(create, [], { readTimeout: 120_000 }) // the tables of others may be changing
  return {
    client,
    keyspace,
    adapter: cassandra(client, { keyspace }),
    async dispose() {
      await client.execute(`DROP KEYSPACE IF EXISTS ${keyspace}`, [], { readTimeout: 120_000 }) // some seconds per hundred tables
      await client.shutdown()
    },
  }
}

/** What the conformance suite takes: an adapter behind a wire that can be made silent, over the client that `through` makes of its own. */
export async function overSilentWire(
  connection: CassandraConnection,
  through: (client: Client) => Client = (client) => client,
): Promise<Pick<Connected, 'adapter' | 'dispose'> & Pick<Awaited<ReturnType<typeof silentWire>>, 'silence' | 'traffic'>> {
  const [contactPoint = ''] = connection.contactPoints
  const { port, silence, traffic, close } = await silentWire(Number(contactPoint.split(':')[1]))
  const { client, keyspace, dispose } = await connect({ ...connection, contactPoints: [`127.0.0.1:${port}`] })
  return {
    adapter: cassandra(through(client), { keyspace }),
    silence,
    traffic,
    async dispose() {
      await dispose()
      await close()
    },
  }
}

/** What the driver answers, as far as it is looked at. */
export interface Answered {
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

/** The client, with something happening before a statement is sent. Its timestamp is chosen by then. */
export const delayed = (client: Client, before: (query: string) => Promise<unknown>): Client =>
  around(client, async (query, send) => {
    await before(query)
    return send()
  })

/** The client, with something happening between the answer to a statement and the adapter that waits for it. */
export const interrupted = (client: Client, between: (query: string) => Promise<unknown>): Client =>
  replaced(client, async (query, answer) => {
    await between(query)
    return answer
  })

/** The client, with other answers. */
export const replaced = (client: Client, answered: (query: string, answer: Answered) => Answered | Promise<Answered>): Client =>
  around(client, async (query, send) => answered(query, await send()))

/** The client, with every statement and every batch sent by `call`; the query of a batch is that of all its statements. */
export function around(client: Client, call: (query: string, send: () => Promise<Answered>) => Promise<Answered>): Client {
  return new Proxy(client, {
    get(target, property) {
      const own: unknown = Reflect.get(target, property)
      const send = own as (...args: readonly unknown[]) => Promise<Answered>
      if (property === 'execute') {
        return async (query: string, ...rest: readonly unknown[]) => call(query, () => send.call(target, query, ...rest))
      }
      if (property === 'batch') {
        return async (statements: readonly { readonly query: string }[], ...rest: readonly unknown[]) =>
          call(statements.map(({ query }) => query).join('; '), () => send.call(target, statements, ...rest))
      }
      return typeof own === 'function' ? (own.bind(target) as unknown) : own
    },
  })
}
