import type { HttpException } from '@nestjs/common'
import type { HttpErrorBody } from './http-errors.js'

/** What the sender of a message gets for an error of rowkey: the body of the HTTP answer, in the form in which NestJS tells errors of messages. */
export type MessageError = { readonly status: 'error' } & (HttpErrorBody | { readonly message: string })

/**
 * What NestJS's filters make of an `RpcException` or a `WsException`, and of any other error for faults of the application. Their classes
 * are not needed for that, and an application that only speaks HTTP does not have the packages.
 *
 * @param answer to the same error over HTTP
 */
export function messageErrorOf(answer: HttpException | undefined): MessageError {
  return answer === undefined
    ? { status: 'error', message: 'Internal server error' }
    : { status: 'error', ...(answer.getResponse() as HttpErrorBody) }
}

/** A client of a WebSocket, of Socket.IO or of `ws`. */
interface Client {
  readonly emit?: (event: string, data: unknown) => unknown
  readonly send?: (text: string) => unknown
  /** Only browsers' sockets and those of `ws` have a number here. */
  readonly readyState?: unknown
}

/** Sends the event `exception`, as NestJS does. A socket of `ws` would only call its own listeners if it were told to emit it. */
export function tellClient(given: unknown, data: MessageError): void {
  const client = given as Client
  if (typeof client.readyState !== 'number') client.emit?.('exception', data)
  else if (client.readyState === open) client.send?.(JSON.stringify({ event: 'exception', data }))
}

/** `WebSocket.OPEN`; on any other socket, `send` throws. */
const open = 1
