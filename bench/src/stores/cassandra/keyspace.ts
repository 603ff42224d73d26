import type { CassandraConnection } from '@rowkey/servers'
import { Client, types } from 'cassandra-driver'

const keyspace = 'rowkey_bench'

/** A client whose keyspace is there; with the consistency that the adapter asks for. */
export async function connect({ contactPoints, localDataCenter }: CassandraConnection): Promise<Client> {
  const options = { contactPoints: [...contactPoints], localDataCenter }
  const first = new Client(options)
  await first.execute(`CREATE KEYSPACE IF NOT EXISTS ${keyspace} WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}`)
  await first.shutdown()
  return new Client({
    ...options,
    keyspace,
    socketOptions: { readTimeout: 60_000 },
    queryOptions: { consistency: types.consistencies.localQuorum, prepare: true },
  })
}

/** The table of a careful programmer: a host is a partition. */
export async function createTables(client: Client): Promise<{ readonly events: string; readonly spread: string }> {
  const events = `hand_${process.pid}`
  const spread = `spread_${process.pid}`
  const columns = 'event text, at timestamp, level text, message text'
  await client.execute(`CREATE TABLE ${events} (host text, ${columns}, PRIMARY KEY (host, event, at))`)
  await client.execute(`CREATE TABLE ${spread} (host text, bucket int, ${columns}, PRIMARY KEY ((host, bucket), event, at))`)
  return { events, spread }
}
