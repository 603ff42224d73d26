import { cassandra } from '@rowkey/cassandra'
import { hbase } from '@rowkey/hbase'
import { bucket, dictionary, nullable, paddedText, text, uint8 } from 'rowkey/codec'
import { RuleBroken } from 'rowkey/conformance'
import { dynamodb } from '@rowkey/dynamodb'
import { createMapper, defineTable, memory, type TableSchema } from 'rowkey'
import { redis } from '@rowkey/redis'
import { stores } from '@rowkey/servers'
import {
  failed,
  findingText,
  newCatalog,
  unknown,
  type Adapter,
  type Definition,
  type SupportsDdl,
  type TableCatalog,
} from 'rowkey/adapter'
import { readdirSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { fakeClient as cassandraClient } from '../../adapters/cassandra/test/open.js'
import { fakeClient as hbaseClient } from '../../adapters/hbase/test/open.js'
import { fakeClient as dynamodbClient } from '../../adapters/dynamodb/test/open.js'
import { fakeClient as redisClient } from '../../adapters/redis/test/open.js'
import { kitOf } from '../kit/store-kit.js'
import { wrapped } from '../kit/wrapped.js'
import { attack, hostileTexts, longHostileText, longText, mustBeClean, mustBeCleanError } from './hostile.js'

const texts = [...hostileTexts, longText, longHostileText]
const factories = await Promise.all(stores.map(async ({ name }) => [name, (await kitOf(name)).factory] as const))

test('ERR-3: every adapter has its function here', () => {
  const adapters = readdirSync(new URL('../../adapters', import.meta.url))
  expect(factories.map(([name]) => name).sort()).toEqual(['memory', ...adapters].sort())
})

test.each(factories)('ERR-3: %s() shows no hostile text in its client and options', async (name, [args, call]) => {
  for (const hostile of texts) await attack(`${name}()`, args, hostile, (given) => call(...(given as never[])))
})

const Things = defineTable('things', { columns: { id: text(), n: nullable(uint8()) }, key: ['id'], version: 'rev' })

/** Clients whose servers answer everything with an error. */
const answering = (message: string): readonly Adapter[] => {
  const error = (more: object) => (): Promise<never> => Promise.reject(Object.assign(new Error(message), more))
  return [
    redis(redisClient(error({ name: 'ReplyError' }))),
    redis(redisClient(error({}))),
    dynamodb(dynamodbClient(error({ name: 'ThrottlingException' })) as never),
    dynamodb(dynamodbClient(error({ $metadata: { httpStatusCode: 500 } })) as never),
    dynamodb(dynamodbClient(error({ code: 'ECONNREFUSED' })) as never),
    cassandra(cassandraClient(error({ name: 'ResponseError', code: 0x1001 })) as never),
    cassandra(cassandraClient(error({ isSocketError: true })) as never),
    hbase(hbaseClient(error({ name: 'HBaseError', code: 'SERVER', isSent: true, serverMessage: message })) as never),
    hbase(hbaseClient(error({ name: 'HBaseError', code: 'CONNECTION_LOST', isSent: true })) as never),
  ]
}

test('ERR-3: what a server says is shown escaped and cut, in the message and the details', async () => {
  for (const hostile of texts) {
    for (const adapter of answering(hostile)) {
      const db = createMapper(adapter)
      const things = db.repository(Things)
      for (const call of [() => db.ensureTables([Things]), () => things.get({ id: 'a' }), () => db.dropTables([Things])]) {
        const error: unknown = await call().then(
          () => undefined,
          (reason: unknown) => reason,
        )
        if (error !== undefined) mustBeCleanError(error, adapter.name)
      }
    }
  }
})

test('ERR-3: the same for an error that an adapter has for a write', async () => {
  for (const hostile of texts) {
    for (const outcome of [failed(new Error(hostile)), unknown(new Error(hostile)), failed(hostile)]) {
      const base = memory()
      const db = createMapper(wrapped(base, { write: (batch) => batch.map(() => outcome) }))
      await db.ensureTables([Things])
      const things = db.repository(Things)
      for (const call of [() => things.put({ id: 'a' }), () => things.putMany([{ id: 'a' }, { id: 'b' }])])
        mustBeCleanError(await (call() as Promise<unknown>).catch((reason: unknown) => reason), 'a write')
    }
  }
})

test('ERR-3: a catalog with hostile content is refused without showing it', async () => {
  const catalog = JSON.parse(JSON.stringify(newCatalog(Things))) as TableCatalog
  for (const hostile of texts) {
    await attack('a catalog', [{ ...catalog, store: { id: 'x' } }], hostile, ([given]) => {
      const db = createMapper(wrapped(memory(), { describeTable: () => Promise.resolve(given as TableCatalog) }))
      return db.repository(Things).get({ id: 'a' })
    })
  }
})

/** A model with everything that a definition shows of it. */
const modelWith = (hostile: string): TableSchema =>
  defineTable('things', {
    columns: {
      id: text({ default: `a'${hostile.slice(0, 200)}"` }),
      kind: dictionary({ [`a'${hostile}`]: `b'${hostile}` }),
      padded: nullable(paddedText(4, { pad: hostile.at(-1) ?? ' ' })),
      note: text({ default: hostile.length > 100 ? hostile.slice(0, 16_000) : hostile.repeat(50) }),
    },
    key: ['id', 'kind'],
    salt: bucket({ of: ['id', 'kind'], count: 4 }),
    ttl: '1d',
  })

test('ERR-3: definitions of tables show no hostile text in comments, and no long one whole', () => {
  const adapters = [
    redis(redisClient()),
    dynamodb(dynamodbClient() as never),
    cassandra(cassandraClient() as never),
    hbase(hbaseClient() as never),
  ]
  for (const hostile of [...hostileTexts.filter((each) => each.isWellFormed()), 'x\u202e'.repeat(30_000)]) {
    for (const adapter of adapters as readonly (Adapter & SupportsDdl)[]) {
      const { text: shown, warnings, statements }: Definition = adapter.ddl(modelWith(hostile))
      mustBeClean(shown.replaceAll('\n\n', '\n'), `the definition for ${adapter.name}`, Infinity)
      for (const warning of warnings) mustBeClean(findingText(warning), 'a warning')
      const comments = shown.split('\n').filter((line) => !/^(aws|create|put) /.test(line))
      for (const line of comments) expect(line.length).toBeLessThan(2000)
      // The data of a command stays the same, though its text is escaped.
      const commands = [...shown.matchAll(/--cli-input-json '(.*)'$/gm)].map(
        ([, json = '']) => JSON.parse(json.replaceAll(`'\\''`, `'`)) as object,
      )
      const put = (
        statements as readonly { readonly operation?: string; readonly input?: { readonly Item?: { readonly rk_catalog?: unknown } } }[]
      ).find(({ operation }) => operation === 'PutItem')
      if (put !== undefined) expect(commands.at(-1)).toMatchObject({ Item: { rk_catalog: put.input?.Item?.rk_catalog } })
    }
  }
})

test('ERR-3: an explanation of many conditions names some of them', () => {
  const names = Array.from({ length: 240 }, (_, i) => `column_${i}`)
  const Wide = defineTable('wide', {
    columns: { id: text(), ...Object.fromEntries(names.map((name) => [name, nullable(text())])) },
    key: ['id'],
  })
  const where = Object.fromEntries(
    names.map((name) => [name, { in: Array.from({ length: 100 }, (_, i) => `${i} ${'\u202e'.repeat(100)}`) }]),
  )
  const { text: shown } = createMapper(memory())
    .repository(Wide)
    .scan({ id: 'a', ...where })
    .explain()
  mustBeClean(shown, 'explain().text', 8000)
  expect(shown).toMatch(/ and \d+ more\n/)
})

test('ERR-3: a warning about a server shows no hostile text of it', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  try {
    for (const hostile of hostileTexts) {
      const policy = `allkeys-${hostile.replaceAll(/[\r\n]/g, '')}`
      const client = redisClient(({ name }: { readonly name: string }) =>
        Promise.resolve(name === 'info' ? Buffer.from(`maxmemory:1\r\nmaxmemory_policy:${policy}\r\n`) : null),
      )
      await redis(client).describeTable('things')
    }
    await vi.waitFor(() => {
      expect(warn.mock.calls.length).toBeGreaterThanOrEqual(hostileTexts.length - 1)
    })
    for (const [message] of warn.mock.calls) mustBeClean(String(message), 'a warning')
  } finally {
    warn.mockRestore()
  }
})

test('ERR-3: what the conformance suite reports of an adapter is escaped', () => {
  for (const hostile of hostileTexts) {
    const { message } = new RuleBroken(`a rule: ${hostile}`)
    expect(message.split('\n').map((line) => mustBeClean(line.replace('ERROR', ''), 'a broken rule')).length).toBeLessThan(3)
  }
})
