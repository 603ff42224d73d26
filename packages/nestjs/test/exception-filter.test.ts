import { Controller, Get, Logger, Module, UseFilters, type INestApplication } from '@nestjs/common'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { Test } from '@nestjs/testing'
import { RowkeyExceptionFilter } from '@rowkey/nestjs'
import { RowkeyError } from 'rowkey'
import { expect, test, vi } from 'vitest'

const errors: Readonly<Record<string, Error>> = {
  missing: new RowkeyError('ROW_NOT_FOUND', 'secret', { table: 'secret', key: {} }),
  wrong: new RowkeyError('INVALID_VALUE', 'secret', { column: 'cents', value: '-1' }),
  fault: new RowkeyError('SCHEMA_MISMATCH', 'secret', { table: 'secret', differences: [] }),
}

class Routes {
  @Get('missing') missing(): never {
    throw errors['missing'] as Error
  }
  @Get('wrong') wrong(): never {
    throw errors['wrong'] as Error
  }
  @Get('fault') fault(): never {
    throw errors['fault'] as Error
  }
}

@Controller('plain')
class Plain extends Routes {}

@Controller('own')
@UseFilters(new RowkeyExceptionFilter())
class Own extends Routes {}

@Module({ controllers: [Plain, Own] })
class App {}

test.each([
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
] as const)('a filter made with new answers as one that NestJS makes, on %s', async (_, adapter) => {
  const logged = vi.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined)
  const module = await Test.createTestingModule({ imports: [App] }).compile()
  const app: INestApplication = module.createNestApplication(adapter() as never, { logger: false })
  app.useGlobalFilters(new RowkeyExceptionFilter())
  await app.listen(0, '127.0.0.1')
  try {
    const answer = async (path: string) => {
      const response = await fetch(`${await app.getUrl()}/${path}`)
      return [response.status, (await response.json()) as { code?: string; statusCode: number }] as const
    }
    for (const way of ['plain', 'own']) {
      logged.mockClear()
      expect(await answer(`${way}/missing`), way).toEqual([404, expect.objectContaining({ statusCode: 404, code: 'ROW_NOT_FOUND' })])
      expect(await answer(`${way}/wrong`), way).toEqual([400, expect.objectContaining({ code: 'INVALID_VALUE', column: 'cents' })])
      expect(logged).not.toHaveBeenCalled()
      expect(await answer(`${way}/fault`), way).toEqual([500, { statusCode: 500, message: 'Internal server error' }])
      expect(logged).toHaveBeenCalledTimes(1)
    }
  } finally {
    await app.close()
    logged.mockRestore()
  }
})
