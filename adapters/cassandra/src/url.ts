// Tested by packages/cli/test/stores-url.test.ts.
import type { StoreOpening } from 'rowkey/adapter'
import type * as cassandraDriver from 'cassandra-driver'
import { sharedTable } from './schema/shared-table.js'

/** How a URL opens it. */
export const opening: StoreOpening = Object.freeze({
  form: 'cassandra://host:port,host/keyspace?datacenter=',
  parameters: ['datacenter'],
  credentials: 'CASSANDRA_USERNAME and CASSANDRA_PASSWORD',
  rights: (_prefix, { inside }) =>
    ['SELECT', 'MODIFY', 'CREATE', 'ALTER', 'DROP'].map((permission) => `GRANT ${permission} ON KEYSPACE ${inside} TO app;`),
  drivers: ['cassandra-driver'],
  open([{ Client }]: readonly [typeof cassandraDriver], opener) {
    const { place, inside, parameters } = opener.url
    if (inside === '') opener.refuse('a cassandra: URL ends with a keyspace, such as cassandra://host:9042/shop.')
    const contactPoints = place.split(',').map((each) => {
      const { host, port } = opener.host(each, 9042)
      return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
    })
    const { username, password } = opener.credentials('CASSANDRA')
    const client = new Client({
      contactPoints,
      localDataCenter: parameters.get('datacenter') ?? 'datacenter1',
      keyspace: inside,
      ...(username === undefined || password === undefined ? {} : { credentials: { username, password } }),
      socketOptions: { connectTimeout: opener.connectMs, readTimeout: opener.answerMs },
    })
    const product = async (): Promise<string> => {
      const { rows } = await client.execute('SELECT release_version FROM system.local')
      return `Cassandra ${String(rows[0]?.['release_version'])}`
    }
    const shared = sharedTable(client, inside)
    return { arguments: [client], connected: client.connect(), product, shared, close: () => client.shutdown() }
  },
} satisfies StoreOpening)
