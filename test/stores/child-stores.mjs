// How a process that is killed opens a store, with a client of its own.

const dynamodbOf = async ({ endpoint }, options) => {
  const { dynamodb } = await import('../../adapters/dynamodb/dist/index.js')
  const { DynamoDBClient } = await import('@aws-sdk/client-dynamodb')
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' }
  return dynamodb(new DynamoDBClient({ endpoint, region: 'eu-central-1', credentials }), options)
}

const adapters = {
  async lmdb({ folder }) {
    const { lmdb } = await import('../../adapters/lmdb/dist/index.js')
    return lmdb(folder)
  },
  async redis({ url }) {
    const { redis } = await import('../../adapters/redis/dist/index.js')
    const { Redis } = await import('ioredis')
    return redis(new Redis(url))
  },
  async 'redis-cluster'({ nodes }) {
    const { redis } = await import('../../adapters/redis/dist/index.js')
    const { Cluster } = await import('ioredis')
    return redis(new Cluster(nodes))
  },
  dynalite: (connection) => dynamodbOf(connection, { transactions: false, nativeTtl: false }),
  moto: (connection) => dynamodbOf(connection, { transactions: true, nativeTtl: true, segments: false }),
  async cassandra({ contactPoints, localDataCenter, keyspace = 'rowkey_stores' }) {
    const { cassandra } = await import('../../adapters/cassandra/dist/index.js')
    const driver = await import('cassandra-driver')
    return cassandra(new driver.default.Client({ contactPoints, localDataCenter }), { keyspace })
  },
  async hbase({ host, gateways }) {
    const { hbase } = await import('../../adapters/hbase/dist/index.js')
    const { HBaseClient } = await import('../../clients/hbase/dist/index.js')
    return hbase(new HBaseClient({ host, port: gateways.unframed }), { namespace: 'stores' })
  },
  async kudu({ masters }) {
    const { kudu } = await import('../../adapters/kudu/dist/index.js')
    const { KuduClient } = await import('../../clients/kudu/dist/index.js')
    return kudu(new KuduClient({ masters }), { hash: 2, database: 'stores' })
  },
}

export const openStore = (name, connection) => adapters[name](connection)
