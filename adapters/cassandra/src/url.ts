// Tested by packages/cli/test/stores-url.test.ts.
import type { StoreOpening } from 'rowkey/adapter'
import type * as cassandraDriver from 'cassandra-driver'

/** How a URL opens it. */
export const opening: StoreOpening = Object.freeze({
  form: 'cassandra://host:port,host/keyspace?datacenter=',
  parameters: ['datacenter'],
  credentials: 'CASSANDRA_USERNAME and CASSANDRA_PASSWORD',
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
    return { arguments: [client], connected: client.connect(), close: () => client.shutdown() }
  },
} satisfies StoreOpening)
