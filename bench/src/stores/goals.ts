import type { Clock } from '../report/results.js'
import { operationNames as name } from './party.js'

/** A limit for the ratio of two parties. */
export interface Goal {
  readonly contest: string
  readonly party: string
  readonly operation: string
  readonly against: string
  readonly limit: number
  readonly clock: Clock
}

const goal = (contest: string, party: string, operation: string, against: string, limit: number, clock: Clock = 'nanoseconds'): Goal => ({
  contest,
  party,
  operation,
  against,
  limit,
  clock,
})

const mappers = ['ElectroDB', 'dynamodb-toolbox', 'dynamoose']

const indexed = ['memory', 'redis', 'dynamodb', 'cassandra', 'hbase'].map((store) => `index-${store}`)

/** The adapter beside the same commands by hand; the repository beside other mappers. */
export const goals: readonly Goal[] = [
  ...[name.put, name.get, name.scan].map((operation) => goal('redis', 'adapter', operation, 'ioredis by hand', 1.1)),
  ...[name.putMany, name.load].map((operation) => goal('redis', 'adapter', operation, 'ioredis by hand', 1.25)),
  goal('redis', 'adapter', name.scan, 'hash per row', 0.3),
  goal('redis', 'repository', name.scan, 'hash per row', 0.3),
  goal('redis', 'adapter', name.putMany, 'pairs', 0.35),
  goal('redis', 'repository', name.putMany, 'pairs', 0.35),
  goal('redis', 'repository', name.put, 'redis-om', 1),
  goal('redis', 'repository', name.get, 'redis-om', 1),
  ...[name.put, name.get].map((operation) => goal('dynamodb-cpu', 'adapter', operation, 'DocumentClient', 1.05)),
  goal('dynamodb-cpu', 'adapter', name.scan, 'DocumentClient', 1.15),
  ...mappers.flatMap((mapper) =>
    [name.put, name.get, name.scan].map((operation) => goal('dynamodb-cpu', 'repository', operation, mapper, 1)),
  ),
  ...[name.put, name.get].map((operation) => goal('cassandra', 'adapter', operation, 'driver by hand', 1.1)),
  goal('cassandra', 'adapter', name.scan, 'driver by hand', 1.15),
  ...[name.putMany, name.load].map((operation) => goal('cassandra', 'adapter', operation, 'driver by hand', 1.25)),
  ...[name.put, name.get, name.scan].map((operation) => goal('hbase', 'adapter', operation, 'client by hand', 1.15)),
  ...[name.load, name.get, name.scan].map((operation) => goal('kudu', 'adapter', operation, 'client by hand', 1.15)),
  ...[name.put, name.get, name.scan].map((operation) => goal('cassandra', 'repository', operation, 'Mapper of the driver', 1)),
  ...indexed.flatMap((contest) => [
    ...[name.put, name.putMany, name.load].map((operation) => goal(contest, 'one index', operation, 'no index', 2.2, 'wall')),
    goal(contest, 'one index', name.scan, 'no index', 2.5, 'wall'),
  ]),
]
