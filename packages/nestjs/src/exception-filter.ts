// Also tested by http-errors.test.ts.
import { Catch, HttpException, Logger, type ArgumentsHost } from '@nestjs/common'
import { BaseExceptionFilter } from '@nestjs/core'
import type { RowkeyError } from 'rowkey'
import { throwError, type Observable } from 'rxjs'
import { httpErrorOf } from './http-errors.js'
import { stacksOf } from './logged.js'
import { messageErrorOf, tellClient } from './message-errors.js'
import { isOurs } from './options.js'

/** Filters compare with `instanceof`, which does not know the class of another copy of rowkey. */
const AnyRowkeyError = { [Symbol.hasInstance]: isOurs } as unknown as typeof RowkeyError

/**
 * Answers errors of rowkey with their HTTP status, or as a message (README, "Errors"), and leaves all other errors alone. What the server is
 * to blame for is logged once, with its cause. What a client has caused is not logged.
 *
 * @example
 * ```ts
 * providers: [{ provide: APP_FILTER, useClass: RowkeyExceptionFilter }] // for the whole application, in any module
 * ```
 */
@Catch(AnyRowkeyError)
export class RowkeyExceptionFilter extends BaseExceptionFilter {
  private readonly log: Logger = new Logger('Rowkey')

  /**
   * Answers a request over HTTP, a message of a microservice, or one of a WebSocket. @throws an error to tell to the client where a resolver
   * of GraphQL asks, and `error` itself in contexts of other packages
   */
  override catch(error: Error, host: ArgumentsHost): Observable<never> | undefined {
    const answer = httpErrorOf(error)
    const kind: string = host.getType()
    // BaseExceptionFilter logs what it has no answer to; the others do not.
    if (answer === undefined ? kind !== 'http' : answer.getStatus() >= 500) this.log.error(error.message, stacksOf(error))
    switch (kind) {
      case 'http':
        if (this.applicationRef === undefined && this.httpAdapterHost === undefined) this.answerItself(answer, error, host)
        else super.catch(answer ?? error, host)
        return undefined
      case 'rpc':
        return throwError(() => messageErrorOf(answer))
      case 'ws':
        tellClient(host.switchToWs().getClient<unknown>(), messageErrorOf(answer))
        return undefined
      case 'graphql':
        throw answer ?? new HttpException('Internal server error', 500, { cause: error })
      default:
        throw error
    }
  }

  /** Of a filter that the application made with `new`, NestJS tells neither Express nor Fastify. */
  private answerItself(answer: HttpException | undefined, error: Error, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<HttpResponse>()
    if (answer === undefined) this.log.error(error.message, stacksOf(error))
    if (response.headersSent === true || response.sent === true) return
    const { statusCode, ...body } = (answer ?? unknownError).getResponse() as { readonly statusCode: number }
    response.status(statusCode).send({ statusCode, ...body })
  }
}

/** What the responses of Express and Fastify have in common. */
interface HttpResponse {
  readonly headersSent?: boolean
  readonly sent?: boolean
  status(code: number): { send(body: object): unknown }
}

const unknownError = new HttpException({ statusCode: 500, message: 'Internal server error' }, 500)
