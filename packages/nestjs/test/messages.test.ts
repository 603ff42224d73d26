import { Controller, Logger, Module, type INestMicroservice } from '@nestjs/common'
import { APP_FILTER } from '@nestjs/core'
import { ClientProxyFactory, EventPattern, MessagePattern, Transport, type ClientProxy } from '@nestjs/microservices'
import { Test } from '@nestjs/testing'
import { RowkeyExceptionFilter } from '@rowkey/nestjs'
import { createServer, type AddressInfo } from 'node:net'
import { RowkeyError } from 'rowkey'
import { firstValueFrom } from 'rxjs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

// Whoever sends a message gets an answer: a filter that throws in such a context leaves the sender waiting.

const exists = (): never => {
  throw new RowkeyError('ROW_EXISTS', 'key secret', { table: 'secret', key: { id: 'secret' } })
}
const fault = (): never => {
  throw new RowkeyError('SCHEMA_MISMATCH', 'table secret', { table: 'secret', differences: [] })
}

@Controller()
class Failing {
  @MessagePattern('exists') exists(): never {
    return exists()
  }
  @MessagePattern('later') async later(): Promise<never> {
    await Promise.resolve()
    return exists()
  }
  @MessagePattern('fault') fault(): unknown {
    return fault()
  }
  @MessagePattern('fine') fine(): string {
    return 'fine'
  }
  @EventPattern('event') event(_data: unknown): unknown {
    return exists()
  }
}

@Module({ controllers: [Failing], providers: [{ provide: APP_FILTER, useClass: RowkeyExceptionFilter }] })
class FailingModule {}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const logged = vi.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined)
let app: INestMicroservice
let client: ClientProxy
beforeAll(async () => {
  const options = { host: '127.0.0.1', port: await freePort() }
  const module = await Test.createTestingModule({ imports: [FailingModule] }).compile()
  app = module.createNestMicroservice({ transport: Transport.TCP, options, logger: false })
  await app.listen()
  client = ClientProxyFactory.create({ transport: Transport.TCP, options })
})
afterAll(async () => {
  client.close()
  await app.close()
  logged.mockRestore()
})

const answer = (pattern: string): Promise<unknown> => firstValueFrom(client.send<unknown>(pattern, {})).catch((error: unknown) => error)
const conflict = { status: 'error', statusCode: 409, error: 'Conflict', code: 'ROW_EXISTS', message: 'It exists already.' }

test('a message handler answers what a client has caused, and logs nothing', async () => {
  expect(await answer('exists')).toEqual(conflict)
  expect(await answer('later')).toEqual(conflict)
  expect(logged).not.toHaveBeenCalled()
})

test('a fault is answered without what it says, which is logged', async () => {
  expect(await answer('fault')).toEqual({ status: 'error', message: 'Internal server error' })
  expect(logged).toHaveBeenCalledTimes(1)
  expect(logged.mock.lastCall?.[0]).toBe('SCHEMA_MISMATCH: table secret')
})

test('an event that fails does not end the process', async () => {
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  await firstValueFrom(client.emit('event', {}), { defaultValue: undefined })
  expect(await answer('fine')).toBe('fine')
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})

test('a socket of Socket.IO is sent the event exception, one of ws its text, and a closed one nothing', () => {
  const error = new RowkeyError('ROW_EXISTS', 'x', {})
  const hostOf = (client: object) => ({ getType: () => 'ws', switchToWs: () => ({ getClient: () => client }) }) as never
  const emit = vi.fn()
  const send = vi.fn()
  new RowkeyExceptionFilter().catch(error, hostOf({ emit, send }))
  expect([emit.mock.calls, send.mock.calls]).toEqual([[['exception', conflict]], []])
  new RowkeyExceptionFilter().catch(error, hostOf({ emit, send, readyState: 1 }))
  new RowkeyExceptionFilter().catch(error, hostOf({ emit, send, readyState: 3 }))
  expect(emit).toHaveBeenCalledTimes(1)
  expect(send.mock.calls).toEqual([[JSON.stringify({ event: 'exception', data: conflict })]])
})
