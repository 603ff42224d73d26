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
import type { ReadOptions, WriteOptions } from '@rowkey/store/adapter'
import { isOpen, OpenOutcome } from '../errors.js'

/** How a client is told to stop. */
export interface RequestHow {
  readonly abortSignal: AbortSignal
}

/**
 * Sends one request, which the client gives up when nobody waits for it any more. Each request has a signal of its own: the client adds a
 * listener for each of its attempts, and many requests on one signal would be many listeners.
 */
export function inRequest<T>(
  { cancellation }: Pick<ReadOptions | WriteOptions, 'cancellation'>,
  send: (how: RequestHow | undefined) => Promise<T>,
): Promise<T> {
  return cancellation === undefined ? send(undefined) : cancellation.withSignal((abortSignal) => send({ abortSignal }))
}

/** What a client hands to its middleware. */
interface Context {
  readonly logger?: object
  dynamoDbDocumentClientOptions?: object
}
type Handler = (args: object) => Promise<object>
/** What comes next, or something around it. */
type Middleware = (next: Handler, context: Context) => Handler
/** What middleware is added to; the types of the SDK would have to be those of each single command. */
interface Stack {
  add(middleware: Middleware, options: object): void
  addRelativeTo(middleware: Middleware, options: object): void
}

const asIs = (given: unknown): unknown => given
const noFilters = { overrideInputFilterSensitiveLog: asIs, overrideOutputFilterSensitiveLog: asIs }

/**
 * A client without a logger copies all that it sends and gets for a log that nobody writes, which is a third of the time of a query. Its
 * DocumentClient keeps it from that by these options, and so does this. A logger that is there gets what it would get.
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
 * Clients repeat what failed. A write that was applied, and whose answer was lost, would then fail by its own condition, or undo what others
 * wrote in between. So an attempt whose outcome is open is the last one; the core knows which writes may be repeated.
 *
 * A transaction has a token by which the server recognises it: it is sent again, but once an outcome was open only success is believed.
 */
function guard({ middlewareStack }: { readonly middlewareStack: object }, mayResend: boolean): void {
  const open = new WeakMap<object, unknown>() // by request: a client may share one handler between calls
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
    // Right inside of the client's repeats: further inside each of them has a request of its own.
    { relation: 'after', toMiddleware: 'retryMiddleware' },
  )
}

// Classes of their own: a client that keeps handlers keeps them by class.

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
