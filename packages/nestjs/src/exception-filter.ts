import { Catch, Logger, type ArgumentsHost } from '@nestjs/common'
import { BaseExceptionFilter } from '@nestjs/core'
import type { RowkeyError } from 'rowkey'
import { httpErrorOf } from './http-errors.js'
import { isOurs } from './options.js'

/** Filters compare with `instanceof`, which does not know the class of another copy of rowkey. */
const AnyRowkeyError = { [Symbol.hasInstance]: isOurs } as unknown as typeof RowkeyError

/**
 * Answers errors of rowkey with their HTTP status (README, "Errors"), and leaves all other errors alone. What the server is to blame for is
 * logged once, with its cause. What a client has caused is not logged.
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
    if (answer !== undefined && answer.getStatus() >= 500) this.log.error(error.message, stacksOf(error))
    super.catch(answer ?? error, host) // which logs what it has no answer to
  }
}

/** Max errors that are logged together. */
const maxCauses = 5

/** The stack of an error, and of its causes. */
function stacksOf(error: unknown): string {
  const stacks: string[] = []
  for (let each = error; each instanceof Error && stacks.length < maxCauses; each = each.cause) stacks.push(each.stack ?? each.message)
  return stacks.join('\nCaused by: ')
}
