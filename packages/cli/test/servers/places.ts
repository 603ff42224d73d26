import { host } from '@rowkey/servers'
import { Client } from 'cassandra-driver'
import { beforeAll, expect } from 'vitest'
import type { Connections } from '@rowkey/servers'
import { withServer } from '../../../../test/setup/with-server.js'
import type { Project } from '../command.js'

/** A store with a server, as the command reaches it. */
export interface Place {
  readonly name: 'redis' | 'dynamodb' | 'cassandra' | 'hbase'
  /** Where its server listens. */
  readonly port: number
  /** Its URL, with the port of the server or that of a proxy. */
  url(port?: number): string
}

/** How late a proxy answers so that no command ends before its fault or its signal, in milliseconds. */
export const slowMs = 20

/** The rows of a table as the command exports them. */
export async function exported({ rowkey }: Project, url: string, prefix: string): Promise<string> {
  const { code, stdout } = await rowkey(['export', 'everything', '--url', url, '--prefix', prefix])
  expect(code).toBe(0)
  return stdout
}

const portOf = (address: string): number => Number(address.split(':').at(-1))

const placeOf = (name: Place['name'], port: number, rest: string): Place => ({
  name,
  port,
  url: (at = port) => `${name}://${host}:${at}${rest}`,
})

const inRedis = ({ url }: Connections['redis']): Place => placeOf('redis', portOf(url), '')

const inDynalite = ({ endpoint }: Connections['dynalite']): Place =>
  placeOf('dynamodb', portOf(new URL(endpoint).host), '?region=us-east-1&transactions=false&nativeTtl=false')

const inHBase = ({ gateways }: Connections['hbase']): Place => placeOf('hbase', gateways.unframed, '')

/** In a keyspace that is created before the tests. */
function inCassandra({ contactPoints, localDataCenter }: Connections['cassandra']): Place {
  const replication = "{'class': 'SimpleStrategy', 'replication_factor': 1}"
  beforeAll(async () => {
    const client = new Client({ contactPoints: [...contactPoints], localDataCenter })
    await client.execute(`CREATE KEYSPACE IF NOT EXISTS rowkey_cli WITH replication = ${replication}`)
    await client.shutdown()
  })
  return placeOf('cassandra', portOf(contactPoints[0] as string), `/rowkey_cli?datacenter=${localDataCenter}`)
}

/** Tests of each store by itself. */
export function eachPlace(suite: (place: Place) => void): void {
  withServer('redis', (connection) => suite(inRedis(connection)))
  withServer('dynalite', (connection) => suite(inDynalite(connection)))
  withServer('cassandra', (connection) => suite(inCassandra(connection)))
  withServer('hbase', (connection) => suite(inHBase(connection)))
}

/** Tests that need all of them. */
export function allPlaces(suite: (places: readonly [Place, Place, Place, Place]) => void): void {
  withServer('redis', (redis) => {
    withServer('dynalite', (dynalite) => {
      withServer('cassandra', (cassandra) => {
        withServer('hbase', (hbase) => suite([inRedis(redis), inDynalite(dynalite), inCassandra(cassandra), inHBase(hbase)]))
      })
    })
  })
}
