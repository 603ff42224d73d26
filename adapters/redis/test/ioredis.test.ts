import { redis } from '@rowkey/redis'
import { Command, Redis } from 'ioredis'
import { Redis as Redis5, Cluster as Cluster5 } from 'ioredis5'
import { isRowkeyError } from 'rowkey'
import { expect, test } from 'vitest'

test('these tests run with the version of ioredis that their project names', () => {
  expect('setReplyContext' in Command.prototype).toBe(process.env['ROWKEY_IOREDIS'] !== '5') // new in version 6
})

test('clients of ioredis 5 and 6 are taken as they are typed', () => {
  const clients = [new Redis({ lazyConnect: true }), new Redis5({ lazyConnect: true }), new Cluster5([], { lazyConnect: true })]
  expect(clients.map((client) => redis(client).name)).toEqual(['redis', 'redis', 'redis'])
})

test('a client of node-redis is refused, although it has sendCommand()', () => {
  const client = { options: {}, sendCommand: () => Promise.resolve('OK'), isOpen: true }
  let caught: unknown
  try {
    redis(client as never)
  } catch (error) {
    caught = error
  }
  expect(isRowkeyError(caught, 'INVALID_OPTION')).toBe(true)
  expect((caught as Error).message).toContain('Give new Redis(url) or new Cluster(nodes) of ioredis.')
})
