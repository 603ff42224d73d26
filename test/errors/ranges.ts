import { adapterOver, catalogOf, tableOf } from '../../adapters/kudu/test/fake.js'
import { date, text } from 'rowkey/codec'
import { createMapper, defineTable } from 'rowkey'
import { expect } from 'vitest'
import type { Provocation } from './provocation.js'
import { gives } from './remedies.js'

// Ranges of tables, in stores that have them.

const Visits = defineTable('visits', {
  columns: { day: date(), page: text() },
  key: ['day', 'page'],
  stores: { kudu: { range: { of: 'day', every: 'month' } } },
})
const visit = { day: new Date('2026-01-31'), page: '/' }

/** A Kudu whose table has no range, and takes rows when one was added. */
function withoutRanges() {
  let isOpen = false
  const refused = Object.assign(new Error('there is no tablet for the key'), { name: 'KuduError', code: 'NO_PARTITION', isSent: false })
  const adapter = adapterOver({
    openTable: () => Promise.resolve({ ...tableOf(Visits), range: [0] }),
    tablets: () => Promise.resolve([]),
    write: (operations) => Promise.resolve({ errors: operations.map(() => (isOpen ? undefined : (refused as never))) }),
    alterTable: () => {
      isOpen = true
      return Promise.resolve()
    },
  })
  Object.defineProperty(adapter, 'describeTable', { value: () => Promise.resolve(catalogOf(Visits)) })
  return createMapper(adapter, { clock: () => visit.day.getTime() })
}

/** Models of rows that expire, as a Kudu takes them or does not. */
const expiring = (definition: object): typeof Visits =>
  defineTable('visits', {
    columns: { day: date(), page: text() },
    key: ['day', 'page'],
    writes: 'plain',
    ttl: '30d',
    stores: { kudu: { expire: 'rotate', range: { of: 'day', every: 'day' } } },
    ...definition,
  } as never) as never
const Expiring = expiring({})
const repositoryOf = (definition: object) => createMapper(adapterOver({})).repository(expiring(definition))

/** A Kudu with a table whose rows go with their ranges. */
function withExpiry() {
  const adapter = adapterOver({
    openTable: () => Promise.resolve({ ...tableOf(Expiring), range: [0] }),
    tablets: () => Promise.resolve([]),
    alterTable: () => Promise.resolve(),
  })
  Object.defineProperty(adapter, 'describeTable', { value: () => Promise.resolve(catalogOf(Expiring)) })
  return createMapper(adapter)
}

export const rangeErrors: readonly Provocation[] = [
  [
    'a row that no range takes',
    () => withoutRanges().repository(Visits).insert(visit),
    {
      'Add one: db.rotate(Model) adds those that the model wants by now': async () => {
        const db = withoutRanges()
        expect((await db.rotate(Visits)).add.length).toBeGreaterThan(0)
        expect(await db.repository(Visits).insert(visit)).toMatchObject({ key: visit })
      },
      'db.addRange(Model, { from, to }) any other': async () => {
        const db = withoutRanges()
        await db.addRange(Visits, { from: { day: new Date('2026-01-01') }, to: { day: new Date('2026-02-01') } })
        expect(await db.repository(Visits).insert(visit)).toMatchObject({ key: visit })
      },
    },
  ],
  [
    'rows that expire alone, where only ranges of them go',
    () => repositoryOf({ stores: {} }),
    {
      "Declare writes: 'plain', a ttl such as '30d' and stores: { kudu: { expire: 'rotate', range: { of: 'at', every: 'day' } } }, so that db.rotate() drops rows with their range of time":
        gives(() => repositoryOf({})),
      'Or declare the table without ttl': gives(() => repositoryOf({ stores: {}, ttl: undefined })),
    },
  ],
  [
    'rows that expire, with writes that have conditions, where these do not see expiries',
    () => repositoryOf({ writes: 'conditional' }),
    {
      "Declare the table with writes: 'plain'": gives(() => repositoryOf({})),
      'without ttl': gives(() => repositoryOf({ writes: 'conditional', stores: {}, ttl: undefined })),
    },
  ],
  [
    'a version and rows that expire, where conditions only ask whether a row exists',
    () => repositoryOf({ writes: 'conditional', version: 'rev' }),
    {
      "Declare the table without version, and with writes: 'plain'": gives(() => repositoryOf({})),
      'without ttl': gives(() => repositoryOf({ writes: 'conditional', stores: {}, ttl: undefined })),
    },
  ],
  [
    'a version, where conditions only ask whether a row exists',
    () => repositoryOf({ writes: 'conditional', version: 'rev', stores: {}, ttl: undefined }),
    { 'Declare the table without version': gives(() => repositoryOf({ writes: 'conditional', stores: {}, ttl: undefined })) },
  ],
  [
    'a purge, where only ranges of rows go',
    () => withExpiry().purgeExpired(Expiring),
    {
      'Call db.rotate(Model), which drops the ranges all rows of which have expired': async () => {
        expect((await withExpiry().rotate(Expiring)).add.length).toBeGreaterThan(0)
      },
    },
  ],
]
