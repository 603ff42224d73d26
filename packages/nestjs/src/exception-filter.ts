import { Catch, Logger, type ArgumentsHost } from '@nestjs/common'
import { BaseExceptionFilter } from '@nestjs/core'
import type { RowkeyError } from 'rowkey'
import { httpErrorOf } from './http-errors.js'
import { isOurs } from './options.js'

/** Filters compare with `instanceof`, which does not know the class of another copy of rowkey. */
const AnyRowkeyError = { [Symbol.hasInstance]: isOurs } as unknown as typeof RowkeyError

/**
 * Answers errors of rowkey with their HTTP status (README, "Errors"), and leaves all other errors alone. What the server is to blame for is
 * logged, with its cause.
 *
 * @example
 * ```ts
 * providers: [{ provide: APP_FILTER, useClass: RowkeyExceptionFilter }] // for the whole application, in any module
 * ```
 */
@Catch(AnyRowkeyError)
export class RowkeyExceptionFilter extends BaseExceptionFilter {
  private readonly log: Logger = new Logger('Rowkey')

  /** Answers the request. @throws `error` itself where the request is not HTTP */
  override catch(error: Error, host: ArgumentsHost): void {
    if (host.getType() !== 'http') throw error
    const answer = httpErrorOf(error)
    if (answer !== undefined && answer.getStatus() >= 500) this.log.error(error.message, error.stack)
    super.catch(answer ?? error, host)
  }
}
