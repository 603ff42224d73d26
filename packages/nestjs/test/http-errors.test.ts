import { Controller, Get, Logger, Module, NotFoundException, Param, type INestApplication } from '@nestjs/common'
import { APP_FILTER } from '@nestjs/core'
import { Test } from '@nestjs/testing'
import { httpErrorOf, RowkeyExceptionFilter } from '@rowkey/nestjs'
import { RowkeyError, type ErrorCode } from 'rowkey'
import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { declaredCodes } from '../../../test/errors/codes.js'

const secret = 'secret-of-others'
const cause = new Error('driver')
const failure = (code: string, details: object = {}): RowkeyError =>
  new RowkeyError(code, `${secret} in a message`, { table: secret, ...details }, { cause })
const issues = [{ path: ['cents'], message: 'cents must not be less than 1' }]

const refused = new RowkeyError('ROW_EXISTS', 'x', {})
const cases: readonly (readonly [ErrorCode | 'STORE_UNUSABLE', object, number])[] = [
  ['ROW_EXISTS', { key: secret }, 409],
  ['UNIQUE_VIOLATION', { indexName: secret, values: { email: secret }, key: secret }, 409],
  ['ROW_NOT_FOUND', { key: secret }, 404],
  ['VERSION_CONFLICT', { key: secret, current: secret }, 409],
  ['CURSOR_INVALID', { reason: 'signature' }, 400],
  ['CURSOR_MISMATCH', { differs: 'predicate' }, 400],
  ['VALIDATION_FAILED', { issues }, 400],
  ['INVALID_VALUE', { column: 'cents', value: '-1' }, 400],
  ['INVALID_PREDICATE', { column: 'cents' }, 400],
  ['INVALID_PREDICATE', { column: '' }, 400],
  ['UNKNOWN_COLUMN', { column: 'x' }, 400],
  ['LIMIT_EXCEEDED', { limit: 'column' }, 413],
  ['DEADLINE', { deadline: 1 }, 504],
  ['STORE_UNAVAILABLE', { reason: 'refused' }, 503],
  ['OUTCOME_UNKNOWN', { key: secret }, 503],
  [
    'WRITE_INCOMPLETE',
    {
      outcomes: [
        { index: 0, kind: 'unknown' },
        { index: 1, kind: 'conflict', cause: refused },
      ],
    },
    503,
  ],
  ['WRITE_INCOMPLETE', { outcomes: [{ index: 0, kind: 'unprocessed' }] }, 503],
  ['WRITE_INCOMPLETE', { outcomes: [{ index: 1, kind: 'conflict', cause: refused }] }, 409],
  [
    'WRITE_INCOMPLETE',
    {
      outcomes: [
        { index: 1, kind: 'conflict', cause: refused },
        { index: 2, kind: 'failed', cause },
      ],
    },
    500,
  ],
  ['NO_PARTITION', { key: secret }, 409],
  ['WRITE_FAILED', { key: secret, repeatable: true }, 503],
  ['WRITE_FAILED', { key: secret, repeatable: false }, 500],
  ['CLOSED', {}, 503],
  ['CONDITION_FAILED', { key: secret, columns: ['state'] }, 409],
  ['OUT_OF_RANGE', { key: secret, column: 'cents' }, 409],
  ['KEY_IMMUTABLE', { column: 'no' }, 400],
  ['MALFORMED_KEY', { column: 'no', offset: 1 }, 400],
  ['INVALID_PREDICATE', { column: 'cents', bound: 'after' }, 400],
  ['INVALID_OPTION', { option: 'limit', value: '0' }, 400],
  ['INVALID_OPTION', { option: 'expires', value: 'undefined' }, 400],
  ['INVALID_OPTION', { option: 'from', value: 'x' }, 400],
  ['INVALID_OPTION', { option: 'maxFanOut', value: '0' }, 500],
  ['ATOMIC_SCOPE', { adapter: secret, scope: 'row', max: 1, writes: 2 }, 400],
  ['FULL_SCAN_REFUSED', { column: 'no' }, 400],
  ['PARTITION_REQUIRED', { column: 'no' }, 400],
  ['FAN_OUT_EXCEEDED', { fanOut: 300, maxFanOut: 256 }, 400],
  ['TOO_MANY_RANGES', { ranges: 2000, maxRanges: 1000 }, 400],
  ['EXAMINED_LIMIT', { examined: 9, maxExamined: 9, cursor: secret }, 400],
  ['ORDER_UNAVAILABLE', { order: ['cents asc'] }, 400],
  ['ADAPTER_FAULT', { bucket: 0 }, 500],
  ['CHECK_NEEDS_ROW', { column: 'cents' }, 500],
  ['INDEX_NEEDS_ROW', { indexName: secret, column: 'cents' }, 500],
  ['INDEX_NOT_READABLE', { indexName: secret, state: 'building' }, 500],
  ['CLIENT_OPTION', { adapter: secret, option: 'x', value: 'x' }, 500],
  ['COPY_COLLISION', { from: secret }, 500],
  ['COPY_MISMATCH', { from: secret }, 500],
  ['INVALID_COLUMN_TYPE', { type: 'text' }, 500],
  ['INVALID_LAYOUT', {}, 500],
  ['INVALID_SCHEMA', { problems: [] }, 500],
  ['NOT_SUPPORTED', { capability: 'reverse', adapter: secret }, 500],
  ['PLAIN_WRITES_ONLY', { method: 'insert' }, 500],
  ['SALT_UNBOUND', { salt: 'bucket', missing: [] }, 500],
  ['STORE_REFUSED', { adapter: 'cassandra', table: secret, reason: 'tombstones' }, 500],
  ['STORE_UNUSABLE', { path: secret, reason: 'write' }, 500],
  ['TABLE_NOT_EMPTY', {}, 500],
  ['TTL_UNDECLARED', {}, 500],
  ['TABLE_NOT_FOUND', {}, 500],
  ['SCHEMA_MISMATCH', { differences: [] }, 500],
  ['CORRUPT_ROW', { column: 'cents' }, 500],
  ['UNREADABLE_ROW', { column: 'cents' }, 500],
]

