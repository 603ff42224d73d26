import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { stores, type Store } from '../servers/src/stores.js'
import { allStores, filesOfGenerated, filesOfStore, hasServers, leftToGate, serversOf } from './projects.js'

const launcher = (own?: () => unknown) => ({
  name: 'a server',
  missing: () => undefined,
  fetch: () => Promise.resolve(),
  ...(own === undefined ? {} : { isOwnOnly: true as const, own }),
})
const suites = 'adapters/paper/test/{conformance,oracle,guides,history,written-before}'
const planted: Store = {
  name: 'paper',
  letter: 'P',
  servers: { one: launcher(), 'paper-two': launcher(), yours: launcher(() => undefined) },
}

test('a store with servers has the files of its folder; long tests and the servers of others wait', () => {
  expect(filesOfStore(planted, false)).toEqual({
    include: ['adapters/paper/test/**/*.test.ts'],
    exclude: [`${suites}-yours.test.ts`, 'adapters/paper/test/long/**'],
  })
  expect(filesOfStore(planted, true).exclude).toEqual([`${suites}-yours.test.ts`])
})

test('a server that only its user can name is tested once it is named', () => {
  const named = { ...planted, servers: { paper: launcher(() => 'http://127.0.0.1:1') } }
  expect(filesOfStore(named, true).exclude).toEqual([])
  const unnamed = { ...planted, servers: { 'paper-two': launcher(() => undefined), paper: launcher(() => undefined) } }
  expect(filesOfStore(unnamed, true).exclude).toEqual([`${suites}-two.test.ts`, `${suites}.test.ts`])
})

test('a store that works in the process has files of its own name', () => {
  expect(filesOfStore({ name: 'paper', letter: 'P', servers: {} }, true).exclude).toEqual([])
  expect(stores.filter((store) => !hasServers(store)).map(({ name }) => name)).toEqual(['memory', 'lmdb'])
})

test('a project starts the servers of its store, another driver the same, and the suites over all stores all that can be started', () => {
  expect(serversOf('redis')).toEqual(['redis', 'redis-cluster'])
  expect(serversOf('ioredis5')).toEqual(['redis', 'redis-cluster'])
  expect(serversOf('dynamodb')).toEqual(['dynalite', 'moto', 'dynamodb'])
  expect(serversOf(allStores)).toEqual(['redis', 'redis-cluster', 'dynalite', 'moto', 'cassandra', 'hbase', 'kudu'])
  expect(serversOf('paper', [planted])).toEqual(['one', 'paper-two', 'yours'])
  expect(() => serversOf('lmdb')).toThrow('no store of test/servers/src/stores.ts with servers is called lmdb')
})

test('what a short run leaves out is there', () => {
  expect(leftToGate.filter((path) => !existsSync(path))).toEqual([])
})

test('a short run repeats with hot code some files, which are there, and all that have no other project', () => {
  const { include, exclude } = filesOfGenerated(true)
  expect(include[0]).toBe('packages/rowkey/test/codec/generated/**/*.test.ts')
  expect([...include.slice(1), ...exclude].filter((path) => !existsSync(path))).toEqual([])
  expect(filesOfGenerated(false)).toEqual({ include: ['packages/rowkey/test/{codec,formats}/**/*.test.ts'], exclude })
})
