import { Catch, Logger, type ArgumentsHost } from '@nestjs/common'
import { BaseExceptionFilter } from '@nestjs/core'
import type { RowkeyError } from 'rowkey'
import { said, showName } from 'rowkey/internal'
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

/** Max errors that are logged together, and max places of each. */
const maxCauses = 5
const maxPlaces = 20

/** Where an error and its causes were thrown. A driver repeats in its messages what clients sent, so no text of theirs is logged as it is. */
function stacksOf(error: unknown): string {
  const causes: string[] = []
  for (let each = error; each instanceof Error && causes.length < maxCauses; each = each.cause) {
    causes.push([`${showName(each.name)}: ${said(each)}`, ...placesOf(each)].join('\n'))
  }
  return causes.join('\nCaused by: ')
}

function placesOf({ stack = '', message }: Error): readonly string[] {
  const at = stack.indexOf(message)
  return stack
    .slice(at < 0 ? 0 : at + message.length)
    .split('\n', 1000)
    .filter((line) => /^ {4}at /.test(line))
    .slice(0, maxPlaces)
    .map((line) => `    ${said(line.trim())}`)
}
