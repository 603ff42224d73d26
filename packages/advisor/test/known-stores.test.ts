import { cassandraStore } from '@rowkey/cassandra'
import { dynamodbStore } from '@rowkey/dynamodb'
import { hbaseStore } from '@rowkey/hbase'
import { kuduStore } from '@rowkey/kudu'
import { lmdbStore } from '@rowkey/lmdb'
import { memoryStore } from 'rowkey/internal'
import { redisStore } from '@rowkey/redis'
import { knownStores, type StoreDescription } from 'rowkey/adapter'
import { defineTable, memory, text, timestamp } from 'rowkey'
import { expect, test } from 'vitest'
import { advise, type AdviceOptions } from '../src/index.js'
import { factsOf as factsOfProfile, placementOf, profileOf, titleOf } from '../src/subject/store-profile.js'
import type { Placed } from './cases.js'

const described = [cassandraStore, dynamodbStore, hbaseStore, kuduStore, lmdbStore, memoryStore, redisStore]

test.each(described.map((description) => [description.name, description] as const))(
  '%s: its description has the facts of its name',
  (name, description) => {
    expect(description.facts).toBe(knownStores[name as keyof typeof knownStores])
  },
)

test('every known store has a description, but for those without an adapter of their own', () => {
  const names = described.map(({ name }) => name)
  expect(
    Object.keys(knownStores)
      .filter((name) => !names.includes(name))
      .sort(),
  ).toEqual(['lindorm'])
})

test('a profile has facts of its own, by its option and by its name', () => {
  const factsOf = (given: Placed) => factsOfProfile(profileOf(given))
  const storeOptions = { profile: 'lindorm' }
  for (const given of [{ store: 'lindorm' }, { store: hbaseStore, storeOptions }, { store: 'hbase', storeOptions }] as const)
    expect(factsOf(given)).toBe(knownStores.lindorm)
  expect(factsOf({ store: 'hbase', storeOptions: { profile: 'toString' } })).toBe(knownStores.hbase)
})

const Events = defineTable('events', { columns: { at: timestamp('ms'), id: text() }, key: ['at', 'id'] })
/** A store that nobody knows, with facts that its description has. */
const paperStore: StoreDescription = {
  name: 'paper',
  capabilities: memoryStore.capabilities,
  facts: { title: 'Paper', placement: 'order', partition: { writesPerSecond: 50, readsPerSecond: 50 }, options: ['sheets'] },
}
const paper: Placed = { store: paperStore, storeOptions: { sheets: 80 }, servers: 2 }
const findings = (placed: AdviceOptions, inserts: number): readonly string[] =>
  advise([Events], { ...placed, writes: [{ table: 'events', perSecond: { inserts } }] }).findings.map(
    ({ code, severity }) => `${code} ${severity}`,
  )

test('another store is judged by the facts of its description', () => {
  expect(titleOf(profileOf(paper) as never)).toBe('Paper')
  expect(findings(paper, 4)).toContain('monotonic-first info')
  expect(findings(paper, 60)).toContain('monotonic-first error')
  const inProcess = { ...paperStore, facts: { title: 'Paper', placement: 'one place' } } as const
  expect(findings({ store: inProcess }, 60)).toEqual([])
})

test('of a store without facts nothing is reckoned with', () => {
  const { facts: _, ...bare } = paperStore
  expect(findings({ store: bare }, 60)).toEqual(findings({}, 60))
  expect(placementOf(undefined)).toBe('order')
})

test('a name that is not known is refused, and so is a foreign option', () => {
  const refused = (placed: object) => () => advise([Events], placed)
  expect(refused({ store: 'rediss' })).toThrow(/INVALID_OPTION: .*Did you mean "redis"\?/)
  expect(refused({ store: 'paper' })).toThrow(/INVALID_OPTION: .*Give .*redis/)
  expect(refused({ ...paper, storeOptions: { keyspace: 'x' } })).toThrow(/the option "keyspace", which does not exist/)
})

test('an adapter is taken as a description, because it has the same properties', () => {
  expect(advise(Events, { store: memory() as StoreDescription })).toEqual(advise(Events, { store: memoryStore }))
})
