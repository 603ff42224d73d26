import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { cassandra } from '@rowkey/cassandra'
import { reasonOf } from 'rowkey/internal'
import { dynamodb } from '@rowkey/dynamodb'
import { lmdb } from '@rowkey/lmdb'
import { redis } from '@rowkey/redis'
import { Client } from 'cassandra-driver'
import { Redis } from 'ioredis'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

// No message of a store says where it is: applications show messages to clients. Programs and logs find it in the details and the cause.

const port = 1 // nobody listens

async function refusal(call: () => Promise<unknown>): Promise<Error & { readonly code?: string; readonly details?: { path?: string } }> {
  try {
    await call()
  } catch (error) {
    return error as Error
  }
  throw new Error('it did not fail')
}

const ways: Readonly<Record<string, () => Promise<Error>>> = {
  redis: async () => {
    const client = new Redis({ host: '127.0.0.1', port, retryStrategy: () => null })
    client.on('error', () => undefined)
    return refusal(() => redis(client).describeTable('x'))
  },
  'redis without a queue': async () => {
    const client = new Redis({ host: 'redis.corp.invalid', port, retryStrategy: () => null, enableOfflineQueue: false })
    client.on('error', () => undefined)
    return refusal(() => redis(client).describeTable('x'))
  },
  cassandra: async () => {
    const client = new Client({ contactPoints: [`127.0.0.1:${port}`], localDataCenter: 'dc1', keyspace: 'shop' })
    const error = await refusal(() => cassandra(client).describeTable('x'))
    await client.shutdown()
    return error
  },
  dynamodb: async () => {
    const credentials = { accessKeyId: 'a', secretAccessKey: 'b' }
    const client = new DynamoDBClient({ endpoint: `http://127.0.0.1:${port}`, region: 'x', credentials, maxAttempts: 1 })
    return refusal(() => dynamodb(client).describeTable('x'))
  },
}

test.each(Object.keys(ways))('%s: an address that does not answer is in the cause only', async (way) => {
  const error = await (ways[way] as () => Promise<Error>)()
  expect((error as { readonly code?: string }).code).toBe('STORE_UNAVAILABLE')
  expect(error.message).not.toMatch(/127\.0\.0\.1|:1\b|invalid|node:| at |errno/)
  expect(error.cause).toBeInstanceOf(Error)
})

test('lmdb: a folder that cannot be used is in the details only', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'secret-'))
  writeFileSync(join(folder, 'data.mdb'), 'garbage')
  const damaged = await refusal(async () => lmdb(folder).describeTable('x'))
  const file = await refusal(async () => lmdb(join(folder, 'data.mdb')).describeTable('x'))
  for (const error of [damaged, file]) {
    expect(error.code).toBe('STORE_UNUSABLE')
    expect(error.message).toMatch(/^STORE_UNUSABLE: the LMDB store (contains|cannot be opened: E[A-Z]+\.)/)
    expect(error.message).not.toMatch(/secret-|\/tmp/)
    expect(error.details?.path).toContain('secret-')
  }
  chmodSync(folder, 0o700)
  rmSync(folder, { recursive: true })
})

test.each([
  ['MOVED 3999 127.0.0.1:6381', 'MOVED 3999 …'],
  ['getaddrinfo ENOTFOUND redis', 'getaddrinfo ENOTFOUND …'],
  ['connect ECONNREFUSED ::1:6379', 'connect ECONNREFUSED …'],
  ['no answer from [fe80::1]:9042 in time', 'no answer from … in time'],
  ['no answer from db-1.corp.example in time', 'no answer from … in time'],
  ['no answer from db-1:9042 in time', 'no answer from … in time'],
  ['see https://10.0.0.1/a?b=c for more', 'see … for more'],
  ["cannot write '/var/lib/app/x' and C:\\data\\x", "cannot write '…' and …"],
  ['LOADING Redis is loading the dataset in memory', 'LOADING Redis is loading the dataset in memory'],
  ["other processes are changing table 'orders'", "other processes are changing table 'orders'"],
  ['Command timed out', 'Command timed out'],
  ['and/or 1/2 of a.b', 'and/or 1/2 of a.b'],
])('what a driver says is told without its places: %s', (text, told) => {
  expect(reasonOf(new Error(text))).toBe(told)
})

test('of several hosts, each reason is told once', () => {
  const down = () => Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:9042'), { code: 'ECONNREFUSED' })
  const hosts = { '10.0.0.1:9042': down(), '10.0.0.2:9042': down(), '10.0.0.3:9042': new Error('Socket was closed') }
  expect(reasonOf(Object.assign(new Error('tried 10.0.0.1:9042'), { innerErrors: hosts }))).toBe('ECONNREFUSED, Socket was closed')
  const circle = Object.assign(new Error('x'), { errors: [] as unknown[] })
  circle.errors.push(circle)
  expect(reasonOf(circle)).toBe('x')
})
