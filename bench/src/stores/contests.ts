import type { Contest } from '../duel/contestant.js'
import { cassandraContest } from './cassandra/contest.js'
import { dynamodbContest, dynamodbCpuContest } from './dynamodb/contest.js'
import { hbaseContest } from './hbase/contest.js'
import { indexContests } from './index-contests.js'
import { kuduContest } from './kudu/contest.js'
import { redisContest } from './redis/contest.js'

export const contests: readonly Contest[] = [
  ...[redisContest, dynamodbCpuContest, dynamodbContest, cassandraContest, hbaseContest, kuduContest],
  ...indexContests,
]
