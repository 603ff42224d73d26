import { Controller, Get, Module, NotFoundException, Param, type INestApplication } from '@nestjs/common'
import { APP_FILTER } from '@nestjs/core'
import { Test } from '@nestjs/testing'
import { httpErrorOf, RowkeyExceptionFilter } from '@rowkey/nestjs'
import { RowkeyError, type ErrorCode } from 'rowkey'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const secret = 'secret-of-others'
const cause = new Error('driver')
const failure = (code: ErrorCode, details: object = {}): RowkeyError =>
  new RowkeyError(code, `${secret} in a message`, { table: secret, ...details }, { cause })
const issues = [{ path: ['cents'], message: 'cents must not be less than 1' }]

const cases: readonly (readonly [ErrorCode, object, number])[] = [
  ['ROW_EXISTS', { key: secret }, 409],
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
  ['WRITE_INCOMPLETE', { outcomes: [] }, 503],
  ['WRITE_FAILED', { key: secret, repeatable: true }, 503],
  ['WRITE_FAILED', { key: secret, repeatable: false }, 500],
  ['CLOSED', {}, 503],
  ['FULL_SCAN_REFUSED', { column: 'no' }, 500],
  ['TABLE_NOT_FOUND', {}, 500],
  ['SCHEMA_MISMATCH', { differences: [] }, 500],
  ['CORRUPT_ROW', { column: 'cents' }, 500],
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

describe('the exception filter', () => {
  test.each(cases.map(([code, details, status], index) => [code, JSON.stringify(details), status, index] as const))(
    '%s %s is answered with %i, and says nothing of other rows',
    async (code, _, status, index) => {
      const { status: got, body } = await get(`case/${index}`)
      expect(got).toBe(status)
      expect(body).toMatchObject({ statusCode: status, ...(status === 500 ? {} : { code }) })
      expect(JSON.stringify(body)).not.toContain(secret)
      expect(typeof body['message']).toBe('string')
    },
  )

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

  test('throws the error itself where there is no HTTP', () => {
    const error = failure('ROW_EXISTS')
    const host = { getType: () => 'rpc' } as never
    expect(() => new RowkeyExceptionFilter().catch(error, host)).toThrow(error)
  })
})

describe('httpErrorOf', () => {
  test('keeps the error as its cause', () => {
    const error = failure('ROW_EXISTS')
    expect(httpErrorOf(error)?.cause).toBe(error)
  })

  test('is undefined for faults of the application and for other errors', () => {
    expect([failure('FULL_SCAN_REFUSED'), new Error('x'), undefined, 'text'].map(httpErrorOf)).toEqual(Array.from({ length: 4 }))
  })
})
