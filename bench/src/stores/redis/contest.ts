import { redis } from '@rowkey/redis'
import type { RedisConnection } from '@rowkey/servers'
import { Redis } from 'ioredis'
import type { Contest, Contestant } from '../../duel/contestant.js'
import { sampleGroups } from '../model.js'
import { operationNames, partyOf, type Stored, type Way } from '../party.js'
import { pace } from '../pace.js'
import { adapterWay, filled, repositoryWay } from '../rowkey-ways.js'
import { byHand } from './hand.js'
import { hashPerRow, pairs } from './pairs.js'
import { redisOm } from './redis-om.js'

const stored: Stored = { groups: sampleGroups(40, 500), spread: sampleGroups(1, 2000)[0] ?? [] }

const party =
  <G, F>(way: (url: string) => Promise<Way<G, F>>) =>
  async (connection: unknown): Promise<Contestant> =>
    partyOf(await way((connection as RedisConnection).url), stored)

const open = (url: string) => filled(redis(new Redis(url)), stored)

export const redisContest: Contest = {
  id: 'redis',
  title: 'Redis, 20,000 rows of 20 hosts',
  base: 'ioredis by hand',
  operations: Object.values(operationNames),
  allocation: false,
  wall: true,
  pace,
  server: 'redis',
  parties: new Map([
    ['ioredis by hand', party((url) => byHand(url, stored))],
    ['adapter', party(async (url) => adapterWay(await open(url)))],
    ['repository', party(async (url) => repositoryWay(await open(url)))],
    ['pairs', party((url) => pairs(url, stored))],
    ['hash per row', party((url) => hashPerRow(url, stored))],
    ['redis-om', party((url) => redisOm(url, stored))],
  ]),
}
