import { DynamoDB, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { dynamodb } from '@rowkey/dynamodb'
import type { DynamodbConnection } from '@rowkey/servers'
import type { Contest, Contestant } from '../../duel/contestant.js'
import { sampleGroups } from '../model.js'
import { operationNames, partyOf, type Stored, type Way } from '../party.js'
import { pace } from '../pace.js'
import { adapterWay, filled, repositoryWay } from '../rowkey-ways.js'
import { canAnswers } from './canned.js'
import { documentClient } from './document-client.js'
import { dynamooseWay } from './dynamoose.js'
import { electrodb } from './electrodb.js'
import { settings } from './tables.js'
import { toolbox } from './toolbox.js'

const stored: Stored = { groups: sampleGroups(8, 200), spread: sampleGroups(1, 800)[0] ?? [] }

type Parties = Contest['parties']

function parties(isCanned: boolean): Parties {
  const party =
    <G, F, C extends DynamoDBClient>(Client: new (options: ReturnType<typeof settings>) => C, way: (client: C) => Promise<Way<G, F>>) =>
    async (connection: unknown): Promise<Contestant> => {
      const client = new Client(settings(connection as DynamodbConnection))
      return partyOf({ ...(await way(client)), checked: () => isCanned && canAnswers(client) }, stored)
    }
  const open = (client: DynamoDBClient) => filled(dynamodb(client), stored)
  return new Map([
    ['DocumentClient', party(DynamoDBClient, (client) => documentClient(client, stored))],
    ['adapter', party(DynamoDBClient, async (client) => adapterWay(await open(client)))],
    ['repository', party(DynamoDBClient, async (client) => repositoryWay(await open(client)))],
    ['ElectroDB', party(DynamoDBClient, (client) => electrodb(client, stored))],
    ['dynamodb-toolbox', party(DynamoDBClient, (client) => toolbox(client, stored))],
    ['dynamoose', party(DynamoDB, (client) => dynamooseWay(client, stored))],
  ])
}

const common = {
  base: 'DocumentClient',
  operations: Object.values(operationNames),
  allocation: false,
  wall: true,
  pace,
  server: 'dynalite',
} as const

export const dynamodbCpuContest: Contest = {
  ...common,
  id: 'dynamodb-cpu',
  title: 'DynamoDB, the client alone: what dynalite has answered once comes from memory',
  parties: parties(true),
}

export const dynamodbContest: Contest = {
  ...common,
  id: 'dynamodb',
  title: 'DynamoDB on dynalite, 1,600 rows of 4 hosts',
  parties: parties(false),
}
