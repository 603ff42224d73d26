import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

/** A request on its way: the operation, its input, how to send it, and how often the client has sent it before. */
export interface Attempt {
  readonly operation: string
  readonly input: Record<string, unknown>
  readonly before: number
  send(): Promise<object>
}

type Next = (args: object) => Promise<object>
interface Context {
  readonly commandName?: string
}
interface Stack {
  add(
    middleware: (
      next: Next,
      context: Context,
    ) => (args: { input: Record<string, unknown>; request: { headers: Record<string, string> } }) => Promise<object>,
    options: object,
  ): void
}

/** Comes between a client and its server, inside of the client's own repeats. Returns what a request answers. */
export function intercept(client: DynamoDBClient, handle: (attempt: Attempt) => Promise<object>): void {
  const attempts = new Map<string, number>()
  ;(client.middlewareStack as unknown as Stack).add(
    (next, context) => (args) => {
      const id = args.request.headers['amz-sdk-invocation-id'] as string // the same for all attempts
      const before = attempts.get(id) ?? 0
      attempts.set(id, before + 1)
      const operation = (context.commandName ?? '').replace(/Command$/, '')
      return handle({ operation, input: args.input, before, send: () => next(args) })
    },
    { step: 'deserialize', priority: 'high', name: 'testFaults', override: true },
  )
}

/** An error as the service gives it. */
export function serviceError(name: string, status: number, more: object = {}): Error {
  const error = new Error(`injected ${name}`)
  error.name = name
  return Object.assign(error, { $metadata: { httpStatusCode: status }, $fault: status < 500 ? 'client' : 'server', ...more })
}

/** A connection that ended before the answer. */
export const cut = (): Error => Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' })

/** An answer of the service that no request was sent for. */
export const answer = (output: object): object => ({ response: {}, output: { $metadata: { httpStatusCode: 200 }, ...output } })