@Controller()
class Failing {
  @Get('case/:index')
  fail(@Param('index') index: string): never {
    const [code, details] = cases[Number(index)] as (typeof cases)[number]
    throw failure(code, details)
  }

  @Get('missing')
  missing(): never {
    throw new NotFoundException('of NestJS')
  }

  @Get('bug')
  bug(): never {
    throw new TypeError(secret)
  }

  @Get('copy')
  copy(): never {
    // As an error of another copy of the package: the brand, but not the class.
    throw Object.assign(new Error('x'), { code: 'ROW_EXISTS', details: {}, [Symbol.for('rowkey.error')]: true })
  }
}

@Module({ controllers: [Failing], providers: [{ provide: APP_FILTER, useClass: RowkeyExceptionFilter }] })
class FailingModule {}

let app: INestApplication
let url: string
beforeAll(async () => {
  app = (await Test.createTestingModule({ imports: [FailingModule] }).compile()).createNestApplication({ logger: false })
  await app.listen(0, '127.0.0.1')
  url = await app.getUrl()
})
afterAll(() => app.close())

async function get(path: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${url}/${path}`)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

/** What is logged as an error; the logger of the application itself is off. */
const logged = vi.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined)
afterEach(() => logged.mockClear())

describe('the exception filter', () => {
  test.each(cases.map(([code, details, status], index) => [code, JSON.stringify(details), status, index] as const))(
    '%s %s is answered with %i, and says nothing of other rows',
    async (code, _, status, index) => {
      const { status: got, body } = await get(`case/${index}`)
      expect(got).toBe(status)
      expect(body).toMatchObject({ statusCode: status, ...(status === 500 ? {} : { code }) })
      expect(JSON.stringify(body)).not.toContain(secret)
      expect(typeof body['message']).toBe('string')
      expect(logged).toHaveBeenCalledTimes(status < 500 ? 0 : 1)
    },
  )

  test('what the server is to blame for is logged with its stack and its cause', async () => {
    const index = cases.findIndex(([code]) => code === 'STORE_UNAVAILABLE')
    await get(`case/${index}`)
    const [message, stack] = logged.mock.lastCall as unknown as [string, string]
    expect(message).toBe(`STORE_UNAVAILABLE: ${secret} in a message`)
    expect(stack).toMatch(/^RowkeyError: [^]*\n +at [^]*\nCaused by: Error: driver\n +at /)
  })

  test('a long name from a client is answered in part', async () => {
    const error = httpErrorOf(failure('UNKNOWN_COLUMN', { column: 'x'.repeat(5_000_000) }))
    expect(JSON.stringify(error?.getResponse()).length).toBeLessThan(500)
  })

  test('an unknown outcome says that reading comes before repeating', async () => {
    const index = cases.findIndex(([code]) => code === 'OUTCOME_UNKNOWN')
    expect((await get(`case/${index}`)).body).toEqual({
      statusCode: 503,
      error: 'Service Unavailable',
      code: 'OUTCOME_UNKNOWN',
      message: 'It is unknown whether the change was made. Read before you repeat it.',
    })
  })

  test('refused input is told with the field', async () => {
    const at = (code: ErrorCode): number => cases.findIndex(([each]) => each === code)
    expect((await get(`case/${at('INVALID_OPTION')}`)).body).toMatchObject({ option: 'limit', message: "'limit' is not valid." })
    expect((await get(`case/${at('OUT_OF_RANGE')}`)).body).toMatchObject({ column: 'cents' })
    expect((await get(`case/${at('VALIDATION_FAILED')}`)).body).toMatchObject({ issues })
    expect((await get(`case/${at('INVALID_VALUE')}`)).body).toMatchObject({ column: 'cents', message: "'cents' is not valid." })
  })

  test('other errors are answered as without it', async () => {
    expect(await get('missing')).toMatchObject({ status: 404, body: { message: 'of NestJS' } })
    expect(await get('bug')).toEqual({ status: 500, body: { statusCode: 500, message: 'Internal server error' } })
    expect(await get('nowhere')).toMatchObject({ status: 404 })
  })

  test('an error of another copy of rowkey is one too', async () => {
    expect(await get('copy')).toMatchObject({ status: 409, body: { code: 'ROW_EXISTS' } })
  })

  test('throws the error itself in contexts that it does not know', () => {
    const error = failure('ROW_EXISTS')
    const host = { getType: () => 'console' } as never
    expect(() => new RowkeyExceptionFilter().catch(error, host)).toThrow(error)
  })

  test('throws an error to tell for GraphQL', () => {
    const host = { getType: () => 'graphql' } as never
    expect(() => new RowkeyExceptionFilter().catch(failure('ROW_EXISTS'), host)).toThrow('It exists already.')
    expect(() => new RowkeyExceptionFilter().catch(failure('SCHEMA_MISMATCH'), host)).toThrow(/^Internal server error$/)
    expect(logged).toHaveBeenCalledTimes(1)
  })
})

describe('httpErrorOf', () => {
  test('keeps the error as its cause', () => {
    const error = failure('ROW_EXISTS')
    expect(httpErrorOf(error)?.cause).toBe(error)
  })

  test('is undefined for faults of the application and for other errors', () => {
    expect(
      [failure('SCHEMA_MISMATCH'), failure('OF_AN_ADAPTER'), failure('constructor'), new Error('x'), undefined, 'text'].map(httpErrorOf),
    ).toEqual(Array.from({ length: 6 }))
  })
})

describe('the table of the README', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const statuses = new Map<string, Set<number>>()
  let status = 0
  for (const [, own = '', text = ''] of readme.matchAll(/^\| (\d{3}| {3}) +\| (.*) \|$/gm)) {
    if (own.trim() !== '') status = Number(own)
    for (const [, code = ''] of text.matchAll(/`([A-Z_]{3,})`/g)) statuses.set(code, (statuses.get(code) ?? new Set()).add(status))
  }

  test('has every code of docs/errors.md', () => {
    expect([...statuses.keys()].sort()).toEqual(declaredCodes())
  })

  test('says what the filter answers', () => {
    const answered = new Map<string, Set<number>>()
    for (const [code, details] of cases)
      answered.set(code, (answered.get(code) ?? new Set()).add(httpErrorOf(failure(code, details))?.getStatus() ?? 500))
    expect(Object.fromEntries(answered)).toEqual(Object.fromEntries(statuses))
  })
})
