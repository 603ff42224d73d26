import { cassandraStore } from '@rowkey/cassandra'
import { dynamodbStore } from '@rowkey/dynamodb'
import { hbaseStore } from '@rowkey/hbase'
import { lmdbStore } from '@rowkey/lmdb'
import { memoryStore } from 'rowkey/internal'
import { redisStore } from '@rowkey/redis'
import { knownStores, type StoreDescription } from 'rowkey/adapter'
import { defineTable, text, timestamp } from 'rowkey'
import { expect, test } from 'vitest'
import { advise, storeNames, type StoreProfile } from '../src/index.js'
import { factsOf, placementOf, titleOf } from '../src/subject/store-profile.js'

const described = [cassandraStore, dynamodbStore, hbaseStore, lmdbStore, memoryStore, redisStore]

test.each(described.map((description) => [description.name, description] as const))(
  '%s: its description has the facts of its name',
  (name, description) => {
    expect(description.facts).toBe(knownStores[name as keyof typeof knownStores])
  },
)

test('every known store has a description, but for those without an adapter of their own', () => {
  const names = described.map(({ name }) => name)
  expect(storeNames.filter((name) => !names.includes(name))).toEqual(['kudu', 'lindorm'])
})

test('a profile has facts of its own, by its option and by its name', () => {
  for (const store of [
    { name: 'lindorm' },
    { name: 'lindorm', description: hbaseStore },
    { name: 'hbase', options: { profile: 'lindorm' } },
  ])
    expect(factsOf(store)).toBe(knownStores.lindorm)
  expect(factsOf({ name: 'hbase', options: { profile: 'toString' } })).toBe(knownStores.hbase)
})

const Events = defineTable('events', { columns: { at: timestamp('ms'), id: text() }, key: ['at', 'id'] })
/** A store that nobody knows, with facts that its description has. */
const paperStore: StoreDescription = {
  name: 'paper',
  capabilities: memoryStore.capabilities,
  facts: { title: 'Paper', placement: 'order', partition: { writesPerSecond: 50, readsPerSecond: 50 }, options: ['sheets'] },
}
const paper: StoreProfile = { name: 'paper', description: paperStore, options: { sheets: 80 }, servers: 2 }
const findings = (store: StoreProfile, inserts: number): readonly string[] =>
  advise([Events], { store, writes: [{ table: 'events', perSecond: { inserts } }] }).findings.map(
    ({ code, severity }) => `${code} ${severity}`,
  )

test('another store is judged by the facts of its description', () => {
  expect(titleOf(paper)).toBe('Paper')
  expect(findings(paper, 4)).toContain('monotonic-first info')
  expect(findings(paper, 60)).toContain('monotonic-first error')
  const inProcess = { ...paper, description: { ...paperStore, facts: { title: 'Paper', placement: 'one place' } } } as const
  expect(findings({ ...inProcess, options: {} }, 60)).toEqual([])
})

test('a name that is neither known nor that of the description is refused, and so is a foreign option', () => {
  const refused = (store: StoreProfile) => () => advise([Events], { store })
  expect(refused({ name: 'papper', description: paperStore })).toThrow(/Did you mean "paper"\?/)
  expect(refused({ name: 'paper' })).toThrow(/INVALID_OPTION: .*Give .*redis/)
  expect(refused({ ...paper, options: { keyspace: 'x' } })).toThrow(/the option "keyspace", which does not exist/)
  const { facts: _, ...bare } = paperStore
  expect(refused({ name: 'paper', description: bare })).toThrow('INVALID_OPTION')
  expect(placementOf(undefined)).toBe('order')
})
