// Tested by interruptions.test.ts.
import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  type BatchWriteItemCommandInput,
  type DeleteItemCommandInput,
  type PutItemCommandInput,
  type TransactWriteItemsCommandInput,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb'
import type { ReadOptions, WriteOptions } from 'rowkey/adapter'
import { isOpen, OpenOutcome } from '../errors.js'

/** The options with which a client stops. */
export interface RequestHow {
  readonly abortSignal: AbortSignal
}

/**
 * Sends one request. The client aborts it when nobody waits for it any more. Each request has its own signal: the client adds a listener
 * for each attempt, so many requests with one signal would add many listeners to it.
 */
export function inRequest<T>(
  { cancellation }: Pick<ReadOptions | WriteOptions, 'cancellation'>,
  send: (how: RequestHow | undefined) => Promise<T>,
): Promise<T> {
  return cancellation === undefined ? send(undefined) : cancellation.withSignal((abortSignal) => send({ abortSignal }))
}

/** The context that a client passes to its middleware. */
interface Context {
  readonly logger?: object
  dynamoDbDocumentClientOptions?: object
}
type Handler = (args: object) => Promise<object>
/** The next handler, or a handler that wraps it. */
type Middleware = (next: Handler, context: Context) => Handler
/** A stack of middleware. The types of the SDK differ for each command. */
interface Stack {
  add(middleware: Middleware, options: object): void
  addRelativeTo(middleware: Middleware, options: object): void
}

const asIs = (given: unknown): unknown => given
const noFilters = { overrideInputFilterSensitiveLog: asIs, overrideOutputFilterSensitiveLog: asIs }

/**
 * A client without a logger nevertheless copies all input and output for a log, which takes a third of the time of a query. The
 * DocumentClient prevents that by these options, and so does this function. A real logger gets the same as before.
 */
function unlog(context: Context): void {
  if (context.logger?.constructor.name === 'NoOpLogger') context.dynamoDbDocumentClientOptions ??= noFilters
}

/** The same for a command. */
export function unlogged<C extends { readonly middlewareStack: object }>(command: C): C {
  ;(command.middlewareStack as Stack).add(
    (next, context) => {
      unlog(context)
      return next
    },
    { step: 'initialize' },
  )
  return command
}

/**
 * Clients repeat failed requests. If a write was applied and its answer was lost, the repetition would fail by its own condition, or undo
 * what others have written in the meantime. So an attempt whose outcome is unknown is the last one. The core knows which writes may be
 * repeated.
 *
 * A transaction has a token by which the server recognises it, so it is sent again. But after an unknown outcome, only a success counts:
 * every other result leaves the outcome unknown.
 */
function guard({ middlewareStack }: { readonly middlewareStack: object }, mayResend: boolean): void {
  const open = new WeakMap<object, unknown>() // by request, because a client may use one handler for several calls
  ;(middlewareStack as Stack).addRelativeTo(
    (next, context) => {
      unlog(context)
      return async (args) => {
        const before = open.get(args)
        if (before !== undefined && !mayResend) throw new OpenOutcome(before)
        try {
          return await next(args)
        } catch (error) {
          if (before !== undefined) throw new OpenOutcome(before)
          if (!isOpen(error)) throw error
          open.set(args, error)
          throw mayResend ? error : new OpenOutcome(error)
        }
      }
    },
    // Directly inside of the retries of the client. Further inside, each attempt has another request object.
    { relation: 'after', toMiddleware: 'retryMiddleware' },
  )
}

// Separate classes, because a client that caches handlers caches them by class.

export class PutOnce extends PutItemCommand {
  constructor(input: PutItemCommandInput) {
    super(input)
    guard(this, false)
  }
}

export class UpdateOnce extends UpdateItemCommand {
  constructor(input: UpdateItemCommandInput) {
    super(input)
    guard(this, false)
  }
}

export class DeleteOnce extends DeleteItemCommand {
  constructor(input: DeleteItemCommandInput) {
    super(input)
    guard(this, false)
  }
}

export class BatchWriteOnce extends BatchWriteItemCommand {
  constructor(input: BatchWriteItemCommandInput) {
    super(input)
    guard(this, false)
  }
}

export class Transact extends TransactWriteItemsCommand {
  constructor(input: TransactWriteItemsCommandInput) {
    super(input)
    guard(this, true)
  }
}
